import { ApiError, unavailable } from '../../lib/errors.ts';

const BUSY = 5;
/** Result codes that speak of the file under a connection: read-only, I/O, corrupt, cannot open, protocol, not a database. */
const BROKEN = new Set([8, 10, 11, 14, 15, 26]);
/** Those and what passes by itself: busy, locked, no memory, full. */
const FAULTS = BROKEN.union(new Set([BUSY, 6, 7, 13]));

/** Those that speak of what the file holds: corrupt, not a database. */
const DAMAGE = new Set([11, 26]);

export const isSqlite = (error: unknown): error is Error & { errcode: number } =>
  error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';

/** Whether somebody else holds the file at this moment. */
export const isBusy = (error: unknown): boolean => isSqlite(error) && (error.errcode & 0xff) === BUSY;

/** Whether the file was read and does not hold what it should, rather than that it could not be had. */
export const isDamage = (error: unknown): boolean => isSqlite(error) && DAMAGE.has(error.errcode & 0xff);

/** Whether an error concerns the request alone, rather than the database under it. */
export const isOfTheRequest = (error: unknown): boolean =>
  !isSqlite(error) || !FAULTS.has(error.errcode & 0xff);

/** A fault of the disk is not the caller's: it can try again. The cause is kept for the log. */
export const asUnavailable = (error: unknown): unknown => {
  if (error instanceof ApiError || isOfTheRequest(error)) return error;
  return Object.assign(unavailable(), { cause: error });
};

/** Whether a connection can no longer be trusted: what it knows of the file may not be what is there. */
export const isBroken = (error: unknown): boolean => {
  const cause = error instanceof ApiError ? error.cause : error;
  return isSqlite(cause) && BROKEN.has(cause.errcode & 0xff);
};
