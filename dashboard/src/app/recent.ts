import { session } from '../api/session.ts';

/* The records that the user opened last, in this browser. Only their paths are kept, so that no personal data stays in it. */

export const recordPath = (path: string): string | undefined =>
  /^\/(?:contacts|agents|campaigns|import|webhooks)\/[^/]+/.exec(path)?.[0];

const PREFIX = 'roster-recent-';
/** One more than the palette shows, because it leaves out the open one. */
const MAX_KEPT = 6;

const keyOf = () => `${PREFIX}${session.user()}`;

/** Storage can be disabled or full; then nothing is remembered. */
export const recentRecords = (): readonly string[] => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf()) ?? '[]');
    return Array.isArray(stored) ? stored.filter((each) => recordPath(String(each)) === each) : [];
  } catch {
    return [];
  }
};

export const rememberRecord = (path: string): void => {
  const record = recordPath(path);
  if (!record || !session.user()) return;
  const next = [record, ...recentRecords().filter((each) => each !== record)].slice(0, MAX_KEPT);
  try {
    localStorage.setItem(keyOf(), JSON.stringify(next));
  } catch {
    // Nothing depends on it.
  }
};

/** Also those of other users of this browser. */
export const forgetRecords = (): void => {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  } catch {
    // Nothing was stored.
  }
};
