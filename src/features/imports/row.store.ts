import { type RawBuilder, sql } from 'kysely';
import type { SqlDialect } from '../../db/dialect.ts';
import { columnsOf, type Key, namesOf, number, rowsOf, text, textOrNull, typed } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';
import { movedRows } from '../../records/moved-rows.ts';
import type { Effect, Reason, Verdict } from './import.schema.ts';

const verdict = {
  /** The key of the phone number (see numberKey); duplicates in the file have the same. */
  identity: textOrNull,
  verdict: typed<Verdict>(),
  field: textOrNull,
  reason: textOrNull,
  /** The kind of the reason or of the first warning. */
  code: typed<Reason | null>(),
  /** JSON: which cells are not imported, and why; null if all are. */
  warnings: textOrNull,
  contact_id: textOrNull,
  /** JSON of MergedValues; null if no later row adds any. */
  merged: textOrNull,
  /** The id in the CRM of the import; null if it is not imported. */
  crm_id: textOrNull,
};
const planned = {
  workspace_id: number,
  import_id: text,
  number,
  line: number,
  /** JSON of the cells as in the file; null after the contact was deleted. */
  cells: textOrNull,
  ...verdict,
};
const outcome = {
  effect: typed<Effect | null>(),
  contact_id: textOrNull,
  /** JSON of PreviousFacts, for an undo. */
  former: textOrNull,
  /** The contact's `updated_at` as the import left it. */
  written_at: textOrNull,
};
/** A row before it is applied. */
export type Planned = typeof planned;
export type RowRecord = Planned & typeof outcome;
/** A row that was applied, with what it is read from. */
export type Applied = Pick<RowRecord, (typeof READ_COLUMNS)[number] | keyof typeof outcome>;
/** What applying a row has done. */
export type Outcome = typeof outcome & { number: number; effect: Effect };

const rows = rowsOf<RowRecord>({ table: 'import_rows' });

/** An undo of an import finds one row of each contact. */
export const importRows = movedRows({
  table: 'import_rows',
  key: ['import_id', 'number'],
  integers: ['number'],
  scope: 'import_id',
});

export const insertRow = rows.insert(namesOf(planned));

/** Does not bring back the number of a contact that was deleted in the meantime, which erased the row. */
export const updateVerdict = statement((row: Planned) => {
  const values = sql.join(namesOf(verdict).map((column) => sql`${sql.ref(column)} = ${row[column]}`));
  return sql<never>`update import_rows set ${values} where workspace_id = ${row.workspace_id}
    and import_id = ${row.import_id} and number = ${row.number}
    and (cells is not null or cast(${row.identity} as text) is null)`;
});

const by = { id: 'import_id', number: 'number' } as const;

export const recordOutcome = rows.set(namesOf(outcome), { by });
/** Changes nothing if the contact was deleted in the meantime, which erased the row. */
export const recordOutcomeUnlessErased = rows.set(namesOf(outcome), { by, where: sql`cells is not null` });

type EarlierRows = Key & { before: number; keys: string };

/** For each value of the JSON array `keys`, the earlier row with that value in a column that is to be imported. `import_id || ''` keeps
 *  SQLite from the index that begins with it, which would be scanned from the first row. */
const findImported = (column: 'identity' | 'contact_id' | 'crm_id') =>
  statement(
    ({ workspace, id, before, keys }: EarlierRows, dialect) => sql<Planned & { key: string }>`
      with found as materialized (select value as key, (
        select number from import_rows where workspace_id = ${workspace} and ${sql.ref(column)} = value
        and import_id || '' = ${id} and number < ${before} and verdict in ('create', 'update', 'unchanged')
        order by number limit 1
      ) as first from ${dialect.eachText(keys)})
      select key, ${columnsOf(namesOf(planned))} from found
      join import_rows on workspace_id = ${workspace} and import_id = ${id} and number = first`,
  );

export const importedByIdentity = findImported('identity');
export const importedByContact = findImported('contact_id');
export const importedByCrmId = findImported('crm_id');

/** Deletes the rows up to a number: at most `limit`. */
const deleteUntil = (lock: (dialect: SqlDialect) => RawBuilder<unknown>) =>
  statement(
    ({ workspace, id, until, limit }: Key & { until: number; limit: number }, dialect) => sql<never>`
      with chosen as materialized (
        select number from import_rows where workspace_id = ${workspace} and import_id = ${id} and number <= ${until}
        order by number limit ${limit} ${lock(dialect)}
      )
      delete from import_rows where workspace_id = ${workspace} and import_id = ${id} and number in (select number from chosen)`,
  );

/** Skips rows that another transaction has locked; the next step deletes them. */
export const deleteRows = deleteUntil((dialect) => dialect.lockUnlockedRows());
/** Deletes the first rows, which were titles and the header. */
export const deleteFirstRows = deleteUntil((dialect) => dialect.lockRow());

type Step = Key & { after: number; until: number };

const nextRows = <C extends keyof RowRecord>(columns: readonly C[], condition: ReturnType<typeof sql>) =>
  statement(
    ({ workspace, id, after, until }: Step) => sql<Pick<RowRecord, C>>`
      select ${columnsOf(columns)} from import_rows
      where workspace_id = ${workspace} and import_id = ${id} and number > ${after} and number <= ${until}
      ${condition} order by number`,
  );

const LISTED_COLUMNS = [
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
export type ListedRow = Pick<RowRecord, (typeof LISTED_COLUMNS)[number]>;

/** With what the changes of a row are computed from. */
const DETAILED_COLUMNS = [...LISTED_COLUMNS, 'identity', 'merged', 'crm_id', 'former'] as const;
export type DetailedRow = Pick<RowRecord, (typeof DETAILED_COLUMNS)[number]>;

type Filter = Key & { value: string };

const filters = {
  all: () => sql``,
  verdict: ({ value }: Filter) => sql`and verdict = ${value}`,
  effect: ({ value }: Filter) => sql`and effect = ${value}`,
  reason: ({ value }: Filter) => sql`and code = ${value}`,
  warnings: () => sql`and warnings is not null`,
};
type FilterName = keyof typeof filters;

const forEachFilter = <T>(make: (filter: (args: Filter) => RawBuilder<unknown>) => T) =>
  Object.fromEntries(Object.entries(filters).map(([name, filter]) => [name, make(filter)])) as Record<
    FilterName,
    T
  >;

/** The rows of a filter that follow a row: at most `limit`, and as many as fit into `bytes`, but at least one. */
export const nextReportRows = forEachFilter((filter) =>
  statement(
    (args: Filter & { after: number; limit: number; bytes: number }) => sql<ListedRow>`
      select ${columnsOf(LISTED_COLUMNS)} from (
        select ${columnsOf(LISTED_COLUMNS)},
          sum(octet_length(coalesce(cells, ''))) over (order by number) - octet_length(coalesce(cells, '')) as before
        from (
          select * from import_rows where workspace_id = ${args.workspace} and import_id = ${args.id}
          and number > ${args.after} ${filter(args)} order by number limit ${args.limit}
        ) as following
      ) as sized where before < ${args.bytes} order by number`,
  ),
);

/** The last row of a step: at most `limit` rows, and as many as fit into `bytes`, but at least one. Reads only the length of
 *  the cells. */
export const lastRowOfStep = statement(
  ({ workspace, id, after, limit, bytes }: Key & { after: number; limit: number; bytes: number }) => sql<{
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

/** What a row that was planned as valid is read from. */
const READ_COLUMNS = ['number', 'cells', 'identity', 'merged', 'crm_id'] as const;

export const nextCells = nextRows(['number', 'line', 'cells'], sql``);
export const nextToApply = nextRows(READ_COLUMNS, sql`and verdict in ('create', 'update', 'unchanged')`);
export const nextToUndo = nextRows(
  [...READ_COLUMNS, ...namesOf(outcome)],
  sql`and (effect in ('created', 'updated') or former is not null)`,
);

/** Rows for samples: only those whose cells are quick to parse. */
export const shortCells = nextRows(['number', 'line', 'cells'], sql`and octet_length(cells) <= 8192`);

/** The rows of a step whose contact was deleted. */
export const erasedRows = nextRows(['number'], sql`and cells is null`);

/** Limits the size of a page. */
const truncatedCells = sql`substr(cells, 1, 16384) as cells`;

/** One page in the order of the file. */
export const listings = forEachFilter((filter) =>
  statement(
    (args: Filter & { limit: number; offset: number }) => sql<DetailedRow>`
      select ${sql.join(DETAILED_COLUMNS.map((column) => (column === 'cells' ? truncatedCells : sql.ref(column))))} from import_rows
      where workspace_id = ${args.workspace} and import_id = ${args.id} ${filter(args)}
      order by number limit ${args.limit} offset ${args.offset}`,
  ),
);

export const numbersOfContacts = rows.findMany(['import_id', 'identity'], 'contact_id');
export const importsOfNumbers = rows.findMany(['import_id', 'identity'], 'identity');

/** Erases the contact data of all rows with a number: the row itself and its duplicates. `import_id || ''` as in `findImported`. */
export const eraseNumber = statement(
  ({ workspace, id, identity }: Key & { identity: string }, dialect) => sql<never>`
    with chosen as materialized (
      select number from import_rows
      where workspace_id = ${workspace} and import_id || '' = ${id} and identity = ${identity}
      order by number ${dialect.lockRow()}
    )
    update import_rows set cells = null, identity = null, former = null, contact_id = null, merged = null, crm_id = null
    where workspace_id = ${workspace} and import_id = ${id} and number in (select number from chosen)`,
);
