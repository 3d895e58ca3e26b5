import { ApiError, type Fault, type FaultReason, unavailableBy } from '../../lib/errors.ts';

const BUSY = 5;
/** Result codes about the file: read-only, I/O, corrupt, cannot open, protocol, not a database. */
const BROKEN = new Set([8, 10, 11, 14, 15, 26]);
/** Result codes about the content of the file: corrupt, not a database. */
const DAMAGE = new Set([11, 26]);

export const isSqlite = (error: unknown): error is Error & { errcode: number } =>
  error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';

/** Whether another connection has locked the file. */
export const isBusy = (error: unknown): boolean => isSqlite(error) && (error.errcode & 0xff) === BUSY;

/** Whether the file could be read but its content is damaged. */
export const isDamage = (error: unknown): boolean => isSqlite(error) && DAMAGE.has(error.errcode & 0xff);

/** The shared memory of the connections is a file too, and could not grow. */
const SHARED_MEMORY_SIZE = 4_874;

/** The primary result codes about the state of the database: their names, and what they mean for an operator. */
const CODES: Readonly<Record<number, readonly [name: string, reason: FaultReason]>> = {
  [BUSY]: ['BUSY', 'locked'],
  6: ['LOCKED', 'locked'],
  7: ['NOMEM', 'other'],
  8: ['READONLY', 'disk_error'],
  10: ['IOERR', 'disk_error'],
  11: ['CORRUPT', 'disk_error'],
  13: ['FULL', 'disk_full'],
  14: ['CANTOPEN', 'disk_error'],
  15: ['PROTOCOL', 'other'],
  26: ['NOTADB', 'disk_error'],
};

/** Undefined for an error that is no fault of the database. */
export const databaseFault = (error: unknown): Fault | undefined => {
  const errcode = isSqlite(error) ? error.errcode : 0;
  const known = CODES[errcode & 0xff];
  if (!known) return undefined;
  const [name, reason] = known;
  return {
    reason: errcode === SHARED_MEMORY_SIZE ? 'disk_full' : reason,
    code: `SQLITE_${name}${errcode > 0xff ? ` (${errcode})` : ''}`,
    isOutage: true,
  };
};

/** Whether the request caused an error, not the state of the database. */
export const isRequestError = (error: unknown): boolean => databaseFault(error) === undefined;

/** Whether SQLite or the system reports that the disk has no space. */
export const isDiskFull = (error: unknown): boolean =>
  isSqlite(error)
    ? databaseFault(error)?.reason === 'disk_full'
    : error instanceof Error && 'code' in error && /^(ENOSPC|EDQUOT)$/.test(String(error.code));

/** Turns a disk error into a 503 with the fault, so that the caller retries. */
export const asUnavailable = (error: unknown): unknown => {
  const fault = databaseFault(error);
  return fault ? unavailableBy(fault, { cause: error }) : error;
};

/** Whether a connection can no longer be trusted: its view of the file may be wrong. */
export const isBroken = (error: unknown): boolean => {
  const cause = error instanceof ApiError ? error.cause : error;
  return isSqlite(cause) && BROKEN.has(cause.errcode & 0xff);
};
