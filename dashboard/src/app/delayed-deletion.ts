import { endWaiting, toast } from '../ui/toast.tsx';
import { type Deletion, deletions } from './deletions.ts';
import { beforeLeaving } from './leaving.ts';

const waiting = new Set<Deletion>();
const requests = new Set<Promise<unknown>>();

const show = (deletion: Deletion): void => deletions.set(deletions.get().filter((each) => each !== deletion));

const send = (deletion: Deletion): void => {
  waiting.delete(deletion);
  const request = deletion
    .send(() => show(deletion))
    .catch((error: unknown) => {
      show(deletion);
      toast.failed(error);
    });
  requests.add(request);
  void request.finally(() => requests.delete(request));
};

/** Hides records from the lists, and deletes them when the user has not undone it for ten seconds or leaves the page: the service
 *  deletes permanently. */
export const deleteLater = (deletion: Deletion): void => {
  deletions.set([...deletions.get(), deletion]);
  waiting.add(deletion);
  toast.undo(
    deletion.text,
    async () => {
      waiting.delete(deletion);
      show(deletion);
    },
    () => send(deletion),
  );
};

/** Sends the deletions that wait. Resolves when the service has answered. */
const sendDeletions = async (): Promise<void> => {
  endWaiting();
  await Promise.all(requests);
};

beforeLeaving.add(sendDeletions);
addEventListener('pagehide', () => void sendDeletions());

// The browser completes a large request only if the page stays until then, so it asks.
addEventListener('beforeunload', (event) => {
  if (![...waiting].some(({ isLarge }) => isLarge)) return;
  event.preventDefault();
  void sendDeletions();
});
