import { type Database, DatabaseSetupError, MOVE_TABLE } from '../db/database.ts';
import { SCHEMA_VERSION } from '../db/migrations/index.ts';
import { explainSetupErrors } from '../db/open/setup-errors.ts';
import { openSnapshot } from '../db/open/snapshot.ts';
import {
  CREATE_RECORD,
  type MoveReader,
  type MoveTarget,
  readRecord,
  readRows,
  recording,
} from './database.ts';
import { explainReads } from './interruption.ts';
import { openPostgresSource } from './postgres-reader.ts';
import { openPostgresTarget } from './postgres-target.ts';
import { openSqliteSource } from './sqlite-reader.ts';
import { openSqliteTarget } from './sqlite-target.ts';
import { digestOf, type MovedTable, movedRows, type Row, selectMoved } from './tables.ts';

/** Columns that grow with new and changed rows. */
const GROWING = /^(?:seq|version|at)$|_at$/;

/** The number of rows, and the greatest values of columns that grow: together they change with nearly every write. */
const readMarker = async (reader: MoveReader, table: MovedTable): Promise<Row> => {
  const growing = table.columns.filter(({ name }) => GROWING.test(name));
  const values = ['count(*)', ...growing.map(({ name }) => `max(${name})`)];
  const [marker = []] = await readRows(reader, `select ${values.join(', ')} from ${movedRows(table)}`);
  return marker;
};

const IDENTIFYING = new Set(['workspaces', 'seal_checks']);

/** Describes the source for the record in the target. Its workspaces and its key check identify it; the marker differs after
 *  nearly every write, and the comparison finds the others. */
const describe = async (reader: MoveReader) => {
  const all = await reader.tables();
  const counts = new Map<string, number>();
  const markers: Row[] = [];
  const digests: string[] = [];
  for (const table of all) {
    const marker = await readMarker(reader, table);
    markers.push(marker);
    counts.set(table.name, Number(marker[0]));
    if (IDENTIFYING.has(table.name)) digests.push((await digestOf(reader.select(selectMoved(table)))).digest);
  }
  const total = counts.values().reduce((sum, count) => sum + count, 0);
  return { ...reader, all, counts, total, identity: digests.join(' '), marker: JSON.stringify(markers) };
};

export type MoveSource = Awaited<ReturnType<typeof describe>>;

/** Opens the source, which no other process can change before it is closed. */
export const openSource = async (database: Database): Promise<MoveSource> => {
  const snapshot = await openSnapshot(database);
  await snapshot.close();
  if (snapshot.schema < SCHEMA_VERSION)
    throw new DatabaseSetupError(
      `The database has schema version ${snapshot.schema}; this version of Roster moves version ${SCHEMA_VERSION}. Start and stop the service once to migrate it.`,
    );
  const reader = await explainSetupErrors(database, async () =>
    database.engine === 'sqlite' ? openSqliteSource(database.path) : openPostgresSource(database),
  );
  try {
    return await describe(explainReads(database, reader));
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
  const { identity, marker } = JSON.parse(recorded ?? '{}');
  if (identity !== source.identity)
    return 'belongs to an unfinished move from another database. Finish that move, or add --restart to discard it.';
  if (marker !== source.marker)
    return 'belongs to an unfinished move, and the source has changed since it began. Add --restart to copy everything again.';
  return undefined;
};

/** Why a database cannot be the target of a new move. */
const problemOf = async (target: MoveTarget): Promise<string | undefined> => {
  const isOurs = await target.has('migrations');
  for (const { name } of await target.tables()) {
    if (!isOurs) return `has a table ${name} that Roster did not create. Choose an empty database.`;
    const rows = await readRows(target, `select 1 from ${name} limit 1`);
    if (rows.length > 0) return 'already contains data. Choose an empty database.';
  }
  return undefined;
};

/** Continues an unfinished move from this source, or begins one. */
const beginOrContinue = async (target: MoveTarget, source: MoveSource): Promise<void> => {
  const recorded = await readRecord(target);
  const problem = recorded ? mismatch(recorded.get(SOURCE), source) : await problemOf(target);
  if (problem) throw new DatabaseSetupError(`The target ${problem}`);
  if (recorded) return target.migrate();
  const { identity, marker } = source;
  await target.run(CREATE_RECORD, recording(target, SOURCE, JSON.stringify({ identity, marker })));
  await target.migrate();
};

/** Opens the target of a move from `source`. `restart` discards what an unfinished move has copied. */
export const openTarget = async (database: Database, source: MoveSource, { restart = false } = {}) => {
  const target = await connect(database);
  try {
    if (restart && (await readRecord(target))) await target.discard();
    await explainSetupErrors(database, () => beginOrContinue(target, source));
    if (JSON.stringify(await target.tables()) !== JSON.stringify(source.all))
      throw new Error('the tables of the source and the target differ');
    return target;
  } catch (error) {
    await target.close();
    throw error;
  }
};

/** Removes the record of a complete move, so that the service can start. */
export const releaseTarget = async (database: Database): Promise<void> => {
  const target = await connect(database);
  try {
    await target.run(`drop table ${MOVE_TABLE}`);
  } finally {
    await target.close();
  }
};
