import { useEffect, useRef, useState } from 'react';

const DELAY_MS = 200;

/** A text once it has not changed for a while. */
export const useDebounced = (text: string, delayMs = DELAY_MS): string => {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), delayMs);
    return () => clearTimeout(timer);
  }, [text, delayMs]);
  return debounced;
};

/** A text field whose value is stored elsewhere, such as in the URL: it is passed on after a pause, and updated
 *  when the stored value changes, such as by the back button. */
export const useDebouncedText = (
  value: string,
  onChange: (text: string) => void,
): [string, (text: string) => void] => {
  const [typed, setTyped] = useState(value);
  const lastValue = useRef(value);
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    if (value === lastValue.current) return;
    lastValue.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => {
    if (typed === lastValue.current) return;
    const timer = setTimeout(() => {
      lastValue.current = typed;
      latest.current(typed);
    }, DELAY_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return [typed, setTyped];
};
