import { trunkPrefixStarts, withoutTrunkPrefix } from '../../lib/trunk-prefix.ts';
import type { Engine } from '../capabilities.ts';
import type { MigratedRow, Migration, MigrationQuery, MigrationWork } from './migration.ts';

/** Rows are read in batches, so that memory does not grow with the table. */
const BATCH = 2_000;

/** Stands twice at the end of every entry of the embedded engine's search index. */
const MARKS = '\u001f\u001f';

/** A condition that only numbers meet which begin as one with a trunk prefix does. */
const mayHavePrefix = (column: string): string =>
  [...Map.groupBy(trunkPrefixStarts(), ({ length }) => length)]
    .map(([length, starts]) => `substr(${column}, 1, ${length}) in (${starts.map((start) => `'${start}'`)})`)
    .join(' or ');

interface Place {
  readonly table: string;
  readonly column: string;
  readonly key: readonly string[];
}

type Reading = Generator<MigrationQuery, MigratedRow[], MigratedRow[]>;

/** The keys of the rows whose number in a column has a trunk prefix, and that number. */
function* withPrefix({ table, column, key }: Place): Reading {
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

/** A number that only says who was called, or what a row of a file was read as, is replaced. */
function* repairNumbers(place: Place): MigrationWork {
  for (const row of yield* withPrefix(place)) {
    yield {
      text: `update ${place.table} set ${place.column} = ? where ${place.key.map((name) => `${name} = ?`).join(' and ')}`,
      values: [withoutTrunkPrefix(String(row.stored)), ...place.key.map((name) => row[name] ?? null)],
    };
  }
}

const oneContact = 'where workspace_id = ? and id = ?';

/** A contact whose number is free without its prefix gets that number. One whose number another contact has keeps the
 *  number that it shows and waits, without an identity, among the contacts whose numbers conflict. */
function* repairContact(
  engine: Engine,
  { workspace_id: workspace = null, id = null }: MigratedRow,
  now: string,
): MigrationWork {
  const [row] = yield { text: `select * from contacts ${oneContact}`, values: [workspace, id] };
  const identity = withoutTrunkPrefix(String(row?.phone_identity));
  const holder = yield {
    text: 'select 1 as held from contacts where workspace_id = ? and phone_identity = ?',
    values: [workspace, identity],
  };
  if (holder.length > 0) {
    const text = `update contacts set phone_identity = null, phone_conflict = 1 ${oneContact}`;
    yield { text, values: [workspace, id] };
  } else if (row?.phone_number !== row?.phone_identity) {
    yield { text: `update contacts set phone_identity = ? ${oneContact}`, values: [identity, workspace, id] };
  } else if (row) yield* renumber(engine, row, { identity, now });
}

/** Changes the number that a contact shows and is known by, with all that is made from it. */
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
  // An import that left the contact as it was can still be undone.
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
  // The counts of short pieces of text are counted again, little by little (see sqlite/grams.ts).
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

/** One number has one identity: a national trunk prefix after the country code is no part of it. And the contacts of a
 *  company are found without a look at the others. */
export const trunkPrefixes: Migration = {
  name: 'phone identities without national trunk prefixes, contacts by company',
  statements: () => [
    'create index contacts_of_company on contacts (workspace_id, company, seq) where company is not null',
  ],
  work: repair,
};
