import { DatabaseSetupError } from './database.ts';

/** A table that `roster move` creates in its target first and drops last. It records the source and the progress. */
export const MOVE_TABLE = 'roster_move';

/** For a database that a move has not filled completely. */
export const unfinishedMoveError = (): DatabaseSetupError =>
  new DatabaseSetupError(
    'The database is the target of a move that has not finished. Run the same "roster move" again to finish it, or with --restart to copy everything again.',
  );
