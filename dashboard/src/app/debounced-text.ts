import { useEffect, useRef, useState } from 'react';

const WAIT_MS = 200;

/** A text field whose value is stored elsewhere, such as in the URL: it is passed on after a pause, and updated
 *  when the stored value changes, such as by the back button. */
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
