import { MOVE_TABLE } from '../db/unfinished-move.ts';
import type { MovedTable, Row } from './tables.ts';

/** A thousand short rows or a few long ones, so that memory does not depend on the rows. */
export const BATCH_ROWS = 1_000;
export const BATCH_CHARACTERS = 250_000;

/** The number of characters of the values of a row. */
export const sizeOf = (row: Row): number => row.reduce((sum, value) => sum + (value?.length ?? 0), 0);

/** A connection that reads tables. */
interface TableReader {
  /** The tables to move, each after those that it references. */
  tables(): Promise<readonly MovedTable[]>;
  /** The rows of a select, in batches. */
  select(sql: string): AsyncIterable<readonly Row[]>;
  close(): Promise<void>;
}

/** The connection to the database that a move reads. */
export interface MoveReader extends TableReader {
  /** The last id of each table whose next id is stored separately. */
  lastIds(): Promise<ReadonlyMap<string, string>>;
  quote(text: string): string;
}

/** The record of a part of the move, such as a table. */
export interface Step {
  readonly name: string;
  /** The recorded value; undefined if there is none. */
  readonly before: string | undefined;
  readonly after: string;
}

export type Batches = Iterable<readonly Row[]> | AsyncIterable<readonly Row[]>;

/** The connection to the database that a move fills. */
export interface MoveTarget extends TableReader {
  /** The recorded values of all steps; undefined if no move has begun. */
  recorded(): Promise<Map<string, string> | undefined>;
  /** Why the database cannot be the target of a new move. */
  problem(): Promise<string | undefined>;
  /** Creates the record of the move, and then all tables. */
  begin(source: Step): Promise<void>;
  /** Runs migrations that are missing, for example after an interrupted `begin`. */
  migrate(): Promise<void>;
  /** Removes everything that an unfinished move has created. */
  discard(): Promise<void>;
  /** Writes rows and the record of the step in one transaction. */
  write(table: MovedTable, batches: Batches, step: Step): Promise<void>;
  /** After all rows: continues the ids of the source, and rebuilds the search index. Reports the contacts in it. */
  complete(lastIds: ReadonlyMap<string, string>, onProgress: (indexed: number) => void): Promise<void>;
  /** Removes the record of the move, so that the service can start. */
  release(): Promise<void>;
}

export const CREATE_RECORD = `create table ${MOVE_TABLE} (name text not null primary key, value text not null)`;
export const READ_RECORD = `select name, value from ${MOVE_TABLE}`;
export const DROP_RECORD = `drop table ${MOVE_TABLE}`;

export const NOT_EMPTY = 'already contains data. Choose an empty database.';
