/** A read-only snapshot of a database, across all workspaces. It does not migrate the database. */
export interface Snapshot {
  /** The schema version. */
  readonly schema: number;
  /** Checks that only this engine needs. */
  readonly checks: readonly Check[];
  /** The strings of a JSON array, as a table `each` with the column `value`. */
  eachText(json: string): string;
  /** The names of the members of a JSON object, as a table `each` with the column `key`. */
  eachKey(json: string): string;
  all<R>(sql: string): Promise<R[]>;
  /** Begins a later snapshot, only on a database whose snapshot is not one moment: each node of a cluster has its own. */
  renew?(): Promise<void>;
  close(): Promise<void>;
}

export interface Findings {
  readonly count: number;
  /** Descriptions of the first problems. */
  readonly examples: readonly string[];
}

/** An invariant of a database. */
export interface Check {
  readonly name: string;
  /** The schema version that introduced it, if it is not the one of 0.1.0. */
  readonly since?: number | undefined;
  find(snapshot: Snapshot): Promise<Findings>;
}

const MAX_EXAMPLES = 3;

export class FindingCollector implements Findings {
  count = 0;
  readonly examples: string[] = [];

  add(what: string): void {
    if (this.count++ < MAX_EXAMPLES) this.examples.push(what);
  }
}

/** A check whose statement selects one row with the column `what` for each problem. The statement is materialized, because
 *  SQLite 3.53 returns wrong rows when it flattens a union with a full join. */
export const sqlCheck = (name: string, statement: (snapshot: Snapshot) => string, since?: number): Check => ({
  name,
  since,
  find: async (snapshot) => {
    const rows = await snapshot.all<{ what: string; count: number }>(
      `with found as materialized (${statement(snapshot)})
        select what, count(*) over () as count from found limit ${MAX_EXAMPLES}`,
    );
    return { count: Number(rows[0]?.count ?? 0), examples: rows.map(({ what }) => what) };
  },
});

/** All rows of a select over a table with the alias `c`, in the order of their workspaces and keys, in batches. */
export async function* readInBatches<R extends { workspace_id: number }>(
  snapshot: Snapshot,
  rows: string,
  { key = 'seq', size = 2_000 }: { key?: string; size?: number } = {},
): AsyncGenerator<R[]> {
  for (let after = ''; ; ) {
    const batch = await snapshot.all<R & Record<string, unknown>>(
      `${rows} ${after} order by c.workspace_id, c.${key} limit ${size}`,
    );
    yield batch;
    const last = batch[size - 1];
    if (!last) return;
    const value = typeof last[key] === 'number' ? last[key] : `'${last[key]}'`;
    after = `where (c.workspace_id, c.${key}) > (${last.workspace_id}, ${value})`;
  }
}
