import { invalid } from '../../lib/errors.ts';
import { shortHash } from '../../lib/etag.ts';
import { isStorable } from '../../lib/text.ts';
import type { Position, RangeName } from './list.store.ts';

/** Where the next page of a list begins. */
export interface Cursor {
  readonly position: Position;
  /** The number of contacts on the pages before. */
  readonly offset: number;
  /** The total that the first page counted. */
  readonly total: number;
}

/** A list: its workspace, its order and its filters. A cursor is valid for one list. */
export type ListIdentity = readonly [workspace: number, range: RangeName, ...filters: unknown[]];

const tagOf = (list: ListIdentity, content: string) => shortHash(`${JSON.stringify(list)} ${content}`);

/** The tag binds a cursor to its list and detects a change of its content. It is not a secret: a position reveals nothing, and
 *  every statement names the workspace. */
export const encodeCursor = (list: ListIdentity, { position, offset, total }: Cursor): string => {
  const content = JSON.stringify([position.key, position.seq, offset, total]);
  return `${Buffer.from(content).toString('base64url')}.${tagOf(list, content)}`;
};

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

/** Anyone can compute the tag, so the content is checked, too. Undefined if no list has this position. */
const parseContent = (content: string): Cursor | undefined => {
  let values: unknown;
  try {
    values = JSON.parse(content);
  } catch {
    return undefined;
  }
  if (!Array.isArray(values)) return undefined;
  const [key, seq, offset, total] = values;
  const isValid =
    typeof key === 'string' && isStorable(key) && isCount(seq) && isCount(offset) && isCount(total);
  return isValid ? { position: { key, seq }, offset, total } : undefined;
};

export const decodeCursor = (list: ListIdentity, cursor: string): Cursor => {
  const [encoded = '', tag] = cursor.split('.');
  const content = Buffer.from(encoded, 'base64url').toString();
  const found = tag === tagOf(list, content) ? parseContent(content) : undefined;
  if (found) return found;
  throw invalid([
    {
      field: 'cursor',
      message:
        'is not valid for this list. Use the cursor of the previous page with the same sort and filters, or start again without a cursor.',
    },
  ]);
};
