import { ApiError, unavailable } from '../../kernel/errors.ts';

const BUSY = 5;
/** Result codes that speak of the database and not of the statement: busy, locked, no memory, read-only, I/O, corrupt,
 *  full, cannot open, protocol, not a database. */
const FAULTS = new Set([BUSY, 6, 7, 8, 10, 11, 13, 14, 15, 26]);

const isSqlite = (error: unknown): error is { errcode: number } =>
  error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';

/** Whether somebody else holds the file at this moment. */
export const isBusy = (error: unknown): boolean => isSqlite(error) && (error.errcode & 0xff) === BUSY;

/** Whether an error concerns the request alone, rather than the database under it. */
export const isOfTheRequest = (error: unknown): boolean =>
  !isSqlite(error) || !FAULTS.has(error.errcode & 0xff);

/** A fault of the disk is not the caller's: it can try again. The cause is kept for the log. */
export const asUnavailable = (error: unknown): unknown => {
  if (error instanceof ApiError || isOfTheRequest(error)) return error;
  return Object.assign(unavailable(), { cause: error });
};
