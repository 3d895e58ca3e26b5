import { hash } from 'node:crypto';

/** The canonical form of a parsed JSON value (RFC 8785): no whitespace, and the members of objects in the order of the UTF-16 code units
 *  of their names. JSON.stringify formats numbers and strings as the RFC does. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  // The default order of strings is that of their code units.
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonicalJson(each)}`).join(',')}}`;
};

/** The SHA-256 of the canonical form, in hexadecimal digits. */
export const canonicalHash = (value: unknown): string => hash('sha256', canonicalJson(value));
