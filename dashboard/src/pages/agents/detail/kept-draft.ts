import { useEffect, useRef, useState } from 'react';
import { session } from '../../../api/session.ts';
import { useStore } from '../../../api/store.ts';
import { keepText, keptKey, keptTexts, removeKept } from '../../../app/kept-texts.ts';
import { DAYS_KEPT, type Draft, isKept, type Kept } from './draft.ts';

const PAUSE_MS = 800;
const DAY_MS = 86_400_000;

const parse = (stored: string): Kept | undefined => {
  try {
    const kept: unknown = JSON.parse(stored);
    return isKept(kept) && Date.parse(kept.at) > Date.now() - DAYS_KEPT * DAY_MS ? kept : undefined;
  } catch {
    return undefined;
  }
};

/** The edits that the user has not saved in this browser. Removes those that are too old, of all agents. */
export const readKept = (user: string, agent: string): Kept | undefined => {
  const own = keptKey(user, agent);
  let found: Kept | undefined;
  for (const [key, stored] of keptTexts()) {
    const kept = parse(stored);
    if (!kept) removeKept(key);
    else if (key === own) found = kept;
  }
  return found;
};

/** Stores edits in the browser after a pause, and when the page is left. A version never changes once it is saved, so drafts between
 *  two versions are kept here. Returns when they were stored last; null if the browser refused. */
export const useKeptDraft = (user: string, agent: string, { typed, base, isDirty }: Draft) => {
  const [keptAt, setKeptAt] = useState<string | null>();
  const latest = useRef<() => void>(undefined);
  const wasDirty = useRef(false);
  const key = keptKey(user, agent);
  const hasEnded = useStore(session.hasEnded);
  useEffect(() => {
    if (!base || !isDirty) {
      latest.current = undefined;
      // Another tab may have edits of its own.
      if (wasDirty.current) removeKept(key);
      wasDirty.current = false;
      return setKeptAt(undefined);
    }
    wasDirty.current = true;
    latest.current = undefined;
    // The next user of the browser may be someone else.
    if (hasEnded) return;
    const keep = () => {
      latest.current = undefined;
      const at = new Date().toISOString();
      setKeptAt(keepText(key, JSON.stringify({ typed, base, at } satisfies Kept)) ? at : null);
    };
    latest.current = keep;
    const timer = setTimeout(keep, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [key, typed, base, isDirty, hasEnded]);
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
