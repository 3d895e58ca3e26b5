import type { Engine } from '../dialect.ts';

export type Statements = (engine: Engine) => readonly string[];

/** A migration, forward only. A released migration never changes. */
export interface Migration {
  /** The schema version after it. No release has a version between two migrations. */
  readonly version: number;
  readonly name: string;
  readonly statements: Statements;
}

export const joined =
  (...parts: readonly Statements[]): Statements =>
  (engine) =>
    parts.flatMap((part) => part(engine));
