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
