export type Database = { readonly engine: 'sqlite'; readonly path: string } | PostgresDatabase;

export interface PostgresDatabase {
  readonly engine: 'postgres';
  readonly url: string;
  /** The environment variable with the URL, if it is not DATABASE_URL. */
  readonly variable?: string;
  /** Connections of one instance; undefined for the default. */
  readonly poolSize?: number;
  /** Where long reads go, if anywhere else. */
  readonly replicaUrl?: string;
}

/** A problem with the configured database or file. Commands print its message without a stack. */
export class DatabaseSetupError extends Error {}

/** A table that `roster move` creates in its target first and drops last. It records the source and the progress. */
export const MOVE_TABLE = 'roster_move';

/** For a database that a move has not filled completely. */
export const unfinishedMoveError = (): DatabaseSetupError =>
  new DatabaseSetupError(
    'The database is the target of a move that has not finished. Run the same "roster move" again to finish it, or with --restart to copy everything again.',
  );
