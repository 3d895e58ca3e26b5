import { type Database, DatabaseSetupError } from '../db/database.ts';
import { explainSetupErrors } from '../db/open/setup-errors.ts';
import type { MoveReader } from './database.ts';

export const CONTINUE = 'The move is not finished. Run the same command again to continue.';

/** Constraints of foreign and unique keys. They match in a copy of an unchanged source. */
const CONSTRAINTS = new Set(['23503', '23505']);
const SQLITE_CONSTRAINT = 19;

const CONTRADICTION =
  'A row contradicts the rows that the target already has, because the source has changed since the move began. Run the same command with --restart to copy everything again.';

const isContradiction = (error: unknown): boolean => {
  const { code = '', errcode = 0 } = Object(error) as { code?: string; errcode?: number };
  return CONSTRAINTS.has(code) || (errcode & 0xff) === SQLITE_CONSTRAINT;
};

/** Explains an error of a database during the move. A lost connection ends this process, but not the move. */
export const explainInterruption = async (database: Database, error: unknown): Promise<never> => {
  if (error instanceof DatabaseSetupError) throw error;
  if (isContradiction(error)) throw new DatabaseSetupError(CONTRADICTION, { cause: error });
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
