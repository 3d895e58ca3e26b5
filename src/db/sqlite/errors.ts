import { ApiError, unavailable } from '../../lib/errors.ts';

const BUSY = 5;
/** Result codes about the file: read-only, I/O, corrupt, cannot open, protocol, not a database. */
const BROKEN = new Set([8, 10, 11, 14, 15, 26]);
/** Also the temporary ones: busy, locked, no memory, full. */
const FAULTS = BROKEN.union(new Set([BUSY, 6, 7, 13]));

/** Result codes about the content of the file: corrupt, not a database. */
const DAMAGE = new Set([11, 26]);

export const isSqlite = (error: unknown): error is Error & { errcode: number } =>
  error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';

/** Whether another connection has locked the file. */
export const isBusy = (error: unknown): boolean => isSqlite(error) && (error.errcode & 0xff) === BUSY;

/** Whether the file could be read but its content is damaged. */
export const isDamage = (error: unknown): boolean => isSqlite(error) && DAMAGE.has(error.errcode & 0xff);

/** Whether the request caused an error, not the state of the database. */
export const isRequestError = (error: unknown): boolean =>
  !isSqlite(error) || !FAULTS.has(error.errcode & 0xff);

/** Turns a disk error into a 503, so that the caller retries. The cause is logged. */
export const asUnavailable = (error: unknown): unknown => {
  if (error instanceof ApiError || isRequestError(error)) return error;
  return Object.assign(unavailable(), { cause: error });
};

/** Whether a connection can no longer be trusted: its view of the file may be wrong. */
export const isBroken = (error: unknown): boolean => {
  const cause = error instanceof ApiError ? error.cause : error;
  return isSqlite(cause) && BROKEN.has(cause.errcode & 0xff);
};
