import { DatabaseError } from 'pg';
import { ApiError, unavailable } from '../../lib/errors.ts';

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** The server is a standby, or its administrator has made it read-only. */
export const READ_ONLY = '25006';

export const readOnlyError = (): Error =>
  Object.assign(new Error('the server does not accept writes'), { code: READ_ONLY });

const UNREACHABLE = /^(ECONN|EPIPE|ERR_STREAM|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|08|57P)/;

/** Whether no connection to a server can be opened, or an open one was lost. */
export const isUnreachable = (error: unknown): boolean => {
  const code = codeOf(error);
  return UNREACHABLE.test(code) || (code === '' && /connection|timeout/i.test(String(error)));
};

/** Connection failures (class 08, 57P), a missing or inaccessible database (3D000, 28), too many connections or no disk
 *  space (53), a disk error (58030), a server that does not accept writes (25006), and timeouts of statements and locks. */
const OUTAGE =
  /^(08|28|3D000|53|57P|57014|55P03|25P03|25006|58030|ECONN|EPIPE|EPROTO|ENOTFOUND|EAI_AGAIN|ENOENT|ETIMEDOUT|EHOST|ENET|ERR_SSL|ERR_STREAM)/;
const OUTAGE_WORDS = /connect|terminated|timeout|not queryable|calling end/i;

/** Citus reports some failures of connections between nodes as internal errors. */
const INTERNAL = 'XX000';
const NODE_OUTAGE = /connection|EOF detected|SSL SYSCALL|active node|failed to (?:send|prepare|COPY)/;

const LOCK_TIMEOUT = '55P03';
const locked = () => unavailable('Other requests are changing the same records. Retry in 1 second.');

/** Turns an outage of the server into a 503, so that the caller retries. The cause is logged. */
export const asUnavailable = (error: unknown): unknown => {
  const code = codeOf(error);
  const words = code === '' ? OUTAGE_WORDS : code === INTERNAL ? NODE_OUTAGE : undefined;
  const outage = OUTAGE.test(code) || (error instanceof Error && words?.test(error.message));
  if (!outage || error instanceof ApiError) return error;
  return Object.assign(code === LOCK_TIMEOUT ? locked() : unavailable(), { cause: error });
};

/** Timeouts of statements and locks. */
const TIMED_OUT = /^(57014|55P03)/;

/** Whether a failed transaction was certainly rolled back: its commit was not sent, or the server reported the failure.
 *  After a lost connection that is unknown. */
export const isKnownRolledBack = (error: unknown, isCommitSent: boolean): boolean =>
  TIMED_OUT.test(codeOf(error)) ||
  (asUnavailable(error) === error && (!isCommitSent || error instanceof DatabaseError));

/** A newer version of Roster has changed a table under a statement that this connection has prepared. The same code also
 *  reports features that a server does not support. */
export const isStaleStatement = (error: unknown): boolean =>
  codeOf(error) === '0A000' && error instanceof DatabaseError && error.routine === 'RevalidateCachedQuery';
