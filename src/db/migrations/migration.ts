import type { Engine } from '../dialect.ts';

export type MigratedRow = Record<string, string | number | null>;

/** A statement of a migration. Its values replace the `?` of the text in order. */
export interface MigrationQuery {
  readonly text: string;
  readonly values?: readonly (string | number | null)[];
}

/** Work that SQL alone cannot do. It yields statements and receives their rows. It is a generator because SQLite answers
 *  synchronously and PostgreSQL does not. */
export type MigrationWork = Generator<MigrationQuery, void, MigratedRow[]>;

/** A migration, forward only. Its index in the list is its number. A released migration never changes. */
export interface Migration {
  readonly name: string;
  readonly statements: (engine: Engine) => readonly string[];
  /** Runs after the statements, in the same transaction. */
  readonly work?: (engine: Engine) => MigrationWork;
}
