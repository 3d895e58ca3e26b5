import { trunkPrefixStarts, withoutTrunkPrefix } from '../../lib/trunk-prefix.ts';
import type { Engine } from '../dialect.ts';
import type { MigratedRow, Migration, MigrationQuery, MigrationWork } from './migration.ts';

/** Rows are read in batches, so that memory does not grow with the table. */
const BATCH = 2_000;

/** Ends every entry of SQLite's search index. */
const MARKS = '\u001f\u001f';

/** Matches all numbers that may have a trunk prefix, and few others. */
const mayHavePrefix = (column: string): string =>
  [...Map.groupBy(trunkPrefixStarts(), ({ length }) => length)]
    .map(([length, starts]) => `substr(${column}, 1, ${length}) in (${starts.map((start) => `'${start}'`)})`)
    .join(' or ');

interface PhoneColumn {
  readonly table: string;
  readonly column: string;
  readonly key: readonly string[];
}

type Reading = Generator<MigrationQuery, MigratedRow[], MigratedRow[]>;

/** The keys of the rows whose number has a trunk prefix, and that number. */
function* withPrefix({ table, column, key }: PhoneColumn): Reading {
  const found: MigratedRow[] = [];
  const select = `select ${key}, ${column} as stored from ${table} where (${mayHavePrefix(column)})`;
  const order = `order by ${key} limit ${BATCH}`;
  for (let rows = yield { text: `${select} ${order}` }; rows.length > 0; ) {
    found.push(...rows.filter(({ stored }) => withoutTrunkPrefix(String(stored)) !== stored));
    const last = rows.at(-1) as MigratedRow;
    const after = `(${key}) > (${key.map(() => '?')})`;
    rows = yield { text: `${select} and ${after} ${order}`, values: key.map((name) => last[name] ?? null) };
  }
  return found;
}

/** For columns that are not unique: the number of a call, or of a row of an import. */
function* repairNumbers(phones: PhoneColumn): MigrationWork {
  for (const row of yield* withPrefix(phones)) {
    yield {
      text: `update ${phones.table} set ${phones.column} = ? where ${phones.key.map((name) => `${name} = ?`).join(' and ')}`,
      values: [withoutTrunkPrefix(String(row.stored)), ...phones.key.map((name) => row[name] ?? null)],
    };
  }
}

const oneContact = 'where workspace_id = ? and id = ?';

/** Removes the prefix from the number of a contact. If another contact has that number, the contact keeps its displayed
 *  number and becomes a number conflict without an identity. */
function* repairContact(
  engine: Engine,
  { workspace_id: workspace = null, id = null }: MigratedRow,
  now: string,
): MigrationWork {
  const [row] = yield { text: `select * from contacts ${oneContact}`, values: [workspace, id] };
  const identity = withoutTrunkPrefix(String(row?.phone_identity));
  const owners = yield {
    text: 'select 1 as held from contacts where workspace_id = ? and phone_identity = ?',
    values: [workspace, identity],
  };
  if (owners.length > 0) {
    const text = `update contacts set phone_identity = null, phone_conflict = 1 ${oneContact}`;
    yield { text, values: [workspace, id] };
  } else if (row?.phone_number !== row?.phone_identity) {
    yield { text: `update contacts set phone_identity = ? ${oneContact}`, values: [identity, workspace, id] };
  } else if (row) yield* renumber(engine, row, { identity, now });
}

/** Changes the displayed number and the identity of a contact, and everything that is derived from them. */
function* renumber(
  engine: Engine,
  row: MigratedRow,
  { identity, now }: { identity: string; now: string },
): MigrationWork {
  const {
    workspace_id = null,
    id = null,
    seq = null,
    search_text = '',
    search_phone = '',
    updated_at = '',
  } = row;
  const next = String(updated_at) < now ? now : new Date(Date.parse(String(updated_at)) + 1).toISOString();
  const text = identity + String(search_text).slice(String(row.phone_number).length);
  const wire = JSON.stringify({ ...JSON.parse(String(row.wire)), phone_number: identity, updated_at: next });
  yield {
    text: `update contacts set phone_number = ?, phone_identity = ?, search_text = ?, search_phone = ?, wire = ?,
      updated_at = ? ${oneContact}`,
    values: [identity, identity, text, identity, wire, next, workspace_id, id],
  };
  // So that the import can still be undone.
  yield {
    text: 'update import_rows set written_at = ? where workspace_id = ? and contact_id = ? and written_at = ?',
    values: [next, workspace_id, id, updated_at],
  };
  if (engine === 'postgres') return;
  const entry = [workspace_id, seq];
  yield {
    text: `insert into contacts_search (contacts_search, rowid, text, phone) values ('delete', ? << 40 | ?, ?, ?)`,
    values: [...entry, search_text + MARKS, search_phone + MARKS],
  };
  yield {
    text: 'insert into contacts_search (rowid, text, phone) values (? << 40 | ?, ?, ?)',
    values: [...entry, text + MARKS, identity + MARKS],
  };
  // The n-grams are counted again in batches (see sqlite/search/ngram-counts.ts).
  yield {
    text: `delete from tallies where workspace_id = ? and list >= 'contacts~' and list < 'contacts\u007f'`,
    values: [workspace_id],
  };
}

function* repair(engine: Engine): MigrationWork {
  const now = new Date().toISOString();
  const contacts = { table: 'contacts', column: 'phone_identity', key: ['workspace_id', 'id'] };
  for (const row of yield* withPrefix(contacts)) yield* repairContact(engine, row, now);
  yield* repairNumbers({ table: 'calls', column: 'number_identity', key: ['workspace_id', 'id'] });
  yield* repairNumbers({
    table: 'import_rows',
    column: 'identity',
    key: ['workspace_id', 'import_id', 'number'],
  });
}

/** Removes national trunk prefixes after the country code from phone identities, and adds an index of contacts by company.
 *  */
export const trunkPrefixes: Migration = {
  name: 'phone identities without national trunk prefixes, contacts by company',
  statements: () => [
    'create index contacts_of_company on contacts (workspace_id, company, seq) where company is not null',
  ],
  work: repair,
};
