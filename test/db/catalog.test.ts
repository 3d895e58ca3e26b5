import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sqliteCompiler } from '../../src/db/sqlite/dialect.ts';
import type { Storage } from '../../src/db/storage.ts';
import { searchOf } from '../../src/features/contacts/contact.lists.ts';
import { createContact, updateContact } from '../../src/features/contacts/contact.service.ts';
import { listContacts } from '../../src/features/contacts/list.service.ts';
import { contactList } from '../../src/features/contacts/list.store.ts';
import { engines, type TestDatabase } from '../kit/database/engines.ts';
import { makeWorkspace, openTestStorage, type TestWorkspace } from '../kit/database/workspaces.ts';
import { newPhone } from '../kit/fixtures/factories.ts';

const searches = {
  plain: searchOf(contactList.plan([], 'newest')),
  tagged: searchOf(contactList.plan([{ filter: 'tag', value: 'rare' }], 'newest')),
};

/** The tables that map callers to workspaces, and the schema. All other keys start with the workspace. */
const DIRECTORY = ['hooks', 'migrations', 'seal_checks', 'sign_in_failures', 'users', 'workspaces'];
const RECORDS = [
  'agent_versions',
  'agents',
  'audit_entries',
  'bulk_changes',
  'bulk_jobs',
  'call_goals',
  'call_sessions',
  'call_tags',
  'call_texts',
  'calls',
  'campaigns',
  'channels',
  'chat_models',
  'contact_changes',
  'contact_field_values',
  'contact_fields',
  'contact_tags',
  'contacts',
  'deploys',
  'duplicate_dismissals',
  'duplicate_followers',
  'duplicate_groups',
  'duplicate_keys',
  'enrollments',
  'events',
  'identities',
  'identity_conflicts',
  'import_rows',
  'imports',
  'integrations',
  'jobs',
  'keys',
  'merge_records',
  'merged_contacts',
  'merges',
  'notice_reads',
  'notices',
  'renderings',
  'retries',
  'saved_views',
  'segments',
  'sessions',
  'sign_in_addresses',
  'sign_in_links',
  'tallies',
  'transcripts',
  'webhook_attempts',
  'webhook_deliveries',
  'webhook_endpoints',
];

/** On a shared server, also the tables for coordination between instances. */
const RECORDS_ON = { sqlite: RECORDS, postgres: [...RECORDS, 'rate_limits'].sort() };

/** A primary key, a unique constraint, an index or a foreign key, with its columns in order. */
interface Key {
  readonly table: string;
  readonly name: string;
  readonly columns: readonly string[];
}

interface Catalog {
  readonly tables: readonly string[];
  readonly primaryKeys: readonly Key[];
  readonly indexes: readonly Key[];
  /** Foreign keys that start with the workspace. */
  readonly references: readonly Key[];
}

const group = (rows: readonly Record<string, unknown>[]): Key[] =>
  Object.values(Object.groupBy(rows, ({ owner, name }) => `${owner} ${name}`)).map((parts = []) => ({
    table: String(parts[0]?.owner),
    name: String(parts[0]?.name),
    columns: parts.map(({ column }) => String(column)),
  }));

const readSqliteCatalog = async ({ query }: TestDatabase): Promise<Catalog> => {
  const tables = await query(
    `select name from sqlite_schema where type = 'table' and name not glob 'sqlite_*' and name not glob 'contacts_search*' order by name`,
  );
  const indexes = await query(
    `select t.name as owner, i.name as name, i.origin as origin, c.name as "column"
     from sqlite_schema as t, pragma_index_list(t.name) as i, pragma_index_info(i.name) as c
     where t.type = 'table' and t.name not glob 'contacts_search*' order by t.name, i.name, c.seqno`,
  );
  const references = await query(
    `select t.name as owner, f.id as name, f."from" as "column" from sqlite_schema as t, pragma_foreign_key_list(t.name) as f
     where t.type = 'table' order by t.name, f.id, f.seq`,
  );
  return {
    tables: tables.map(({ name }) => String(name)),
    primaryKeys: group(indexes.filter(({ origin }) => origin === 'pk')),
    indexes: group(indexes),
    references: group(references),
  };
};

const readPostgresCatalog = async ({ query }: TestDatabase): Promise<Catalog> => {
  const tables = await query(
    `select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by relname`,
  );
  const indexes = await query(
    `select i.indrelid::regclass::text as owner, i.indexrelid::regclass::text as name, i.indisprimary as main,
       coalesce(a.attname::text, 'an expression') as "column"
     from pg_index as i join pg_class as t on t.oid = i.indrelid and t.relnamespace = 'public'::regnamespace
       and t.relkind in ('r', 'p')
     cross join lateral unnest(i.indkey::int2[]) with ordinality as k (number, place)
     left join pg_attribute as a on a.attrelid = i.indrelid and a.attnum = k.number
     order by 1, 2, k.place`,
  );
  const references = await query(
    `select f.conrelid::regclass::text as owner, f.conname as name, a.attname as "column"
     from pg_constraint as f cross join lateral unnest(f.conkey) with ordinality as k (number, place)
     join pg_attribute as a on a.attrelid = f.conrelid and a.attnum = k.number
     where f.contype = 'f' order by 1, 2, k.place`,
  );
  return {
    tables: tables.map(({ name }) => String(name)),
    primaryKeys: group(indexes.filter(({ main }) => main === true)),
    indexes: group(indexes),
    references: group(references),
  };
};

const catalogReaders = { sqlite: readSqliteCatalog, postgres: readPostgresCatalog };

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`Catalog of ${engine}`, () => {
    let database: TestDatabase;
    let catalog: Catalog;
    const ofRecords = (keys: readonly Key[]) => keys.filter(({ table }) => !DIRECTORY.includes(table));
    before(async () => {
      database = await engines[engine]();
      await (await openTestStorage(database)).close();
      catalog = await catalogReaders[engine](database);
    });
    after(() => database?.drop());

    it('The catalog has the tables of the directory and of the records, and no others', () => {
      assert.deepEqual(catalog.tables, [...DIRECTORY, ...RECORDS_ON[engine]].sort());
    });

    it('Every primary key starts with the workspace', () => {
      const keys = ofRecords(catalog.primaryKeys);
      assert.deepEqual(keys.map(({ table }) => table).sort(), RECORDS_ON[engine]);
      for (const { table, columns } of keys) assert.equal(columns[0], 'workspace_id', table);
    });

    it('Every unique constraint and index starts with the workspace', () => {
      // The job queue covers all workspaces.
      const keys = ofRecords(catalog.indexes).filter(({ name }) => name !== 'jobs_by_due');
      assert.ok(keys.length > RECORDS.length);
      for (const { table, name, columns } of keys)
        assert.equal(columns[0], 'workspace_id', `${table}.${name}`);
    });

    it('Every reference between records includes the workspace', () => {
      const references = ofRecords(catalog.references);
      assert.ok(references.length > 0);
      for (const { table, columns } of references) assert.equal(columns[0], 'workspace_id', table);
    });
  });
}

describe('Search index of SQLite', () => {
  let database: TestDatabase;
  let storage: Storage;
  let largeWorkspace: TestWorkspace;
  let single: TestWorkspace;
  before(async () => {
    database = await engines.sqlite();
    storage = await openTestStorage(database);
    largeWorkspace = await makeWorkspace(storage);
    single = await makeWorkspace(storage);
    for (const { principal } of [...Array(30).fill(largeWorkspace), single]) {
      const fields = { phone_number: newPhone(), first_name: 'Ada' };
      const { id } = await storage.run(createContact, principal, { source: 'api', fields });
      await storage.run(updateContact, principal, { id, fields: { last_name: 'Lovelace' } });
    }
  });
  after(async () => {
    await storage?.close();
    await database?.drop();
  });

  /** The entries that contain a trigram, read from the index itself. */
  const entriesWith = async (term: string) => {
    await database.query(
      'create virtual table if not exists entries using fts5vocab(contacts_search, instance)',
    );
    const rows = await database.query('select distinct doc from entries where term = ?', term);
    return rows.map(({ doc }) => Number(doc));
  };

  it('The rowid of a search entry has the workspace in its upper bits and the position below', async () => {
    const { principal } = single;
    const entries = await entriesWith('lov');
    const stored = await database.query('select workspace_id, seq from contacts');
    assert.equal(entries.length, 31);
    assert.deepEqual(
      entries.sort((one, other) => one - other),
      stored
        .map(({ workspace_id, seq }) => Number(workspace_id) * 2 ** 40 + Number(seq))
        .sort((one, other) => one - other),
    );
    assert.deepEqual(
      entries.filter((entry) => Math.floor(entry / 2 ** 40) === principal.workspace),
      [principal.workspace * 2 ** 40 + 1],
    );
  });

  it('Every search is limited to the rowids of one workspace', async () => {
    const found = await storage.run(listContacts, single.principal, { search: 'lovelace' });
    assert.equal(found.total, 1);
    for (const statement of [searches.plain.indexed, searches.tagged.indexed]) {
      const { sql, order } = statement.textFor(sqliteCompiler);
      const values: Record<string, string | number> = {
        workspace: 2,
        text: '{text} : "lov"',
        tag: 'a',
        limit: 1,
        offset: 0,
      };
      const plan = await database.query(
        `explain query plan ${sql}`,
        ...order.map((name) => values[name] as string | number),
      );
      const searchSteps = plan
        .map(({ detail }) => String(detail))
        .filter((detail) => /contacts_search/.test(detail));
      assert.equal(searchSteps.length, 2, 'the page and the total');
      // M: a match; < and >: both ends of a range of rowids, within which FTS5 reads its posting lists.
      for (const search of searchSteps) assert.match(search, /VIRTUAL TABLE INDEX \d+:(?=.*M)(?=.*<)(?=.*>)/);
    }
  });
});
