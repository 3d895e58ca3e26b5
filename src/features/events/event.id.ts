import { createHash } from 'node:crypto';
import type { StoredEvent } from '../../records/event.store.ts';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const POSITION_DIGITS = 10;
const HASH_BYTES = 10;
const ID = /^event_([0-7][0-9a-hjkmnp-tv-z]{9})[0-9a-hjkmnp-tv-z]{16}$/;

export const eventIdPattern = ID.source;
export const eventIdExample = 'event_000000003k7q2v9xw4m8t1c6bz';

/** 80 bits as 16 base-32 digits, 20 bits at a time. */
const hashDigits = (bytes: Buffer): string => {
  const hex = bytes.toString('hex');
  let digits = '';
  for (let at = 0; at < hex.length; at += 5) {
    const bits = Number.parseInt(hex.slice(at, at + 5), 16);
    for (let shift = 15; shift >= 0; shift -= 5) digits += ALPHABET.charAt((bits >> shift) & 31);
  }
  return digits;
};

const positionDigits = (position: number): string => {
  let digits = '';
  for (let rest = position; digits.length < POSITION_DIGITS; rest = Math.floor(rest / 32)) {
    digits = ALPHABET.charAt(rest % 32) + digits;
  }
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
  const hash = createHash('sha256').update(`${workspace_id} ${seq} ${at} ${type} ${subject}`).digest();
  return `event_${positionDigits(seq)}${hashDigits(hash.subarray(0, HASH_BYTES))}`;
};

/** The position in an id; undefined for any other text. */
export const positionIn = (id: string): number | undefined => {
  const digits = ID.exec(id)?.[1];
  if (digits === undefined) return undefined;
  let position = 0;
  for (const digit of digits) position = position * 32 + ALPHABET.indexOf(digit);
  return position;
};
