import type { IncomingHttpHeaders } from 'node:http';
import { invalid } from '../../lib/errors.ts';
import type { IfMatch, JsonWithEtag } from '../../lib/etag.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import type { HttpResponse } from './route.ts';

const TAGS = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/** The entity tags of a header; undefined when it holds anything else. */
const readTags = (header: string): string[] | undefined => {
  if (header.trim() === '*') return ['*'];
  const tags = header.match(TAGS);
  return tags && /^[\s,]*$/.test(header.replace(TAGS, '')) ? tags : undefined;
};

/** The ETags of If-Match. Weak ones are left out, since they never match. A header that is not a list of ETags is refused:
 *  its sender relies on a check that could not be made. */
export const ifMatchOf = ({ headers }: { headers: IncomingHttpHeaders }): IfMatch | undefined => {
  const header = headers['if-match'];
  if (header === undefined) return undefined;
  const tags = readTags(header);
  if (tags) return tags.filter((tag) => !tag.startsWith('W/'));
  throw invalid([
    {
      field: 'If-Match',
      message: 'must be an ETag as it was answered, with its quotes, or a list of them, or *.',
    },
  ]);
};

/** Whether If-None-Match says that the caller has this state already. */
export const matchesIfNoneMatch = (headers: IncomingHttpHeaders, etag: string): boolean => {
  const header = headers['if-none-match'];
  if (header === undefined) return false;
  return readTags(header)?.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag) ?? false;
};

/** 200 with a record and its tag, or 304 without a body for a caller who has it. */
export const recordWithEtag = (
  { headers }: { headers: IncomingHttpHeaders },
  found: MaybePromise<JsonWithEtag>,
): MaybePromise<HttpResponse> =>
  chain(found, ({ json, etag }) =>
    matchesIfNoneMatch(headers, etag)
      ? { status: 304, body: '', headers: { ETag: etag } }
      : { status: 200, body: `{"success":true,"data":${json}}`, headers: { ETag: etag } },
  );

/** 200 with a record after a change, and its new tag. */
export const changedRecord = async (done: Promise<JsonWithEtag>): Promise<HttpResponse> => {
  const { json, etag } = await done;
  return { status: 200, body: `{"success":true,"data":${json}}`, headers: { ETag: etag } };
};
