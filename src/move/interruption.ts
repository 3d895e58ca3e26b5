import { type Database, DatabaseSetupError } from '../db/database.ts';
import { explainSetupErrors } from '../db/open/setup-errors.ts';
import type { MoveReader } from './database.ts';

export const CONTINUE = 'The move is not finished. Run the same command again to continue.';

/** Constraints of foreign and unique keys. They match in a copy of an unchanged source. */
const CONSTRAINTS = new Set(['23503', '23505']);
const SQLITE_CONSTRAINT = 19;
const NO_DISK_SPACE = '53100';
const SQLITE_FULL = 13;

const problemOf = (error: unknown): string | undefined => {
  const { code = '', errcode = 0 } = Object(error) as { code?: string; errcode?: number };
  const result = errcode & 0xff;
  if (CONSTRAINTS.has(code) || result === SQLITE_CONSTRAINT)
    return 'A row contradicts the rows that the target already has, because the source has changed since the move began. Run the same command with --restart to copy everything again.';
  if (code === NO_DISK_SPACE || result === SQLITE_FULL)
    return `A disk is full: ${(error as Error).message}. Free some space. ${CONTINUE}`;
  return undefined;
};

/** Explains an error of a database during the move. A lost connection ends this process, but not the move. */
export const explainInterruption = async (database: Database, error: unknown): Promise<never> => {
  if (error instanceof DatabaseSetupError) throw error;
  const problem = problemOf(error);
  if (problem) throw new DatabaseSetupError(problem, { cause: error });
  try {
    return await explainSetupErrors(database, () => Promise.reject(error));
  } catch (explained) {
    if (explained instanceof DatabaseSetupError) explained.message += ` ${CONTINUE}`;
    throw explained;
  }
};

/** A reader whose errors name its own database, not the one that is written meanwhile. */
export const explainReads = (database: Database, reader: MoveReader): MoveReader => ({
  ...reader,
  select: async function* (sql) {
    try {
      yield* reader.select(sql);
    } catch (error) {
      await explainInterruption(database, error);
    }
  },
  lastIds: () => reader.lastIds().catch((error) => explainInterruption(database, error)),
});
