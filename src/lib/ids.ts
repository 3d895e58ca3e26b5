import { randomUUIDv7 } from 'node:crypto';
import { notFound } from './errors.ts';

export const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
export const UUID_FORM = '[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}';
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
