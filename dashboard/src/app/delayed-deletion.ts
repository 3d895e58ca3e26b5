import { session } from '../api/session.ts';
import { t } from '../lib/i18n.ts';
import { endWaiting, toast } from '../ui/toast.tsx';
import { type Deletion, deletions } from './deletions.ts';
import { beforeLeaving } from './leaving.ts';

/** The browser completes requests after the page is left if their bodies have less than 64 kB together. */
const MAX_KEPT_ALIVE = 60_000;

const waiting = new Set<Deletion>();
/** The size of the requests that are being sent. */
let sending = 0;
let isLeft = false;
/** Each resolves with whether the service has accepted it. */
const requests = new Set<Promise<boolean>>();

const show = (deletion: Deletion): void => deletions.set(deletions.get().filter((each) => each !== deletion));

/** Nothing is deleted for another user than the one who confirmed it: a filter would match contacts of another workspace. */
const attempt = async (deletion: Deletion, user: string | undefined): Promise<boolean> => {
  sending += deletion.size;
  try {
    if (session.user() !== user) throw new Error(t('Nothing was deleted, because you signed in again.'));
    return (await deletion.send(() => show(deletion), sending <= MAX_KEPT_ALIVE, isLeft)) !== false;
  } catch (error) {
    show(deletion);
    toast.failed(error);
    return false;
  } finally {
    sending -= deletion.size;
  }
};

const send = (deletion: Deletion, user: string | undefined): void => {
  waiting.delete(deletion);
  const request = attempt(deletion, user);
  requests.add(request);
  void request.finally(() => requests.delete(request));
};

/** Hides records from the lists, and deletes them when the user has not undone it for ten seconds or leaves the page: the service
 *  deletes permanently. */
export const deleteLater = (deletion: Deletion): void => {
  const user = session.user();
  deletions.set([...deletions.get(), deletion]);
  waiting.add(deletion);
  toast.undo(
    deletion.text,
    async () => {
      waiting.delete(deletion);
      show(deletion);
    },
    () => send(deletion, user),
  );
};

/** Sends the deletions that wait. Resolves with whether the service has accepted all. */
const sendDeletions = async (): Promise<boolean> => {
  endWaiting();
  return (await Promise.all(requests)).every(Boolean);
};

beforeLeaving.add(sendDeletions);
addEventListener('pagehide', () => {
  isLeft = true;
  void sendDeletions();
});
// The browser shows the same page again.
addEventListener('pageshow', () => {
  isLeft = false;
});

// The browser completes larger requests only if the page stays until then, so it asks.
addEventListener('beforeunload', (event) => {
  const size = [...waiting].reduce((sum, each) => sum + each.size, sending);
  if (size <= MAX_KEPT_ALIVE) return;
  event.preventDefault();
  void sendDeletions();
});
