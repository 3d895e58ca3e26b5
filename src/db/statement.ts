import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { BuildTime, Engine } from './capabilities.ts';
import { looksAtKept } from './deferred-writes.ts';
import { postgresBuildTime } from './postgres/capabilities.ts';
import { sqliteBuildTime } from './sqlite/capabilities.ts';

export type Value = string | number | null;
export type Arguments = Record<string, Value>;

/** The text of a statement for one engine, and the names of its arguments in the order the text takes them. */
export interface Text {
  readonly name: string;
  readonly sql: string;
  readonly order: readonly string[];
  /** False where the best plan depends on the values, so that the engine must not settle on one. */
  readonly planOnce: boolean;
  /** Whether it looks at what a transaction may hold back. */
  readonly looksAtKept: boolean;
}

/** A statement that is built once for each engine and then only given its arguments. */
export interface Statement<A extends Arguments, R> {
  readonly textFor: (engine: Engine) => Text;
  readonly types?: (args: A) => R;
}

const builders: Record<Engine, Kysely<never>> = {
  sqlite: new Kysely({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }),
  postgres: new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),
};

const buildTime: Record<Engine, BuildTime> = { sqlite: sqliteBuildTime, postgres: postgresBuildTime };

/** Stands for an argument while a statement is built; Kysely hands it back in its list of parameters. */
class Placeholder {
  readonly argument: string;
  constructor(argument: string) {
    this.argument = argument;
  }
}

const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) });

/** Every statement that was defined, so that a test can read them all. */
export const allStatements: Statement<never, unknown>[] = [];

/** How a store makes its statements, over the tables that it names:
 *  `const statement = statementsOver<{ contacts: ContactRow }>();` */
export const statementsOver =
  <Tables>() =>
  <A extends Arguments, R>(
    build: (
      query: Kysely<Tables>,
      args: A,
      can: BuildTime,
    ) => { compile(query: Kysely<Tables>): CompiledQuery<R> },
    { planOnce = true } = {},
  ): Statement<A, R> => {
    const name = `roster_${allStatements.length + 1}`;
    const texts: Partial<Record<Engine, Text>> = {};
    const compile = (engine: Engine): Text => {
      const query = builders[engine] as unknown as Kysely<Tables>;
      const can = buildTime[engine];
      const { sql: built, parameters } = build(query, placeholders as A, can).compile(query);
      const sql = can.wording(built);
      const order = parameters.map((parameter) => {
        if (parameter instanceof Placeholder) return parameter.argument;
        throw new Error(
          `A statement holds the value ${String(parameter)}; write it as sql.lit or as an argument.`,
        );
      });
      return { name, sql, order, planOnce, looksAtKept: looksAtKept(sql) };
    };
    const made: Statement<A, R> = {
      textFor: (engine) => {
        texts[engine] ??= compile(engine);
        return texts[engine];
      },
    };
    allStatements.push(made as unknown as Statement<never, unknown>);
    return made;
  };
