import { useEffect, useState } from 'react';
import { clockTime, exactTime, relativeTime, secondsAgo } from '../lib/format.ts';

const UPDATE_MS = 30_000;
const SECOND_MS = 1_000;

/** A relative time, with the exact time as its tooltip. */
export const Time = ({
  at,
  withClock = false,
  withSeconds = false,
  className,
}: {
  readonly at: string;
  /** Adds the time of day, such as `3 days ago, 10:15`. */
  readonly withClock?: boolean;
  /** Counts the seconds of the last minute, such as `12 seconds ago`. */
  readonly withSeconds?: boolean;
  readonly className?: string;
}) => {
  const [, setNow] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), withSeconds ? SECOND_MS : UPDATE_MS);
    return () => clearInterval(timer);
  }, [withSeconds]);
  return (
    <time dateTime={at} title={exactTime(at)} className={className}>
      {(withSeconds && secondsAgo(at)) || relativeTime(at)}
      {withClock && `, ${clockTime(at)}`}
    </time>
  );
};
