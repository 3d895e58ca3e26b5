import { type Database, DatabaseSetupError } from '../db/database.ts';
import { migrations } from '../db/migrations/index.ts';
import { explainSetupErrors } from '../db/setup-errors.ts';
import { openSnapshot } from '../db/snapshot.ts';
import type { MoveReader, MoveTarget } from './database.ts';
import { digestOf } from './digest.ts';
import { openPostgresSource } from './postgres-reader.ts';
import { openPostgresTarget } from './postgres-target.ts';
import { openSqliteSource } from './sqlite-reader.ts';
import { openSqliteTarget } from './sqlite-target.ts';
import { type MovedTable, movedRows, selectCompared } from './tables.ts';

/** The source of a move, and what a target records about it. */
export interface MoveSource extends MoveReader {
  readonly all: readonly MovedTable[];
  /** Identifies the database by its workspaces and its key check. */
  readonly identity: string;
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
}

const countRows = async (reader: MoveReader, table: MovedTable): Promise<number> => {
  let count = 0;
  for await (const [row] of reader.select(`select count(*) from ${movedRows(table)}`))
    count = Number(row?.[0]);
  return count;
};

const IDENTIFYING = new Set(['workspaces', 'seal_checks']);

const describe = async (reader: MoveReader): Promise<MoveSource> => {
  const all = await reader.tables();
  const counts = new Map<string, number>();
  const digests: string[] = [];
  for (const table of all) {
    counts.set(table.name, await countRows(reader, table));
    if (IDENTIFYING.has(table.name))
      digests.push((await digestOf(reader.select(selectCompared(table)))).digest);
  }
  const total = counts.values().reduce((sum, count) => sum + count, 0);
  return { ...reader, all, counts, total, identity: digests.join(' ') };
};

/** Opens the source, which no other process can change before it is closed. */
export const openSource = async (database: Database): Promise<MoveSource> => {
  const snapshot = await openSnapshot(database);
  await snapshot.close();
  if (snapshot.schema < migrations.length)
    throw new DatabaseSetupError(
      `The database has schema version ${snapshot.schema}; this version of Roster moves version ${migrations.length}. Start and stop the service once to migrate it.`,
    );
  const reader = await explainSetupErrors(database, async () =>
    database.engine === 'sqlite' ? openSqliteSource(database.path) : openPostgresSource(database),
  );
  try {
    return await describe(reader);
  } catch (error) {
    await reader.close();
    throw error;
  }
};

const connect = (database: Database): Promise<MoveTarget> =>
  explainSetupErrors(database, async () =>
    database.engine === 'sqlite' ? openSqliteTarget(database.path) : openPostgresTarget(database),
  );

/** The step that records the source. */
const SOURCE = 'source';

/** Why an unfinished move into the target cannot continue. */
const mismatch = (recorded: string | undefined, source: MoveSource): string | undefined => {
  const { identity, counts } = JSON.parse(recorded ?? '{}');
  if (identity !== source.identity)
    return 'is the target of an unfinished move from another database. Finish that move, or add --restart to discard it.';
  if (JSON.stringify(counts) !== JSON.stringify([...source.counts]))
    return 'is the target of an unfinished move, and the source has changed since it began. Add --restart to copy everything again.';
  return undefined;
};

const refusal = (problem: string) => new DatabaseSetupError(`The database in --to ${problem}`);

/** Continues an unfinished move from this source, or begins one. */
const beginOrContinue = async (target: MoveTarget, source: MoveSource): Promise<void> => {
  const recorded = await target.recorded();
  const problem = recorded ? mismatch(recorded.get(SOURCE), source) : await target.problem();
  if (problem) throw refusal(problem);
  if (recorded) return target.migrate();
  const after = JSON.stringify({ identity: source.identity, counts: [...source.counts] });
  await target.begin({ name: SOURCE, before: undefined, after });
};

/** Opens the target of a move from `source`. `restart` discards what an unfinished move has copied. */
export const openTarget = async (
  database: Database,
  source: MoveSource,
  { restart = false } = {},
): Promise<MoveTarget> => {
  const target = await connect(database);
  try {
    if (restart && (await target.recorded())) await target.discard();
    await explainSetupErrors(database, () => beginOrContinue(target, source));
    if (JSON.stringify(await target.tables()) !== JSON.stringify(source.all))
      throw new Error('the tables of the source and the target differ');
    return target;
  } catch (error) {
    await target.close();
    throw error;
  }
};

/** Removes the record of a complete move. */
export const releaseTarget = async (database: Database): Promise<void> => {
  const target = await connect(database);
  try {
    await target.release();
  } finally {
    await target.close();
  }
};
