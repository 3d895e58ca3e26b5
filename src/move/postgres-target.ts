import { type Client, Query } from 'pg';
import { DatabaseSetupError, MOVE_TABLE, type PostgresDatabase } from '../db/database.ts';
import { ROSTER_TABLES } from '../db/postgres/citus/distribute.ts';
import { migratePostgres } from '../db/postgres/migrate.ts';
import { withPool } from '../db/postgres/pool.ts';
import type { MoveTarget } from './database.ts';
import { connectUnused, postgresReader, readSequences, UNLIMITED } from './postgres-reader.ts';
import { columnNames, keyOf, type MovedTable, type Row, rowText } from './tables.ts';

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
  for (const [table, sequence, column] of await readSequences(client)) {
    const last = BigInt(lastIds.get(table ?? '') ?? 0);
    const next = `select greatest(${last}, (select coalesce(greatest(max(${column}), -min(${column})), 0) from ${table}))::bigint as last`;
    await client.query(`select setval('${sequence}', last) from (${next}) as ids where last > 0`);
  }
};

export const openPostgresTarget = async (database: PostgresDatabase): Promise<MoveTarget> => {
  const client = await connectUnused(database);
  const reader = postgresReader(client);
  const run = (...statements: string[]) =>
    inTransaction(client, BEGIN, async () => void (await client.query(statements.join(';'))));
  return {
    ...reader,
    has: async (table) => {
      const { rows } = await client.query('select to_regclass($1) is not null as known', [table]);
      return rows[0].known === 't';
    },
    run,
    select: async function* (sql) {
      await client.query(BEGIN);
      yield* reader.select(sql);
      await client.query('commit');
    },
    migrate: () => withPool(database, async (pool) => void (await migratePostgres(pool, { forMove: true }))),
    discard: () => run(`drop table if exists ${[...ROSTER_TABLES, 'migrations', MOVE_TABLE].join(', ')}`),
    write: (table: MovedTable, batches, statement) =>
      inTransaction(client, BEGIN_BATCH, async () => {
        const copy = `copy ${table.name} (${columnNames(table)}) from stdin`;
        for await (const rows of batches) await copyFrom(client, copy, copyData(table, rows));
        await client.query(statement);
      }),
    complete: async (lastIds) => {
      await inTransaction(client, BEGIN, () => continueIds(client, lastIds));
      await run(`analyze ${[...ROSTER_TABLES].join(', ')}`);
    },
  };
};
