import { createQueryId, type QueryCompiler, type RawBuilder } from 'kysely';
import { shortHash } from '../lib/etag.ts';
import type { Engine, SqlDialect } from './dialect.ts';

export type Value = string | number | null;
export type Arguments = Record<string, Value>;

/** A statement compiled for one engine, and the names of its arguments in order. */
export interface Text {
  readonly name: string;
  readonly sql: string;
  readonly order: readonly string[];
  /** False if the best plan depends on the values, so that the engine must not reuse a plan. */
  readonly planOnce: boolean;
  /** Whether deferred changes are written before it runs, because it reads a derived table. */
  readonly readsDerived: boolean;
}

/** What an engine compiles statements with. */
export interface Compiler {
  readonly engine: Engine;
  readonly query: QueryCompiler;
  readonly dialect: SqlDialect;
}

export interface InsertedRow {
  readonly id: string;
  readonly seq: number;
}

/** How rows of a table are inserted together. SQLite runs `one` for each row, which takes half the time of parsing JSON; PostgreSQL
 *  runs `many`, which takes a third of the time of one message for each row. */
export interface RowInsert<R extends Arguments> {
  readonly one: Statement<R & { seq: number }, unknown>;
  /** Allocates the `seq` of a row for each item of a JSON array. SQLite runs it for the first row: it has no other writer, so the
   *  next rows follow. */
  readonly allocate?: Statement<{ workspace: number; items: string }, { seq: number }>;
  /** `rows` is a JSON array. */
  readonly many: Statement<{ workspace: number; rows: string }, InsertedRow>;
}

/** A statement that is compiled once for each engine. */
export interface Statement<A extends Arguments, R> {
  readonly textFor: (compiler: Compiler) => Text;
  readonly types?: (args: A) => R;
}

/** Marks an argument while a statement is built. Kysely returns it in its list of parameters. */
class Placeholder {
  readonly argument: string;
  constructor(argument: string) {
    this.argument = argument;
  }
}

const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) });

export interface StatementOptions {
  readonly planOnce?: boolean;
  /** Set it for a statement that reads a derived table (see DerivedTable). */
  readonly readsDerived?: boolean;
}

/** Some columns of a row. */
export const pickColumns = <R, C extends keyof R>(row: R, columns: readonly C[]): Pick<R, C> =>
  Object.fromEntries(columns.map((column) => [column, row[column]])) as Pick<R, C>;

/** The same text has the same name in every version of Roster, so that several versions can share a connection pooler. */
export const statementName = (sql: string): string => `roster_${shortHash(sql)}`;

const defined: WeakRef<Statement<never, unknown>>[] = [];

/** Every defined statement, for tests that check all of them. Those of lists are defined when they are first needed. */
export const allStatements = (): Statement<never, unknown>[] => defined.flatMap((each) => each.deref() ?? []);

/** Defines statements with these options. */
export const statementsWith =
  (defaults: StatementOptions = {}) =>
  <A extends Arguments, R>(
    build: (args: A, dialect: SqlDialect) => RawBuilder<R>,
    options: StatementOptions = {},
  ): Statement<A, R> => {
    const { planOnce = true, readsDerived = false } = { ...defaults, ...options };
    const texts: Partial<Record<Engine, Text>> = {};
    const compile = ({ query, dialect }: Compiler): Text => {
      const node = build(placeholders as A, dialect).toOperationNode();
      const { sql: built, parameters } = query.compileQuery(node, createQueryId());
      const sql = dialect.rewriteSql(built);
      const order = parameters.map((parameter) => {
        if (parameter instanceof Placeholder) return parameter.argument;
        throw new Error(
          `A statement contains the value ${String(parameter)}; write it as sql.lit or as an argument.`,
        );
      });
      return { name: statementName(sql), sql, order, planOnce, readsDerived };
    };
    const statement: Statement<A, R> = {
      textFor: (compiler) => {
        texts[compiler.engine] ??= compile(compiler);
        return texts[compiler.engine] as Text;
      },
    };
    defined.push(new WeakRef(statement as unknown as Statement<never, unknown>));
    return statement;
  };

/** Defines a statement: `statement(({ id }: { id: string }) => sql<Row>`select … where id = ${id}`)`. */
export const statement = statementsWith();

/** The same for one that reads a derived table. */
export const derivedStatement = statementsWith({ readsDerived: true });
