import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { migrations } from '../../src/db/migrations/index.ts';
import { openSnapshot } from '../../src/db/open/snapshot.ts';
import { contactId } from '../../src/features/contacts/contact.service.ts';
import { type ContactRow, rowOf } from '../../src/features/contacts/contact.store.ts';
import { verify } from '../../src/features/verify/verify.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { emptyEngines, type TestDatabase } from '../kit/database/engines.ts';
import { type Json, startTestService, type TestService } from '../kit/service/test-service.ts';

/** The last migration before trunk prefixes were removed from numbers. */
const OLD = 11;
const AT = '2026-01-01T00:00:00.000Z';
const DEFAULTS = { phone_conflict: 0, first_name: null, last_name: null, display_name: null, email: null };

const insert = (database: TestDatabase, table: string, row: Record<string, string | number | null>) =>
  database.query(
    `insert into ${table} (${Object.keys(row)}) values (${Object.keys(row).map(() => '?')})`,
    ...Object.values(row),
  );

const rowWith = (seq: number, facts: Partial<ContactRow> & { phone_number: string }): ContactRow =>
  rowOf({
    workspace_id: 1,
    id: contactId.create(),
    phone_identity: facts.phone_number,
    ...DEFAULTS,
    company: null,
    notes: `note ${seq}`,
    tags: '[]',
    source: 'import',
    first_contact_at: AT,
    last_contact_at: AT,
    created_at: AT,
    updated_at: AT,
    ...facts,
  });

/** A database of an older version, with one workspace and these contacts. */
const createOldDatabase = async (database: TestDatabase, contacts: readonly ContactRow[]) => {
  const { engine } = database.database;
  const suffix = engine === 'sqlite' ? ' strict' : '';
  await database.query(`create table migrations (number int primary key, name text not null)${suffix}`);
  for (const [at, { name, statements }] of migrations.slice(0, OLD).entries()) {
    for (const statement of statements(engine)) await database.query(statement);
    await insert(database, 'migrations', { number: at + 1, name });
  }
  await insert(database, 'workspaces', { name: 'default', created_at: AT });
  for (const [at, row] of contacts.entries()) {
    await insert(database, 'contacts', { ...row, seq: at + 1 });
    if (engine === 'sqlite') {
      const marked = [row.search_text, row.search_phone].map((text) => `${text}\u001f\u001f`);
      await database.query(
        'insert into contacts_search (rowid, text, phone) values (1 << 40 | ?, ?, ?)',
        at + 1,
        ...marked,
      );
    }
  }
  const lists = ['contacts', 'contacts#/0', 'contacts#0/0', 'contacts@2026-01-01/import'];
  for (const list of lists) await insertCounter(database, list, contacts.length);
  for (const list of ['calls', 'calls@2026-01-01']) await insertCounter(database, list, 2);
  // An n-gram count that is correct for the old numbers only.
  if (engine === 'sqlite')
    for (const list of ['contacts~', 'contacts~40']) await insertCounter(database, list, 6);
};

const insertCounter = (database: TestDatabase, list: string, count: number) =>
  insert(database, 'tallies', { workspace_id: 1, list, part: 0, count });

const contacts = {
  free: rowWith(1, { phone_number: '+4402079460018', first_name: 'Free' }),
  holder: rowWith(2, { phone_number: '+442079460019', first_name: 'Holder' }),
  taken: rowWith(3, { phone_number: '+4402079460019', first_name: 'Taken' }),
  legacy: rowWith(4, { phone_number: '020 7946 0020', phone_identity: '+4402079460020' }),
  italian: rowWith(5, { phone_number: '+390612345678' }),
  american: rowWith(6, { phone_number: '+12025550143' }),
};

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`Trunk prefixes of an older database on ${engine}`, () => {
    let database: TestDatabase;
    let service: TestService;
    before(async () => {
      database = await emptyEngines[engine]();
      await createOldDatabase(database, Object.values(contacts));
      const call = { medium: 'call', direction: 'outbound', status: 'completed', started_at: AT };
      for (const [id, number] of [
        ['call_1', '+4402079460018'],
        ['call_2', '+390612345678'],
      ] as const) {
        const own = { workspace_id: 1, id, channel_id: 'channel', provider_id: id };
        await insert(database, 'calls', {
          ...own,
          seq: Number(id.at(-1)),
          number,
          number_identity: number,
          ...call,
        });
      }
      await insert(database, 'imports', {
        workspace_id: 1,
        id: 'import_1',
        seq: 1,
        name: 'old.csv',
        state: 'applied',
        options: '{}',
        columns: '[]',
        totals: '{}',
        progress: 1,
        created_by: 'user',
        created_at: AT,
        updated_at: AT,
        applied_at: AT,
      });
      const row = { workspace_id: 1, import_id: 'import_1', line: 2, verdict: 'create', effect: 'created' };
      const { id: contact_id } = contacts.free;
      await insert(database, 'import_rows', {
        ...row,
        number: 1,
        identity: '+4402079460018',
        contact_id,
        written_at: AT,
      });
      service = await startTestService(database);
    });
    after(async () => {
      await service?.stop();
      await database.drop();
    });
    const read = async ({ id }: ContactRow): Promise<Json> => {
      const [key] = await database.query(
        'select phone_identity, phone_conflict, wire from contacts where id = ?',
        id,
      );
      const { wire, phone_identity, phone_conflict } = key as Json;
      return { shown: JSON.parse(wire).phone_number, phone_identity, phone_conflict: Number(phone_conflict) };
    };

    it('A trunk prefix is dropped where the number is free', async () => {
      const number = '+442079460018';
      assert.deepEqual(await read(contacts.free), {
        shown: number,
        phone_identity: number,
        phone_conflict: 0,
      });
      const [row] = (await database.query(
        'select updated_at from contacts where id = ?',
        contacts.free.id,
      )) as Json[];
      assert.ok(row.updated_at > AT, 'caches see that the contact changed');
    });

    it('A trunk prefix stays in the displayed number if another contact has the number', async () => {
      const shown = '+4402079460019';
      assert.deepEqual(await read(contacts.taken), { shown, phone_identity: null, phone_conflict: 1 });
      assert.equal((await read(contacts.holder)).phone_identity, '+442079460019');
      const owner = await signedInUser(service);
      const { data } = (await owner.call('GET', '/contacts/conflicts')).body;
      assert.deepEqual(
        data.map((each: Json) => [each.contact.id, each.normalized_phone, each.repair]),
        [[contacts.taken.id, '+442079460019', { phone_number: '+442079460019', confirm_phone_change: true }]],
      );
    });

    it('A trunk prefix is dropped from the identity of a legacy number, which stays as written', async () => {
      const [shown, phone_identity] = ['020 7946 0020', '+442079460020'];
      assert.deepEqual(await read(contacts.legacy), { shown, phone_identity, phone_conflict: 0 });
    });

    it('Digits that belong to the number are not dropped as a trunk prefix', async () => {
      for (const contact of [contacts.italian, contacts.american, contacts.holder]) {
        const number = contact.phone_number;
        assert.deepEqual(await read(contact), { shown: number, phone_identity: number, phone_conflict: 0 });
      }
    });

    it('Trunk prefixes are dropped from calls and import rows, and the import can still be undone', async () => {
      const calls = await database.query('select number_identity from calls order by id');
      assert.deepEqual(
        calls.map((each) => each.number_identity),
        ['+442079460018', '+390612345678'],
      );
      const [row] = (await database.query('select identity, written_at from import_rows')) as Json[];
      const [contact] = (await database.query(
        'select updated_at from contacts where id = ?',
        contacts.free.id,
      )) as Json[];
      assert.deepEqual([row.identity, row.written_at], ['+442079460018', contact.updated_at]);
    });

    it('The derived data is consistent after trunk prefixes are dropped', async () => {
      const snapshot = await openSnapshot(database.database);
      const checks = await Array.fromAsync(verify(snapshot, { onStart: () => {} }));
      await snapshot.close();
      assert.deepEqual(
        checks.filter(({ count }) => count > 0),
        [],
      );
    });
  });
}
