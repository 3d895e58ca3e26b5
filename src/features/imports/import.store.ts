import { type Kysely, sql } from 'kysely';
import { statementsOver } from '../../db/statement.ts';
import type { Effect, ImportState, Verdict } from './import.schema.ts';

export type ImportRecord = {
  workspace_id: number;
  id: string;
  name: string;
  state: ImportState;
  /** JSON of ImportOptions. */
  options: string;
  /** JSON of the columns with their fields. Their samples are not stored: they are read from the rows. */
  columns: string;
  /** JSON of FileFormat; null for imports from before it was stored. */
  file: string | null;
  /** JSON: how many rows have each verdict and each effect. */
  totals: string;
  progress: number;
  created_by: string;
  created_at: string;
  updated_at: string;
  applied_at: string | null;
  /** The entry of what was started last, whose counts grow with each step. */
  entry: number | null;
};

export type RowRecord = {
  workspace_id: number;
  import_id: string;
  number: number;
  line: number;
  /** JSON of the cells as the file has them; null once the person was deleted. */
  cells: string | null;
  /** How the contact is found; duplicates in the file have the same. */
  identity: string | null;
  verdict: Verdict;
  field: string | null;
  reason: string | null;
  /** JSON: what was left out of the row and why; null where nothing was. */
  warnings: string | null;
  effect: Effect | null;
  contact_id: string | null;
  /** JSON of the facts before the import, for an undo. */
  former: string | null;
  /** The contact's `updated_at` as the import left it. */
  written_at: string | null;
};

type Tables = { imports: ImportRecord & { seq: number }; import_rows: RowRecord };

const statement = statementsOver<Tables>();

/** A row before it is applied. */
export type Planned = Omit<RowRecord, 'effect' | 'former' | 'written_at'>;

type Key = { workspace: number; id: string };

const COLUMNS = [
  'workspace_id',
  'id',
  'name',
  'state',
  'options',
  'columns',
  'file',
  'totals',
  'progress',
  'created_by',
  'created_at',
  'updated_at',
  'applied_at',
  'entry',
] as const;

export const insertImport = statement((query, row: ImportRecord, can) =>
  query.insertInto('imports').values({
    workspace_id: row.workspace_id,
    id: row.id,
    seq: can.nextSeq('imports', row.workspace_id),
    name: row.name,
    state: row.state,
    options: row.options,
    columns: row.columns,
    file: row.file,
    totals: row.totals,
    progress: row.progress,
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
    applied_at: row.applied_at,
    entry: row.entry,
  }),
);

/** How far it is. */
export const updateImport = statement((query, row: ImportRecord) =>
  query
    .updateTable('imports')
    .set({
      state: row.state,
      totals: row.totals,
      progress: row.progress,
      updated_at: row.updated_at,
      applied_at: row.applied_at,
      entry: row.entry,
    })
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id),
);

/** How the file is read. */
export const setReading = statement((query, row: Key & Pick<ImportRecord, 'options' | 'columns'>) =>
  query
    .updateTable('imports')
    .set({ options: row.options, columns: row.columns })
    .where('workspace_id', '=', row.workspace)
    .where('id', '=', row.id),
);

/** How the file was read. */
export const setFile = statement((query, row: Key & { file: string }) =>
  query
    .updateTable('imports')
    .set({ file: row.file })
    .where('workspace_id', '=', row.workspace)
    .where('id', '=', row.id),
);

/** The record for a change, also one that is being deleted. */
export const selectImportForUpdate = statement((query, { workspace, id }: Key, can) =>
  query
    .selectFrom('imports')
    .select(COLUMNS)
    .where('workspace_id', '=', workspace)
    .where('id', '=', id)
    .modifyEnd(can.lockRow()),
);

/** With the email of who sent it; null for the command line, and once the person is removed. */
export type ShownImport = ImportRecord & { created_by_email: string | null };

const shown = sql`select ${sql.join(COLUMNS.map((column) => sql.ref(`i.${column}`)))}, u.email as created_by_email
  from imports as i left join users as u on u.id = i.created_by and u.workspace_id = i.workspace_id`;

export const findImport = statement(
  (_, { workspace, id }: Key) =>
    sql<ShownImport>`${shown} where i.workspace_id = ${workspace} and i.id = ${id} and i.state <> 'deleting'`,
);

/** How far an import is, without what was read. */
export const findProgress = statement((query, { workspace, id }: Key) =>
  query
    .selectFrom('imports')
    .select(['state', 'progress', 'totals'])
    .where('workspace_id', '=', workspace)
    .where('id', '=', id)
    .where('state', '<>', sql.lit('deleting')),
);

export const listImportRows = statement(
  (_, { workspace, limit, offset }: { workspace: number; limit: number; offset: number }) => sql<ShownImport>`
    ${shown} where i.workspace_id = ${workspace} and i.state <> 'deleting'
    order by i.seq desc limit ${limit} offset ${offset}`,
);

export const countImports = statement(
  (_, { workspace }: { workspace: number }) =>
    sql<{
      count: number;
    }>`select count(*) as count from imports where workspace_id = ${workspace} and state <> 'deleting'`,
);

export const insertRow = statement((query, row: Planned) =>
  query.insertInto('import_rows').values({
    workspace_id: row.workspace_id,
    import_id: row.import_id,
    number: row.number,
    line: row.line,
    cells: row.cells,
    identity: row.identity,
    verdict: row.verdict,
    field: row.field,
    reason: row.reason,
    warnings: row.warnings,
    contact_id: row.contact_id,
  }),
);

/** Gives a row that is there another verdict. */
export const judgeRow = statement((query, row: Planned) =>
  query
    .updateTable('import_rows')
    .set({
      identity: row.identity,
      verdict: row.verdict,
      field: row.field,
      reason: row.reason,
      warnings: row.warnings,
      contact_id: row.contact_id,
    })
    .where('workspace_id', '=', row.workspace_id)
    .where('import_id', '=', row.import_id)
    .where('number', '=', row.number),
);

type Settled = Pick<RowRecord, 'effect' | 'contact_id' | 'former' | 'written_at'>;

const settling = (query: Kysely<Tables>, row: Key & { number: number } & Settled) =>
  query
    .updateTable('import_rows')
    .set({ effect: row.effect, contact_id: row.contact_id, former: row.former, written_at: row.written_at })
    .where('workspace_id', '=', row.workspace)
    .where('import_id', '=', row.id)
    .where('number', '=', row.number);

/** Records what became of a row. */
export const settleRow = statement(settling);

/** The same, unless the contact was deleted meanwhile and its row emptied. */
export const settleRead = statement((query, row: Parameters<typeof settling>[1]) =>
  settling(query, row).where('cells', 'is not', sql.lit(null)),
);

type Earlier = Key & { before: number; keys: string };

/** The lines before a row on which some values of a column stand in the file; `keys` is a JSON array. The import's id is
 *  compared in a way that no index serves: the one that begins with it would be walked through from the first row. */
const findEarlier = (column: 'identity' | 'contact_id') =>
  statement(
    (_, { workspace, id, before, keys }: Earlier, can) => sql<{ key: string; line: number | null }>`
      select value as key, (
        select line from import_rows where workspace_id = ${workspace} and ${sql.ref(column)} = value
        and import_id || '' = ${id} and number < ${before} and verdict <> 'invalid' order by number limit 1
      ) as line from ${can.eachText(keys)}`,
  );

export const findIdentities = findEarlier('identity');
export const findContacts = findEarlier('contact_id');

/** Rows that another transaction is changing are left for the next step. */
export const deleteRows = statement(
  (_, { workspace, id, until, limit }: Key & { until: number; limit: number }, can) => sql<never>`
    with chosen as materialized (
      select number from import_rows where workspace_id = ${workspace} and import_id = ${id} and number <= ${until}
      limit ${limit}
      ${can.lockUnlockedRows()}
    )
    delete from import_rows where workspace_id = ${workspace} and import_id = ${id} and number in (select number from chosen)`,
);

export const findAnyRow = statement(
  (_, { workspace, id }: Key) => sql<{ number: number }>`
    select number from import_rows where workspace_id = ${workspace} and import_id = ${id} limit 1`,
);

export const deleteImport = statement((query, { workspace, id }: Key) =>
  query.deleteFrom('imports').where('workspace_id', '=', workspace).where('id', '=', id),
);

type Step = Key & { after: number; until: number };

const nextRows = <C extends keyof RowRecord>(columns: readonly C[], condition: ReturnType<typeof sql>) =>
  statement(
    (_, { workspace, id, after, until }: Step) => sql<Pick<RowRecord, C>>`
      select ${sql.join(columns.map((column) => sql.ref(column)))} from import_rows
      where workspace_id = ${workspace} and import_id = ${id} and number > ${after} and number <= ${until}
      ${condition} order by number`,
  );

const SHOWN = [
  'number',
  'line',
  'cells',
  'verdict',
  'field',
  'reason',
  'warnings',
  'effect',
  'contact_id',
] as const;
export type ShownRow = Pick<RowRecord, (typeof SHOWN)[number]>;

/** The rows after one, as many of the next `limit` as `bytes` hold, and one at least. */
export const nextForReport = statement(
  (
    _,
    { workspace, id, after, limit, bytes }: Key & { after: number; limit: number; bytes: number },
  ) => sql<ShownRow>`
    select ${sql.join(SHOWN.map((column) => sql.ref(column)))} from (
      select ${sql.join(SHOWN.map((column) => sql.ref(column)))},
        sum(octet_length(coalesce(cells, ''))) over (order by number) - octet_length(coalesce(cells, '')) as before
      from (
        select * from import_rows where workspace_id = ${workspace} and import_id = ${id} and number > ${after}
        order by number limit ${limit}
      ) as following
    ) as sized where before < ${bytes} order by number`,
);

/** The last row of a step: of the next `limit` rows after one, as many as `bytes` hold, and one at least. The cells
 *  themselves are not read. */
export const endOfStep = statement(
  (_, { workspace, id, after, limit, bytes }: Key & { after: number; limit: number; bytes: number }) => sql<{
    until: number | null;
  }>`
    select max(number) as until from (
      select number, sum(size) over (order by number) - size as before from (
        select number, coalesce(octet_length(cells), 0) + coalesce(octet_length(former), 0) as size
        from import_rows where workspace_id = ${workspace} and import_id = ${id} and number > ${after}
        order by number limit ${limit}
      ) as following
    ) as sized where before < ${bytes}`,
);

export const nextCells = nextRows(['number', 'line', 'cells'], sql``);
export const nextToApply = nextRows(
  ['number', 'cells', 'identity'],
  sql`and verdict in ('create', 'update', 'unchanged')`,
);
export const nextToUndo = nextRows(
  ['number', 'effect', 'contact_id', 'former', 'written_at'],
  sql`and effect in ('created', 'updated')`,
);

/** Rows for samples: those whose cells take no time to parse. */
export const shortCells = nextRows(['cells'], sql`and octet_length(cells) <= 8192`);

/** The rows of a step whose contact was deleted. */
export const emptyRows = nextRows(['number'], sql`and cells is null`);

type Filter = Key & { verdict: string; effect: string; limit: number; offset: number };

const filters = {
  all: () => sql``,
  verdict: ({ verdict }: Filter) => sql`and verdict = ${verdict}`,
  effect: ({ effect }: Filter) => sql`and effect = ${effect}`,
  warnings: () => sql`and warnings is not null`,
};

/** A page is limited in size: of the JSON of a row's cells it has only the beginning. */
const beginning = sql`substr(cells, 1, 16384) as cells`;

const listing = (filter: keyof typeof filters) =>
  statement(
    (_, args: Filter) => sql<ShownRow>`
      select ${sql.join(SHOWN.map((column) => (column === 'cells' ? beginning : sql.ref(column))))} from import_rows
      where workspace_id = ${args.workspace} and import_id = ${args.id} ${filters[filter](args)}
      order by number limit ${args.limit} offset ${args.offset}`,
  );

export const listings = {
  all: listing('all'),
  verdict: listing('verdict'),
  effect: listing('effect'),
  warnings: listing('warnings'),
};

/** Says of rows that left a contact as it was at one time that they left it as it is now. */
export const moveWritten = statement(
  (query, args: { workspace: number; contact: string; since: string; now: string }) =>
    query
      .updateTable('import_rows')
      .set({ written_at: args.now })
      .where('workspace_id', '=', args.workspace)
      .where('contact_id', '=', args.contact)
      .where('written_at', '=', args.since),
);

type OfContact = { workspace: number; contact: string };

/** The rows of a person, and which number they have. */
export const rowsOfContact = statement((query, { workspace, contact }: OfContact) =>
  query
    .selectFrom('import_rows')
    .select(['import_id', 'identity'])
    .where('workspace_id', '=', workspace)
    .where('contact_id', '=', contact),
);

/** The imports that have a number in their file. */
export const importsOfNumber = statement(
  (_, { workspace, identity }: { workspace: number; identity: string }) => sql<{ import_id: string }>`
    select distinct import_id from import_rows where workspace_id = ${workspace} and identity = ${identity}`,
);

/** Empties the rows of an import that have a number: the row itself, and its duplicates. */
export const forgetNumber = statement(
  (_, { workspace, id, identity }: Key & { identity: string }, can) => sql<never>`
    with chosen as materialized (
      select number from import_rows
      where workspace_id = ${workspace} and import_id = ${id} and identity = ${identity}
      order by number ${can.lockRow()}
    )
    update import_rows set cells = null, identity = null, former = null, contact_id = null
    where workspace_id = ${workspace} and import_id = ${id} and number in (select number from chosen)`,
);
