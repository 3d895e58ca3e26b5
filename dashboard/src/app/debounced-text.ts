import { useEffect, useRef, useState } from 'react';

const WAIT_MS = 200;

/** A text that is typed here and kept in the address: given on after a pause, and taken from the address when that
 *  changes by other means, such as the back button. */
export const useDebouncedText = (
  kept: string,
  keep: (text: string) => void,
): [string, (text: string) => void] => {
  const [typed, setTyped] = useState(kept);
  const told = useRef(kept);
  const latest = useRef(keep);
  latest.current = keep;
  useEffect(() => {
    if (kept === told.current) return;
    told.current = kept;
    setTyped(kept);
  }, [kept]);
  useEffect(() => {
    if (typed === told.current) return;
    const timer = setTimeout(() => {
      told.current = typed;
      latest.current(typed);
    }, WAIT_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return [typed, setTyped];
};
