/** A database at one moment, read-only: nothing is migrated, and concurrent writes are not seen. It covers all workspaces;
 *  operations use the storage API instead. */
export interface Snapshot {
  /** The number of migrations that have run. */
  readonly schema: number;
  /** Checks that only this engine needs. */
  readonly checks: readonly Check[];
  /** The strings of a JSON array, as a table `each` with the column `value`. */
  eachText(json: string): string;
  all<R>(sql: string): Promise<R[]>;
  close(): Promise<void>;
}

/** What a check has found: the number of problems, and a description of the first ones. */
export interface Findings {
  readonly count: number;
  readonly examples: readonly string[];
}

/** An invariant of every database that only Roster has written to. */
export interface Check {
  readonly name: string;
  /** The migration from which on it holds. */
  readonly since: number;
  find(snapshot: Snapshot): Promise<Findings>;
}

const SHOWN = 3;

/** Counts problems and stores the first ones. */
export class Found implements Findings {
  count = 0;
  readonly examples: string[] = [];

  add(what: string): void {
    if (this.count++ < SHOWN) this.examples.push(what);
  }
}

/** A check by a statement that selects a row with `what` for each problem. It is materialized: flattened into another
 *  select, SQLite 3.53 returns wrong rows for a union with a full join. */
export const selecting = (name: string, since: number, statement: (snapshot: Snapshot) => string): Check => ({
  name,
  since,
  find: async (snapshot) => {
    const rows = await snapshot.all<{ what: string; count: number }>(
      `with found as materialized (${statement(snapshot)})
        select what, count(*) over () as count from found limit ${SHOWN}`,
    );
    return { count: Number(rows[0]?.count ?? 0), examples: rows.map(({ what }) => what) };
  },
});

const BATCH = 2_000;

/** All rows of a select over a table with the alias `c`, in list order, in batches. */
export async function* walk<R extends { workspace_id: number; seq: number }>(
  snapshot: Snapshot,
  rows: string,
): AsyncGenerator<R[]> {
  for (let last = { workspace_id: 0, seq: 0 }; ; ) {
    const batch = await snapshot.all<R>(
      `${rows} where (c.workspace_id, c.seq) > (${last.workspace_id}, ${last.seq})
        order by c.workspace_id, c.seq limit ${BATCH}`,
    );
    yield batch;
    if (batch.length < BATCH) return;
    last = batch[batch.length - 1] as R;
  }
}
