import { useEffect, useState } from 'react';
import { clockTime, exactTime, relativeTime } from '../lib/format.ts';

const UPDATE_MS = 30_000;

/** A relative time, with the exact time as its tooltip. */
export const Time = ({
  at,
  withClock = false,
  className,
}: {
  readonly at: string;
  /** Adds the time of day, such as `3 days ago, 10:15`. */
  readonly withClock?: boolean;
  readonly className?: string;
}) => {
  const [, setNow] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), UPDATE_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={at} title={exactTime(at)} className={className}>
      {relativeTime(at)}
      {withClock && `, ${clockTime(at)}`}
    </time>
  );
};
