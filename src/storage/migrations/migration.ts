import type { Engine } from '../capabilities.ts';

/** A step of the schema, forward only. Its place in the list is its number; a step that was released never changes. */
export interface Migration {
  readonly name: string;
  readonly statements: (engine: Engine) => readonly string[];
}
