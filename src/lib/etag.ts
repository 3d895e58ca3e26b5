import { hash } from 'node:crypto';
import { ApiError } from './errors.ts';

/** A record as JSON, and the entity tag of that version of it. */
export interface JsonWithEtag {
  readonly json: string;
  readonly etag: string;
}

export const shortHash = (text: string): string => hash('sha256', text, 'base64url').slice(0, 22);

/** Derives the tag from the whole record. A record that is read often needs a cheaper tag. */
export const withEtag = (record: object): JsonWithEtag => {
  const json = JSON.stringify(record);
  return { json, etag: `"${shortHash(json)}"` };
};

/** A tag in two parts, for a record with members that change all the time. Those must not prevent an update. */
export const tagInParts = (updatable: unknown, changing: unknown): string =>
  `"${shortHash(JSON.stringify(updatable))}.${shortHash(JSON.stringify(changing))}"`;

/** The tag of a compressed representation, which HTTP requires to differ (RFC 9110, 8.8.3.3). Tags of records contain no
 *  semicolon. */
export const etagOfEncoding = (etag: string, encoding: string): string => `${etag.slice(0, -1)};${encoding}"`;

/** The tag without the mark of an encoding. */
export const withoutEncoding = (etag: string): string => etag.replace(/;(?:zstd|br|gzip)"$/, '"');

/** The tags of an If-Match or If-None-Match header. `*` matches any record. */
export type IfMatch = readonly string[];

/** Rejects the change of a record that has changed since the caller read it. Call it with the record locked. */
export const assertIfMatch = (what: string, etag: string, match: IfMatch | undefined): void => {
  if (match === undefined || match.includes('*') || match.includes(etag)) return;
  throw new ApiError(
    'PRECONDITION_FAILED',
    `This ${what} was changed since you read it. Read it again, and send the change with its new ETag in If-Match.`,
  );
};

/** The same for a tag in two parts, of which only the first counts. */
export const assertUpdatableMatches = (what: string, etag: string, match: IfMatch): void => {
  const firstPart = (tag: string) => tag.split('.')[0] ?? tag;
  assertIfMatch(what, firstPart(etag), match.map(firstPart));
};

/** Rejects the change of a record that the caller expects not to exist, or not to have these tags. */
export const assertIfNoneMatch = (what: string, etag: string, noneMatch: IfMatch | undefined): void => {
  if (!noneMatch?.includes('*') && !noneMatch?.includes(etag)) return;
  throw new ApiError(
    'PRECONDITION_FAILED',
    `This ${what} already exists, and If-None-Match excludes it. To update it, send the request without If-None-Match.`,
  );
};
