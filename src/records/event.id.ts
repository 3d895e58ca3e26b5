import { createHash } from 'node:crypto';
import { ALPHABET, base32Of } from '../lib/ids.ts';
import type { StoredEvent } from './event.store.ts';

const POSITION_DIGITS = 10;
/** 80 bits are 16 base-32 digits. */
const HASH_DIGITS = 20;
const ID = /^event_([0-7][0-9a-hjkmnp-tv-z]{9})[0-9a-hjkmnp-tv-z]{16}$/;

export const eventIdPattern = ID.source;
export const eventIdExample = 'event_000000003k7q2v9xw4m8t1c6bz';

/** A digit of the id's alphabet is one of JavaScript's base 32. */
const positionDigits = (position: number): string =>
  [...position.toString(32)]
    .map((digit) => ALPHABET[Number.parseInt(digit, 32)])
    .join('')
    .padStart(POSITION_DIGITS, '0');

/** The position, then a hash that makes the id unique among all workspaces and installations. Ids of a workspace sort by
 *  position, and a reader can continue after an event that has expired. */
export const eventIdOf = (event: Pick<StoredEvent, 'workspace_id' | 'seq' | 'at' | 'type' | 'subject'>) => {
  const { workspace_id, seq, at, type, subject } = event;
  const hash = createHash('sha256').update(`${workspace_id} ${seq} ${at} ${type} ${subject}`).digest('hex');
  return `event_${positionDigits(seq)}${base32Of(hash.slice(0, HASH_DIGITS))}`;
};

/** The position in an id; undefined for any other text. */
export const positionIn = (id: string): number | undefined => {
  const digits = ID.exec(id)?.[1];
  if (digits === undefined) return undefined;
  return [...digits].reduce((position, digit) => position * 32 + ALPHABET.indexOf(digit), 0);
};
