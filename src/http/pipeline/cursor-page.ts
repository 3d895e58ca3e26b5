import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import type { HttpRequest, HttpResponse } from './route.ts';

/** One page of a list that is continued by a cursor. */
export interface CursorPage {
  /** The records as JSON, joined by commas. */
  readonly json: string;
  readonly total: number;
  /** Whether the list may have more records than `total`. */
  readonly isCapped?: boolean;
  /** The number of records on the pages before. */
  readonly offset: number;
  /** The cursor of the next page; undefined after the last. */
  readonly next: string | undefined;
}

/** The URL of the next page: that of this one, with another cursor. */
const nextUrl = ({ path, target }: Pick<HttpRequest, 'path' | 'target'>, next: string): string => {
  const queryStart = target.indexOf('?');
  const query = new URLSearchParams(queryStart === -1 ? '' : target.slice(queryStart + 1));
  query.delete('offset');
  query.set('cursor', next);
  return `${path}?${query}`;
};

/** 200 with one page, and in the `Link` header the URL and the cursor of the next one. A header says that the total is a lower bound. */
export const cursorPage = (
  request: Pick<HttpRequest, 'path' | 'target'>,
  limit: number,
  found: MaybePromise<CursorPage>,
): MaybePromise<HttpResponse> =>
  chain(found, ({ json, total, isCapped = false, offset, next }) => {
    const pagination = { total, limit, offset, has_more: next !== undefined };
    const Link = next && `<${nextUrl(request, next)}>; rel="next"; next_cursor="${next}"`;
    return {
      status: 200,
      body: `{"success":true,"data":[${json}],"pagination":${JSON.stringify(pagination)}}`,
      ...((Link || isCapped) && {
        headers: { ...(Link && { Link }), ...(isCapped && { 'X-Total-Capped': 'true' }) },
      }),
    };
  });
