import { invalidField } from '../lib/errors.ts';
import { shortHash } from '../lib/etag.ts';

/** What a cursor is valid for: the workspace or record, the order and the filters of a list. */
export type ListIdentity = readonly unknown[];

const tagOf = (list: ListIdentity, content: string) => shortHash(`${JSON.stringify(list)} ${content}`);

/** The tag binds a cursor to its list and detects a change of its content. It is not a secret: a position reveals nothing, and
 *  every statement names the workspace. */
export const encodeCursor = (list: ListIdentity, values: readonly (string | number)[]): string => {
  const content = JSON.stringify(values);
  return `${Buffer.from(content).toString('base64url')}.${tagOf(list, content)}`;
};

const parse = (content: string): unknown => {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
};

/** Anyone can compute the tag, so `read` checks the values, too: it returns undefined if no list has this position. */
export const decodeCursor = <T>(
  list: ListIdentity,
  cursor: string,
  { read, message }: { read: (values: readonly unknown[]) => T | undefined; message: string },
): T => {
  const [encoded = '', tag] = cursor.split('.');
  const content = Buffer.from(encoded, 'base64url').toString();
  const values = tag === tagOf(list, content) ? parse(content) : undefined;
  const found = Array.isArray(values) ? read(values) : undefined;
  if (found === undefined) throw invalidField('cursor', message);
  return found;
};
