import { createHash } from 'node:crypto';
import { ALPHABET, base32Of } from '../../lib/ids.ts';
import type { StoredEvent } from '../../records/event.store.ts';

const POSITION_DIGITS = 10;
/** 80 bits are 16 base-32 digits. */
const HASH_DIGITS = 20;
const ID = /^event_([0-7][0-9a-hjkmnp-tv-z]{9})[0-9a-hjkmnp-tv-z]{16}$/;

export const eventIdPattern = ID.source;
export const eventIdExample = 'event_000000003k7q2v9xw4m8t1c6bz';

const positionDigits = (position: number): string => {
  let digits = '';
  for (let rest = position; digits.length < POSITION_DIGITS; rest = Math.floor(rest / 32))
    digits = ALPHABET.charAt(rest % 32) + digits;
  return digits;
};

/** The position, then a hash that makes the id unique among all workspaces and installations. Ids of a workspace sort by
 *  position, and a reader can continue after an event that has expired. */
export const eventIdOf = ({
  workspace_id,
  seq,
  at,
  type,
  subject,
}: Pick<StoredEvent, 'workspace_id' | 'seq' | 'at' | 'type' | 'subject'>): string => {
  const hash = createHash('sha256').update(`${workspace_id} ${seq} ${at} ${type} ${subject}`).digest('hex');
  return `event_${positionDigits(seq)}${base32Of(hash.slice(0, HASH_DIGITS))}`;
};

/** The position in an id; undefined for any other text. */
export const positionIn = (id: string): number | undefined => {
  const digits = ID.exec(id)?.[1];
  if (digits === undefined) return undefined;
  let position = 0;
  for (const digit of digits) position = position * 32 + ALPHABET.indexOf(digit);
  return position;
};
