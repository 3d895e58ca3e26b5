import { type Client, type Pool, Query } from 'pg';
import { DatabaseSetupError, type PostgresDatabase } from '../db/database.ts';
import { isDistributed, ROSTER_TABLES } from '../db/postgres/citus/distribute.ts';
import { withClient } from '../db/postgres/connection.ts';
import { migratePostgres } from '../db/postgres/migrate.ts';
import { openPool } from '../db/postgres/pool.ts';
import { Servers } from '../db/postgres/servers.ts';
import { MOVE_TABLE } from '../db/unfinished-move.ts';
import {
  CREATE_RECORD,
  DROP_RECORD,
  type MoveTarget,
  NOT_EMPTY,
  READ_RECORD,
  type Step,
} from './database.ts';
import { connectUnused, postgresReader, SEQUENCES, UNLIMITED } from './postgres-reader.ts';
import { rowText } from './row-text.ts';
import { columnNames, keyOf, type MovedTable, type Row } from './tables.ts';

interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** Sends `data` as the input of a COPY statement. */
const copyFrom = (client: Client, text: string, data: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    const done = (error: Error | null) => (error ? reject(error) : resolve());
    const query = new Query({ text } as never, undefined, done as never);
    Object.assign(query, {
      handleCopyInResponse: (connection: CopyConnection) => {
        connection.sendCopyFromChunk(data);
        connection.endCopyFrom();
      },
    });
    client.query(query);
  });

const withPool = async ({ url }: PostgresDatabase, work: (pool: Pool) => Promise<unknown>): Promise<void> => {
  const pool = await openPool({ servers: new Servers(url), onFault: () => {} });
  try {
    await work(pool);
  } finally {
    await pool.end();
  }
};

const migrate = (database: PostgresDatabase): Promise<void> =>
  withPool(database, (pool) => migratePostgres(pool, { forMove: true }));

/** A lost batch loses its record, too, so commits need not wait for the disk, except the last ones. */
const BEGIN = `begin isolation level read committed; ${UNLIMITED}`;
const BEGIN_BATCH = `${BEGIN}; set local synchronous_commit = off`;

const inTransaction = async (client: Client, begin: string, work: () => Promise<void>): Promise<void> => {
  await client.query(begin);
  try {
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
};

const recordStep = async (client: Client, { name, before, after }: Step): Promise<void> => {
  const { rowCount } =
    before === undefined
      ? await client.query(`insert into ${MOVE_TABLE} (name, value) values ($1, $2)`, [name, after])
      : await client.query(`update ${MOVE_TABLE} set value = $2 where name = $1 and value = $3`, [
          name,
          after,
          before,
        ]);
  if (rowCount !== 1) throw new Error('another process writes to the target of the move');
};

/** The rows as input of COPY. PostgreSQL cannot store U+0000, which the API rejects. */
const copyData = (table: MovedTable, rows: readonly Row[]): Buffer => {
  const text = rows.map(rowText).join('');
  if (!text.includes('\0')) return Buffer.from(text);
  const row = rows.find((values) => values.some((value) => value?.includes('\0'))) ?? [];
  throw new DatabaseSetupError(
    `A row of ${table.name} contains the character U+0000, which PostgreSQL cannot store: ${keyOf(table, row).join(', ')}. Remove the character, and add --restart.`,
  );
};

/** Continues the ids after those of the source, and after the greatest in the table. Provisional ids are negative. */
const continueIds = async (client: Client, lastIds: ReadonlyMap<string, string>): Promise<void> => {
  const { rows } = await client.query<[string, string, string] & unknown[]>({
    text: SEQUENCES,
    rowMode: 'array',
  } as never);
  for (const [table, sequence, column] of rows as [string, string, string][]) {
    if (!ROSTER_TABLES.has(table)) continue;
    const last = BigInt(lastIds.get(table) ?? 0);
    const next = `select greatest(${last}, (select coalesce(greatest(max(${column}), -min(${column})), 0) from ${table}))::bigint as last`;
    await client.query(`select setval('${sequence}', last) from (${next}) as ids where last > 0`);
  }
};

export const openPostgresTarget = async (database: PostgresDatabase): Promise<MoveTarget> => {
  const client = await connectUnused(database);
  const reader = postgresReader(client);
  const has = async (table: string): Promise<boolean> => {
    const { rows } = await client.query('select to_regclass($1) is not null as known', [table]);
    return rows[0].known === 't';
  };
  const existing = async (): Promise<string[]> => {
    const found: string[] = [];
    for (const table of ROSTER_TABLES) if (await has(table)) found.push(table);
    return found;
  };
  return {
    tables: reader.tables,
    close: reader.close,
    select: async function* (sql) {
      await client.query(BEGIN);
      yield* reader.select(sql);
      await client.query('commit');
    },
    recorded: async () => {
      if (!(await has(MOVE_TABLE))) return undefined;
      const { rows } = await client.query<{ name: string; value: string }>(READ_RECORD);
      return new Map(rows.map(({ name, value }) => [name, value]));
    },
    problem: async () => {
      // Throws on a worker of Citus.
      await withPool(database, (pool) => withClient(pool, isDistributed));
      const tables = await existing();
      if (tables.length > 0 && !(await has('migrations')))
        return `has a table ${tables[0]} that Roster did not create. Choose an empty database.`;
      for (const table of tables) {
        const { rows } = await client.query(`select 1 from ${table} limit 1`);
        if (rows.length > 0) return NOT_EMPTY;
      }
      return undefined;
    },
    begin: async (source) => {
      await inTransaction(client, BEGIN, async () => {
        await client.query(CREATE_RECORD);
        await recordStep(client, source);
      });
      await migrate(database);
    },
    migrate: () => migrate(database),
    discard: async () => {
      const tables = await existing();
      await inTransaction(client, BEGIN, async () => {
        if (tables.length > 0) await client.query(`drop table ${tables.join(', ')}`);
        await client.query('drop table if exists migrations');
        await client.query(DROP_RECORD);
      });
    },
    write: (table: MovedTable, batches, step) =>
      inTransaction(client, BEGIN_BATCH, async () => {
        const copy = `copy ${table.name} (${columnNames(table)}) from stdin`;
        for await (const rows of batches) await copyFrom(client, copy, copyData(table, rows));
        await recordStep(client, step);
      }),
    complete: async (lastIds) => {
      await inTransaction(client, BEGIN, () => continueIds(client, lastIds));
      await inTransaction(client, BEGIN, async () => {
        for (const table of await existing()) await client.query(`analyze ${table}`);
      });
    },
    release: () => inTransaction(client, BEGIN, () => client.query(DROP_RECORD).then(() => {})),
  };
};
