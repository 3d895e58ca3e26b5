import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import type { Db, DerivedTable, Row } from '../db.ts';
import { DeferredWrites } from '../deferred-writes.ts';
import type { SearchEngine } from '../search.ts';
import type { Arguments, InsertedRow, RowInsert, Statement, Value } from '../statement.ts';
import { sqliteCompiler } from './dialect.ts';
import { isBusy } from './errors.ts';
import { sqliteSearch } from './search/search.ts';

/** Older versions can corrupt a WAL database that several connections write to and checkpoint at the same time. */
const MIN_VERSION = [3, 51, 3];

export const assertVersion = (version: string) => {
  const parts = version.split('.').map(Number);
  const differing = MIN_VERSION.findIndex((part, at) => part !== parts[at]);
  if (differing !== -1 && (parts[differing] ?? 0) < (MIN_VERSION[differing] ?? 0)) {
    throw new Error(
      `Roster needs SQLite ${MIN_VERSION.join('.')} or newer; this version of Node has ${version}. Use Node 26.`,
    );
  }
};

/** Triggers, views and other expressions of a schema may call only functions without side effects: a file may come from elsewhere. */
export const UNTRUSTED = 'pragma trusted_schema = off';

/** How long to wait for a lock of another connection. */
export const BUSY_MS = 5_000;

const RETRY_MS = 10;

/** Two processes that open a new file change its journal mode together. SQLite does not wait for this lock by itself. */
const setWalMode = (db: DatabaseSync): void => {
  const until = performance.now() + BUSY_MS;
  for (;;) {
    try {
      db.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
};

/** A commit is on disk when it returns. Deleted data is overwritten. */
export const openFile = (path: string, { readOnly = false, cacheMb = 8 } = {}): DatabaseSync => {
  const db = new DatabaseSync(path, { readOnly, timeout: BUSY_MS, enableForeignKeyConstraints: true });
  assertVersion(String(db.prepare('select sqlite_version() as version').get()?.version));
  if (!readOnly) {
    setWalMode(db);
    // A checkpoint after 16 MB instead of 4 writes a page that changes often only once.
    db.exec('pragma wal_autocheckpoint = 4000');
  }
  db.exec(
    `${UNTRUSTED}; pragma synchronous = full; pragma secure_delete = on; pragma temp_store = memory; pragma cache_size = -${cacheMb * 1000}`,
  );
  return db;
};

interface Prepared {
  readonly statement: StatementSync;
  readonly order: readonly string[];
  readonly readsDerived: boolean;
}

/** One connection to a file. It answers synchronously, and prepares statements on first use. */
export class SqliteDb implements Db {
  readonly search: SearchEngine;
  readonly deferred = new DeferredWrites();
  readonly #db: DatabaseSync;
  readonly #prepared = new WeakMap<Statement<never, unknown>, Prepared>();

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.search = sqliteSearch(db, this);
  }

  get<A extends Arguments, R>(statement: Statement<A, R>, args: A): R | undefined {
    const prepared = this.#prepare(statement);
    return prepared.statement.get(...bind(prepared, args)) as R | undefined;
  }

  all<A extends Arguments, R>(statement: Statement<A, R>, args: A): R[] {
    const prepared = this.#prepare(statement);
    return prepared.statement.all(...bind(prepared, args)) as R[];
  }

  run<A extends Arguments>(statement: Statement<A, unknown>, args: A): number {
    const prepared = this.#prepare(statement);
    return Number(prepared.statement.run(...bind(prepared, args)).changes);
  }

  insertRows<R extends Row>({ one, allocate }: RowInsert<R>, rows: readonly R[]): InsertedRow[][] {
    return [...Map.groupBy(rows, ({ workspace_id }) => workspace_id)].map(([workspace, some]) => {
      const first = allocate ? (this.get(allocate, { workspace, items: '[0]' })?.seq ?? 1) : 0;
      // Provisional numbers are negative and decrease (see `provisionalSeq`).
      const step = first < 0 ? -1 : 1;
      const inserted: InsertedRow[] = [];
      for (const row of some) {
        const placed = { ...row, seq: first + inserted.length * step };
        if (this.run(one, placed) === 1) inserted.push(placed as unknown as InsertedRow);
      }
      return inserted;
    });
  }

  each<A extends Arguments>(statement: Statement<A, unknown>, many: readonly A[]): number[] {
    const prepared = this.#prepare(statement);
    return many.map((args) => Number(prepared.statement.run(...bind(prepared, args)).changes));
  }

  async savepoint<T>(work: () => MaybePromise<T>): Promise<T> {
    const rollBackDeferred = this.deferred.savepoint();
    this.#db.exec('savepoint nested');
    try {
      const value = await work();
      this.#db.exec('release nested');
      return value;
    } catch (error) {
      // A disk error has ended the whole transaction.
      if (this.#db.isTransaction) this.#db.exec('rollback to nested; release nested');
      rollBackDeferred();
      throw error;
    }
  }

  defer<C>(table: DerivedTable<C>, change: C): void {
    this.deferred.add(table, change);
  }

  /** Writes the first page. Nothing reads its field for applications. */
  changePage(): void {
    this.#db.exec('pragma user_version = 0');
  }

  #prepare<A extends Arguments>(statement: Statement<A, unknown>): Prepared {
    const key = statement as unknown as Statement<never, unknown>;
    let prepared = this.#prepared.get(key);
    if (!prepared) {
      const { sql, order, readsDerived } = statement.textFor(sqliteCompiler);
      prepared = { statement: this.#db.prepare(sql), order, readsDerived };
      this.#prepared.set(key, prepared);
    }
    if (prepared.readsDerived) this.deferred.flush(this);
    return prepared;
  }
}

const bind = ({ order }: Prepared, args: Arguments): Value[] => order.map((name) => args[name] as Value);
