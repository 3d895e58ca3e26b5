import { randomUUIDv7 } from 'node:crypto';
import { notFound } from './errors.ts';

export const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const UUID_FORM = '[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}';
const UUID = new RegExp(`^${UUID_FORM}$`);
/** The schema of a UUID in a request. The format alone allows a URN. */
export const uuidSchema = { format: 'uuid', pattern: UUID.source };
const TOKEN_FORM = '[0-7][0-9a-hjkmnp-tv-z]{25}';
const TOKEN = new RegExp(`^${TOKEN_FORM}$`);

export const newUuid = (): string => randomUUIDv7();

export const parseUuid = (text: string): string | undefined =>
  UUID.test(text) ? text.toLowerCase() : undefined;

/** Encodes 128 bits as 26 base-32 digits: the first eight bits as two digits, then each 20 bits as four. */
const base32 = (uuid: string): string => {
  const hex = uuid.replaceAll('-', '');
  return lastDigits(Number.parseInt(hex.slice(0, 2), 16), 2) + base32Of(hex.slice(2));
};

/** The base-32 digits of a hexadecimal number with a multiple of five digits. */
export const base32Of = (hex: string): string => {
  let digits = '';
  for (let at = 0; at < hex.length; at += 5)
    digits += lastDigits(Number.parseInt(hex.slice(at, at + 5), 16), 4);
  return digits;
};

/** The UUID that 26 base-32 digits encode. */
const uuidOf = (digits: string): string =>
  [...digits]
    .reduce((bits, digit) => bits * 32n + BigInt(ALPHABET.indexOf(digit)), 0n)
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

const lastDigits = (bits: number, count: number): string => {
  let digits = '';
  for (let shift = (count - 1) * 5; shift >= 0; shift -= 5) digits += ALPHABET.charAt((bits >> shift) & 31);
  return digits;
};

/** TypeIDs: `prefix_` followed by a UUIDv7 as 26 base-32 digits. */
export const typeId = (prefix: string) => {
  const start = `${prefix}_`;
  const description = `The id of the ${prefix.replace('_', ' ')}`;
  const fromUuid = (uuid: string) => start + base32(uuid);
  /** Accepts a TypeID or a UUID; undefined for any other text. */
  const parse = (text: string): string | undefined => {
    if (text.startsWith(start) && TOKEN.test(text.slice(start.length))) return text;
    const uuid = parseUuid(text);
    return uuid && fromUuid(uuid);
  };
  return {
    create: (): string => fromUuid(randomUUIDv7()),
    /** The schema of an id that is read with `parse`. */
    schema: {
      pattern: `^(${start}${TOKEN_FORM}|${UUID_FORM})$`,
      description: `${description}, as a token (\`${start}…\`) or as a UUID.`,
    },
    /** The schema of an id that is compared as it is. */
    tokenSchema: { pattern: `^${start}${TOKEN_FORM}$`, description: `${description}.` },
    parse,
    /** The same; throws a 404 error for any other text. */
    require: (text: string): string => {
      const parsed = parse(text);
      if (!parsed) throw notFound(prefix.replace('_', ' '));
      return parsed;
    },
  };
};

/** Ids of records that are not stored, which carry a UUID: `prefix_`, 26 digits of their own, and those of the UUID. */
export const carryingId = (prefix: string) => {
  const own = typeId(prefix);
  const pattern = `^${prefix}_${TOKEN_FORM}_${TOKEN_FORM}$`;
  const form = new RegExp(pattern);
  return {
    pattern,
    create: (uuid: string): string => `${own.create()}_${base32(uuid)}`,
    /** The UUID that an id carries; undefined for any other text. */
    parse: (text: string): string | undefined => (form.test(text) ? uuidOf(text.slice(-26)) : undefined),
  };
};
