import type { IncomingHttpHeaders } from 'node:http';
import { invalidField } from '../../lib/errors.ts';
import { type IfMatch, type JsonWithEtag, withoutEncoding } from '../../lib/etag.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import type { HttpResponse } from './route.ts';

const TAG = '(W\\/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
export const TAG_LIST_PATTERN = `^(\\*|[\\s,]*(${TAG}[\\s,]*)+)$`;
const TAG_LIST = new RegExp(TAG_LIST_PATTERN);
const TAGS = new RegExp(TAG, 'g');

/** The ETags of a header; undefined if it is not a list of ETags. */
const readTags = (header: string): string[] | undefined => {
  const list = header.trim();
  if (!TAG_LIST.test(list)) return undefined;
  return list === '*' ? ['*'] : (list.match(TAGS) ?? []);
};

/** The ETags of If-Match, without weak ones, which never match. An invalid header is rejected, because its sender relies on
 *  the check. */
export const ifMatchOf = ({ headers }: { headers: IncomingHttpHeaders }): IfMatch | undefined =>
  requireTags('If-Match', headers['if-match'], 'must be an ETag with its quotes, a list of ETags, or *.')
    ?.filter((tag) => !tag.startsWith('W/'))
    .map(withoutEncoding);

/** The ETags of the If-None-Match of a write, which exclude records. */
export const ifNoneMatchOf = ({ headers }: { headers: IncomingHttpHeaders }): IfMatch | undefined => {
  const form = 'must be * (create only), or an ETag or a list of ETags.';
  const tags = requireTags('If-None-Match', headers['if-none-match'], form);
  return tags?.map((tag) => withoutEncoding(tag.replace(/^W\//, '')));
};

const requireTags = (name: string, header: string | undefined, form: string): string[] | undefined => {
  const tags = header === undefined ? undefined : readTags(header);
  if (tags || header === undefined) return tags;
  throw invalidField(name, form);
};

/** The ETag of the caller's copy if it is current, in any encoding. */
export const currentEtag = (headers: IncomingHttpHeaders, etag: string): string | undefined => {
  const header = headers['if-none-match'];
  if (header === undefined) return undefined;
  for (const tag of readTags(header) ?? []) {
    if (tag === '*') return etag;
    const strong = tag.replace(/^W\//, '');
    if (withoutEncoding(strong) === etag) return strong;
  }
  return undefined;
};

/** 200 with a record and its ETag, or 304 if the caller already has it. */
export const recordWithEtag = <R = JsonWithEtag>(
  { headers }: { headers: IncomingHttpHeaders },
  found: MaybePromise<R>,
  tag = (record: R): JsonWithEtag => record as JsonWithEtag,
): MaybePromise<HttpResponse> =>
  chain(found, (record): HttpResponse => {
    const { json, etag } = tag(record);
    const current = currentEtag(headers, etag);
    return current === undefined
      ? { status: 200, body: `{"success":true,"data":${json}}`, headers: { ETag: etag } }
      : { status: 304, body: '', headers: { ETag: current, Vary: 'Accept-Encoding' } };
  });

/** 200 with a changed record and its new ETag. */
export const changedRecord = async (done: Promise<JsonWithEtag>): Promise<HttpResponse> => {
  const { json, etag } = await done;
  return { status: 200, body: `{"success":true,"data":${json}}`, headers: { ETag: etag } };
};
