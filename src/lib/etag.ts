import { hash } from 'node:crypto';
import { ApiError } from './errors.ts';

/** A record as JSON, and the entity tag of the state that it is in. */
export interface JsonWithEtag {
  readonly json: string;
  readonly etag: string;
}

/** A short text that stands for a longer one. */
export const shortHash = (text: string): string => hash('sha256', text, 'base64url').slice(0, 22);

/** A record that is tagged by all that is shown of it: right for every record. One that is read often is better tagged by
 *  what changes with it, where that is certain. */
export const withEtag = (record: object): JsonWithEtag => {
  const json = JSON.stringify(record);
  return { json, etag: `"${shortHash(json)}"` };
};

/** The tags of which a record must bear one to be changed; `*` stands for any. */
export type IfMatch = readonly string[];

/** Refuses to change a record that is no longer as its caller saw it. Asked in the transaction that holds the record. */
export const assertIfMatch = (what: string, etag: string, match: IfMatch | undefined): void => {
  if (match === undefined || match.includes('*') || match.includes(etag)) return;
  throw new ApiError(
    'PRECONDITION_FAILED',
    `This ${what} was changed since you read it. Get it again, and send the change with its new ETag in If-Match.`,
  );
};
