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

/** The tags of an If-Match header. `*` matches any record. */
export type IfMatch = readonly string[];

/** Rejects the change of a record that has changed since the caller read it. Call it with the record locked. */
export const assertIfMatch = (what: string, etag: string, match: IfMatch | undefined): void => {
  if (match === undefined || match.includes('*') || match.includes(etag)) return;
  throw new ApiError(
    'PRECONDITION_FAILED',
    `This ${what} was changed since you read it. Read it again, and send the change with its new ETag in If-Match.`,
  );
};
