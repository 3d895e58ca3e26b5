import { useEffect, useState } from 'react';
import { exactTime, relativeTime } from '../lib/format.ts';

const UPDATE_MS = 30_000;

/** A relative time, with the exact time as its tooltip. */
export const Time = ({ at, className }: { readonly at: string; readonly className?: string }) => {
  const [, setNow] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), UPDATE_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={at} title={exactTime(at)} className={className}>
      {relativeTime(at)}
    </time>
  );
};
