import type { Engine } from '../capabilities.ts';

export type MigratedRow = Record<string, string | number | null>;

/** A statement of a migration's work. Its arguments stand for the `?` of the text, in order. */
export interface MigrationQuery {
  readonly text: string;
  readonly values?: readonly (string | number | null)[];
}

/** Work that SQL cannot do alone: it yields statements and gets the rows of each. A generator, since one engine answers
 *  in place and the other by a promise. */
export type MigrationWork = Generator<MigrationQuery, void, MigratedRow[]>;

/** A step of the schema, forward only. Its place in the list is its number; a step that was released never changes. */
export interface Migration {
  readonly name: string;
  readonly statements: (engine: Engine) => readonly string[];
  /** Runs after the statements, in the same transaction. */
  readonly work?: (engine: Engine) => MigrationWork;
}
