import { DatabaseError } from 'pg';
import { ApiError, type Fault, type FaultReason, unavailableBy } from '../../lib/errors.ts';

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** The server is a standby, or its administrator has made it read-only. */
export const READ_ONLY = '25006';

export const readOnlyError = (): Error =>
  Object.assign(new Error('the server does not accept writes'), { code: READ_ONLY });

/** The server accepts writes, but a standby of it was promoted. */
const FORMER_PRIMARY = 'FORMER_PRIMARY';

export const formerPrimaryError = (): Error =>
  Object.assign(new Error('the server is a former primary'), { code: FORMER_PRIMARY });

/** transaction_resolution_unknown */
export const NOT_REPLICATED = '08007';

const UNREACHABLE = /^(ECONN|EPIPE|ERR_STREAM|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|08|57P)/;

/** Whether no connection to a server can be opened, or an open one was lost. */
export const isUnreachable = (error: unknown): boolean => {
  const code = codeOf(error);
  return UNREACHABLE.test(code) || (code === '' && /connection|timeout/i.test(String(error)));
};

/** Connection failures (class 08, 57P), a missing or inaccessible database (3D000, 28), too many connections or no disk
 *  space (53), a disk error (58030), a server that does not accept writes (25006) or is a former primary, and timeouts of
 *  statements and locks. */
const OUTAGE =
  /^(08|28|3D000|53|57P|57014|55P03|25P03|25006|58030|ECONN|EPIPE|EPROTO|ENOTFOUND|EAI_AGAIN|ENOENT|ETIMEDOUT|EHOST|ENET|ERR_SSL|ERR_STREAM|FORMER_PRIMARY)/;
const OUTAGE_WORDS = /connect|terminated|timeout|not queryable|calling end/i;

/** Citus reports some failures of connections between nodes as internal errors. */
const INTERNAL = 'XX000';
const NODE_OUTAGE = /connection|EOF detected|SSL SYSCALL|active node|failed to (?:send|prepare|COPY)/;

const LOCK_TIMEOUT = '55P03';
const LOCKED = 'Other requests are changing the same records. Retry in 1 second.';

/** The server has no disk space. */
export const DISK_FULL = '53100';

const REASONS: Readonly<Record<string, FaultReason>> = {
  [DISK_FULL]: 'disk_full',
  '58030': 'disk_error',
  [LOCK_TIMEOUT]: 'locked',
  [READ_ONLY]: 'read_only',
  [FORMER_PRIMARY]: 'former_primary',
  '57014': 'no_answer',
  ETIMEDOUT: 'no_answer',
};

const reasonOf = (code: string, error: unknown): FaultReason => {
  if (code === '' && /timeout/i.test(String(error))) return 'no_answer';
  return REASONS[code] ?? (isUnreachable(error) ? 'unreachable' : 'other');
};

/** What an error says about the server. The errors of the driver have no code, but a constant message. */
export const faultOf = (error: unknown): Fault => {
  const code = codeOf(error);
  const reason = reasonOf(code, error);
  return {
    reason,
    code: code || (error instanceof Error ? error.message : ''),
    // The health check of the server does not write, and finds all other outages.
    isOutage: reason === 'disk_full' || reason === 'disk_error',
  };
};

/** Turns an outage of the server into a 503 with the fault, so that the caller retries. */
export const asUnavailable = (error: unknown): unknown => {
  const code = codeOf(error);
  const words = code === '' ? OUTAGE_WORDS : code === INTERNAL ? NODE_OUTAGE : undefined;
  const outage = OUTAGE.test(code) || (error instanceof Error && words?.test(error.message));
  if (!outage || error instanceof ApiError) return error;
  return unavailableBy(faultOf(error), { cause: error, ...(code === LOCK_TIMEOUT && { message: LOCKED }) });
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
