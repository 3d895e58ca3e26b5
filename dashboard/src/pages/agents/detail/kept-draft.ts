import { useEffect, useRef, useState } from 'react';
import { DAYS_KEPT, type Draft, isKept, type Kept } from './draft.ts';

const PREFIX = 'roster-draft ';
const PAUSE_MS = 800;
const DAY_MS = 86_400_000;

const keyOf = (user: string, agent: string) => `${PREFIX}${user} ${agent}`;

const parse = (stored: string | null): Kept | undefined => {
  try {
    const kept: unknown = JSON.parse(stored ?? 'null');
    return isKept(kept) && Date.parse(kept.at) > Date.now() - DAYS_KEPT * DAY_MS ? kept : undefined;
  } catch {
    return undefined;
  }
};

/** The edits that the user has not saved in this browser. Removes those that are too old, of all agents. */
export const readKept = (user: string, agent: string): Kept | undefined => {
  for (const key of Object.keys(localStorage))
    if (key.startsWith(PREFIX) && !parse(localStorage.getItem(key))) localStorage.removeItem(key);
  return parse(localStorage.getItem(keyOf(user, agent)));
};

/** Stores edits in the browser after a pause, and when the page is left. A version never changes once it is saved, so drafts between
 *  two versions are kept here. Returns when they were stored last; null if the browser refused. */
export const useKeptDraft = (user: string, agent: string, { typed, base, isDirty }: Draft) => {
  const [keptAt, setKeptAt] = useState<string | null>();
  const latest = useRef<() => void>(undefined);
  const wasDirty = useRef(false);
  const key = keyOf(user, agent);
  useEffect(() => {
    if (!base || !isDirty) {
      latest.current = undefined;
      // Another tab may have edits of its own.
      if (wasDirty.current) localStorage.removeItem(key);
      wasDirty.current = false;
      return setKeptAt(undefined);
    }
    wasDirty.current = true;
    const keep = () => {
      latest.current = undefined;
      const at = new Date().toISOString();
      try {
        localStorage.setItem(key, JSON.stringify({ typed, base, at } satisfies Kept));
        setKeptAt(at);
      } catch {
        setKeptAt(null);
      }
    };
    latest.current = keep;
    const timer = setTimeout(keep, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [key, typed, base, isDirty]);
  useEffect(() => {
    const keepNow = () => latest.current?.();
    addEventListener('pagehide', keepNow);
    return () => {
      removeEventListener('pagehide', keepNow);
      keepNow();
    };
  }, []);
  return keptAt;
};
