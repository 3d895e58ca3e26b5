import { invalid } from '../../lib/errors.ts';
import { shortHash } from '../../lib/etag.ts';

/** The entry after which a page begins. Entries are ordered by time, and those of one millisecond by id. */
export interface TimelinePosition {
  readonly at: string;
  readonly id: string;
}

/** After every time and id. */
export const END: TimelinePosition = { at: 'z', id: '' };

const AT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ID = /^[a-z0-9_-]{0,80}$/;

const tagOf = (list: readonly unknown[], content: string) => shortHash(`${JSON.stringify(list)} ${content}`);

/** `list` is the contact and the kinds; a cursor is valid for one list. The tag is not a secret: a position reveals nothing. */
export const encodePosition = (list: readonly unknown[], { at, id }: TimelinePosition): string => {
  const content = `${at} ${id}`;
  return `${Buffer.from(content).toString('base64url')}.${tagOf(list, content)}`;
};

export const decodePosition = (list: readonly unknown[], cursor: string): TimelinePosition => {
  const [encoded = '', tag] = cursor.split('.');
  const content = Buffer.from(encoded, 'base64url').toString();
  const [at = '', id = ''] = content.split(' ');
  if (tag === tagOf(list, content) && AT.test(at) && ID.test(id)) return { at, id };
  throw invalid([
    {
      field: 'cursor',
      message:
        'is not valid for this timeline. Send the next_cursor of the previous page with the same kinds, or start again without a cursor.',
    },
  ]);
};
