import { createStore } from '../api/store.ts';
import { endWaiting, toast } from '../ui/toast.tsx';

/** A deletion that the user has confirmed, as lists show it. */
export interface Deletion {
  /** What the toast says. */
  readonly text: string;
  /** Whether it deletes a record of the list with a filter. */
  readonly deletes: (record: { readonly id: string; readonly created_at: string }, filter: string) => boolean;
  /** How many records of the list it deletes, if it is known. */
  readonly countIn?: (filter: string) => number | undefined;
  /** Sends the request, and calls `onGone` when lists no longer have the records. */
  readonly send: (onGone: () => void) => Promise<unknown>;
  /** A request that the browser would not complete after the page is left. */
  readonly isLarge?: boolean;
}

/** Those that wait, and those whose records lists may still have. */
export const deletions = createStore<readonly Deletion[]>([]);
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
export const sendDeletions = async (): Promise<void> => {
  endWaiting();
  await Promise.all(requests);
};

addEventListener('pagehide', () => void sendDeletions());

// The browser completes a large request only if the page stays until then, so it asks.
addEventListener('beforeunload', (event) => {
  if (![...waiting].some(({ isLarge }) => isLarge)) return;
  event.preventDefault();
  void sendDeletions();
});
