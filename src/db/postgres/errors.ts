import { DatabaseError } from 'pg';
import { ApiError, unavailable } from '../../lib/errors.ts';

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** Connection failures (class 08, 57P), a database that is gone or closed to us (3D000, 28), too many connections or no
 *  room (53), a disk that fails (58030) and the time-outs of statements and locks. */
const OUTAGE =
  /^(08|28|3D000|53|57P|57014|55P03|25P03|58030|ECONN|EPIPE|EPROTO|ENOTFOUND|EAI_AGAIN|ENOENT|ETIMEDOUT|EHOST|ENET|ERR_SSL|ERR_STREAM)/;
const OUTAGE_WORDS = /connect|terminated|timeout|not queryable|calling end/i;

/** A fault of the server is not the caller's: it can try again. The cause is kept for the log. */
export const asUnavailable = (error: unknown): unknown => {
  const code = codeOf(error);
  const outage =
    OUTAGE.test(code) || (code === '' && error instanceof Error && OUTAGE_WORDS.test(error.message));
  return outage && !(error instanceof ApiError) ? Object.assign(unavailable(), { cause: error }) : error;
};

/** Statements and locks that took too long. */
const TIMED_OUT = /^(57014|55P03)/;

/** Whether a transaction that ended with an error is known to be undone: its commit was not asked for, or the server itself
 *  says so. Of one that ended with its connection nobody knows. */
export const isKnownUndone = (error: unknown, isCommitted: boolean): boolean =>
  TIMED_OUT.test(codeOf(error)) ||
  (asUnavailable(error) === error && (!isCommitted || error instanceof DatabaseError));
