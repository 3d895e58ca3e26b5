import { invalidField, invalidRequest } from './errors.ts';

const MAX_DEPTH = 32;
/** The default: several times as many as the largest valid request of one record. Without this limit, a mebibyte of empty
 *  arrays blocked the event loop for 200 ms. */
const MAX_VALUES = 10_000;
const QUOTE = 34;
const BACKSLASH = 92;
const COLON = 58;
const COMMA = 44;

/** Where the string that starts at `at` has its closing quote. */
const endOfString = (text: string, at: number): number => {
  for (at++; at < text.length && text.charCodeAt(at) !== QUOTE; at++)
    if (text.charCodeAt(at) === BACKSLASH) at++;
  return at;
};

/** Counts the keys in a JSON text. Rejects too deep nesting and too many values before the text is parsed. The count is
 *  correct only for valid JSON. */
const countKeys = (text: string, maxValues: number): number => {
  let keys = 0;
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COLON) keys++;
    else if (code === COMMA) values++;
    else if (code === 123 || code === 91) {
      values++;
      if (++depth > MAX_DEPTH) throw invalidRequest(`The JSON is nested more than ${MAX_DEPTH} levels deep.`);
    } else if (code === 125 || code === 93) depth--;
    if (values > maxValues) throw invalidRequest(`The JSON has more than ${maxValues} values. Send fewer.`);
  }
  return keys;
};

const countProperties = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  const children = Object.values(value);
  let count = Array.isArray(value) ? 0 : children.length;
  for (const child of children) if (typeof child === 'object') count += countProperties(child);
  return count;
};

/** Parses JSON of a limited size and depth. Rejects duplicate keys, of which JSON.parse silently keeps only the last. */
export const parseJson = (text: string, maxValues = MAX_VALUES): unknown => {
  const keys = countKeys(text, maxValues);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidRequest('The body is not valid JSON. Send one JSON object, for example {"name": "value"}.');
  }
  if (countProperties(value) !== keys) {
    throw invalidField('body', 'contains a field more than once. Send each field once.');
  }
  return value;
};

/** Parses a request body. */
export const parseObject = (text: string, maxValues?: number): Record<string, unknown> => {
  const value = parseJson(text, maxValues);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidRequest('The body must be a JSON object, for example {"name": "value"}.');
  }
  return value as Record<string, unknown>;
};

/** A JSON object with one more member at its end. `value` is JSON. The object is not parsed, so it costs little (see
 *  docs/decisions/0087-new-fields.md). */
export const withMember = (object: string, name: string, value: string): string =>
  `${object.slice(0, -1)},"${name}":${value}}`;

/** A member of a JSON object as it was sent: numbers, the order of keys, and whitespace are lost when it is parsed. */
export class SentJson {
  readonly text: string;
  readonly value: unknown;

  constructor(text: string, value: unknown) {
    this.text = text;
    this.value = value;
  }
}

/** The text of a member of a valid JSON object without repeated names; undefined if it has none of that name. */
export const memberText = (object: string, name: string): string | undefined => {
  let depth = 0;
  let string = '';
  let member: { readonly key: string; readonly start: number } | undefined;
  for (let at = 0; at < object.length; at++) {
    const character = object[at];
    if (character === '"') {
      const start = at;
      at = endOfString(object, start);
      string = object.slice(start, at + 1);
    } else if (character === '{' || character === '[') depth++;
    else if (depth === 1 && character === ':') member = { key: JSON.parse(string), start: at + 1 };
    else if (depth === 1 && (character === ',' || character === '}')) {
      if (member?.key === name) return object.slice(member.start, at).trim();
    } else if (character === '}' || character === ']') depth--;
  }
  return undefined;
};

/** A JSON Pointer (RFC 6901) to a member of what `path` points to. */
export const pointerTo = (path: string, name: string | number): string =>
  `${path}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
