import { MOVE_TABLE } from '../db/database.ts';
import type { MovedTable, Row } from './tables.ts';

/** A thousand short rows or a few long ones, so that memory does not depend on the rows. */
export const BATCH_ROWS = 1_000;
export const BATCH_CHARACTERS = 250_000;

/** The number of characters of the values of a row. */
export const sizeOf = (row: Row): number => row.reduce((sum, value) => sum + (value?.length ?? 0), 0);

/** A connection that reads the tables of a database. */
export interface MoveReader {
  /** The tables to move, each after those that it references. */
  tables(): Promise<readonly MovedTable[]>;
  /** The rows of a select, in batches. */
  select(sql: string): AsyncIterable<readonly Row[]>;
  /** The last id of each table whose next id is stored separately. */
  lastIds(): Promise<ReadonlyMap<string, string>>;
  quote(text: string): string;
  close(): Promise<void>;
}

export type Batches = Iterable<readonly Row[]> | AsyncIterable<readonly Row[]>;

/** The connection to the database that a move fills. */
export interface MoveTarget extends MoveReader {
  has(table: string): Promise<boolean>;
  /** Runs statements in one transaction. */
  run(...statements: string[]): Promise<void>;
  /** Runs all migrations that are missing. */
  migrate(): Promise<void>;
  /** Removes everything that an unfinished move has created. */
  discard(): Promise<void>;
  /** Writes rows and runs the statement in one transaction. */
  write(table: MovedTable, batches: Batches, statement: string): Promise<void>;
  /** After all rows: continues the ids of the source, and rebuilds the search index. Reports the contacts in it. */
  complete(lastIds: ReadonlyMap<string, string>, onProgress: (indexed: number) => void): Promise<void>;
}

/** The rows of a select that has few. */
export const readRows = async ({ select }: Pick<MoveReader, 'select'>, sql: string): Promise<Row[]> =>
  (await Array.fromAsync(select(sql))).flat();

/* A table in the target that records the source of the move, and what was copied of each table. */

export const CREATE_RECORD = `create table ${MOVE_TABLE} (name text not null primary key, value text not null)`;

/** The statement that records a value. */
export const recording = ({ quote }: Pick<MoveReader, 'quote'>, name: string, value: string): string =>
  `insert into ${MOVE_TABLE} (name, value) values (${quote(name)}, ${quote(value)})
    on conflict (name) do update set value = excluded.value`;

/** All recorded values; undefined if no move has begun. */
export const readRecord = async (target: MoveTarget): Promise<Map<string, string> | undefined> => {
  if (!(await target.has(MOVE_TABLE))) return undefined;
  const rows = await readRows(target, `select name, value from ${MOVE_TABLE}`);
  return new Map(rows.map(([name, value]) => [name ?? '', value ?? '']));
};
