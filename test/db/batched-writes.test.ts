import assert from 'node:assert/strict';
import { beforeEach, describe, it, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { Client } from 'pg';
import type { Db } from '../../src/db/db.ts';
import { type Call, type Operation, write } from '../../src/db/operation.ts';
import { statement } from '../../src/db/statement.ts';
import type { Storage } from '../../src/db/storage.ts';
import { createContact, type NewContact } from '../../src/features/contacts/contact.service.ts';
import { upsertContact } from '../../src/features/contacts/contact.upsert.ts';
import { createField } from '../../src/features/fields/field.service.ts';
import type { Principal } from '../../src/features/workspaces/principal.ts';
import { ApiError, TransactionConflict } from '../../src/lib/errors.ts';
import { bitOf } from '../../src/lib/scopes.ts';
import { actualCounts, storedCounts } from '../kit/database/counters.ts';
import type { TestDatabase } from '../kit/database/engines.ts';
import { makeWorkspace } from '../kit/database/workspaces.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { databaseFor, storageFor } from '../kit/service/scoped-resources.ts';

const COUNT = 60;
const numbers = (count = COUNT) => Array.from({ length: count }, () => newPhone());

const terminateConnection = statement(() => sql`select pg_terminate_backend(pg_backend_pid())`);

/** The form of an operation for several requests that runs it for each. */
const together =
  (run: (db: Db, principal: Principal, input: NewContact) => Promise<void>) =>
  (db: Db, calls: readonly Call<Principal, NewContact>[]) =>
    Promise.all(calls.map(async ({ principal, input }) => ({ value: await run(db, principal, input) })));

describe('Batched writes', () => {
  let database: TestDatabase;
  let storage: Storage;
  let principal: Principal;
  beforeEach(async (test) => {
    database = await databaseFor(test as TestContext, 'postgres');
    storage = await storageFor(test as TestContext, database);
    principal = (await makeWorkspace(storage)).principal;
  });

  const create = (phone_number: string, operation: Operation = createContact) =>
    storage.run(operation, principal, { source: 'api', fields: { phone_number, tags: ['new'] } });
  const storedNumbers = async () =>
    (await database.query('select phone_number from contacts')).map(({ phone_number }) => phone_number);

  /** Asserts that exactly these numbers are stored, each counted and audited once. */
  const assertStored = async (expected: readonly string[]) => {
    assert.deepEqual((await storedNumbers()).sort(), [...expected].sort());
    assert.deepEqual(await storedCounts(database), await actualCounts(database));
    const recorded = await database.query(
      `select phone_number from audit_entries join contacts on id = subject where action = 'contact.created'`,
    );
    assert.equal(recorded.length, expected.length);
    const [entries] = await database.query(
      `select count(*)::int as count from audit_entries where action = 'contact.created'`,
    );
    assert.equal(entries?.count, expected.length);
  };

  it('Batched writes are all stored, in far fewer transactions than writes', async () => {
    const all = numbers();
    const made = await Promise.all(all.map((number) => create(number)));
    assert.deepEqual(
      made.map(({ json }) => JSON.parse(json).phone_number),
      all,
    );
    await assertStored(all);
    const [transactions] = await database.query(
      'select count(distinct xmin::text)::int as count from contacts',
    );
    assert.ok(Number(transactions?.count) < COUNT / 4, `${transactions?.count} transactions`);
  });

  it('The contacts that a batch creates are inserted with one statement', async () => {
    await Promise.all(numbers().map((number) => create(number)));
    const [inserts] = await database.query(
      'select count(distinct (xmin::text, cmin::text))::int as count from contacts',
    );
    assert.ok(Number(inserts?.count) < COUNT / 4, `${inserts?.count} statements`);
  });

  it('A field of a contact has the same value whether it is created in a batch or alone', async () => {
    const fields = (phone_number: string) => ({
      phone_number,
      first_name: 'Zoë "Z" \\ \u2028',
      notes: `a\nb\t${'\u{1f600}'.repeat(1_000)}`,
      tags: ['new', 'a "b"'],
    });
    const make = (number: string) =>
      storage.run(createContact, principal, { source: 'api', fields: fields(number) });
    await make(newPhone());
    await Promise.all(numbers().map(make));
    const different = await database.query(
      `select distinct first_name, last_name, notes, tags, source, phone_conflict, crm_ids, phone_identity = phone_number as same,
        replace(search_text, phone_number, '') as text, wire::jsonb - '{id,phone_number,first_contact_at,last_contact_at,created_at,updated_at}'::text[] as json
        from contacts`,
    );
    assert.equal(different.length, 1);
  });

  it('The error of an unknown field lists the fields that its caller may see, also in a batch', async () => {
    for (const key of ['plan', 'size'])
      await storage.run(createField, principal, { key, label: key, type: 'text' });
    const blind = { ...principal, scopes: bitOf('contacts:write') };
    const sent = numbers().map((phone_number, at) => ({
      principal: at % 3 === 1 ? blind : principal,
      input: {
        source: 'api' as const,
        fields: { phone_number, fields: { [at % 3 === 2 ? 'plan' : 'plam']: 'gold' } },
      },
    }));
    const messages = await Promise.all(
      sent.map(({ principal: caller, input }) =>
        storage.run(createContact, caller, input).then(
          () => 'created',
          (error) => error.details[0].message as string,
        ),
      ),
    );
    const listed = (name: string) => messages.map((message) => message.includes(name));
    const kinds = sent.map((_, at) => at % 3);
    assert.deepEqual(
      messages.map((message) => message === 'created'),
      kinds.map((kind) => kind === 2),
    );
    for (const name of ['plan', 'size'])
      assert.deepEqual(
        listed(name),
        kinds.map((kind) => kind === 0),
      );
  });

  it('Batched writes are stored and audited for their own callers', async () => {
    const other = (await makeWorkspace(storage)).principal;
    const all = numbers().map((phone_number, at) => ({
      phone_number,
      principal: { ...(at % 3 === 0 ? other : principal), request: `req ${at}` },
    }));
    await Promise.all(
      all.map(({ principal, phone_number }) =>
        storage.run(createContact, principal, { source: 'api', fields: { phone_number } }),
      ),
    );
    const recorded = await database.query(
      `select c.workspace_id as workspace, phone_number, request_id from contacts as c
        join audit_entries as e on e.workspace_id = c.workspace_id and e.subject = c.id order by phone_number`,
    );
    const asked = all.map(({ principal: { workspace, request }, phone_number }) => ({
      workspace,
      phone_number,
      request_id: request,
    }));
    assert.deepEqual(
      recorded.map((row) => ({ ...row, workspace: Number(row.workspace) })),
      asked.sort((one, two) => (one.phone_number < two.phone_number ? -1 : 1)),
    );
  });

  it('An upsert of a known number leaves its batch without a rollback and updates the contact', async () => {
    const known = numbers(5);
    await Promise.all(known.map((number) => create(number)));
    const all = [...numbers(), ...known, ...known].sort();
    const upserted = await Promise.all(
      all.map((phone) =>
        storage.run(upsertContact, principal, { phone, source: 'api', fields: { notes: phone } }),
      ),
    );
    assert.equal(upserted.filter(({ isNew }) => isNew).length, COUNT);
    assert.deepEqual((await storedNumbers()).sort(), [...new Set(all)].sort());
    assert.deepEqual(await storedCounts(database), await actualCounts(database));
    const [changed] = await database.query(
      'select count(*)::int as count from contacts where notes = phone_number',
    );
    assert.equal(changed?.count, COUNT + known.length);
    const entries = await database.query(
      `select action, count(*)::int as count from audit_entries where action like 'contact.%' group by action order by action`,
    );
    assert.deepEqual(entries, [
      { action: 'contact.created', count: COUNT + known.length },
      { action: 'contact.updated', count: 2 * known.length },
    ]);
  });

  it('A rejected write in a batch gets its own error and does not affect the others', async () => {
    const taken = newPhone();
    const { id } = await create(taken);
    const all = numbers();
    const twins = all.slice(0, 10);
    const asked = [...all, taken, ...twins, taken].sort();
    const outcomes = await Promise.allSettled(asked.map((number) => create(number)));
    const rejected = outcomes.flatMap((outcome, at) =>
      outcome.status === 'rejected' ? [[asked[at] as string, outcome.reason] as const] : [],
    );
    assert.deepEqual(rejected.map(([number]) => number).sort(), [...twins, taken, taken].sort());
    const ids = new Map(
      outcomes.flatMap((outcome, at) =>
        outcome.status === 'fulfilled' ? [[asked[at], outcome.value.id]] : [],
      ),
    );
    for (const [number, reason] of rejected) {
      assert.ok(reason instanceof ApiError);
      assert.deepEqual(reason.details, { existing_contact_id: ids.get(number) ?? id });
    }
    await assertStored([taken, ...all]);
  });

  it('A write that conflicts with another transaction is retried, also without other writes in its batch', async () => {
    let attempts = 0;
    const conflicting = write(
      'conflicting',
      (db, principal, input) => {
        if (++attempts === 1) throw new TransactionConflict('Another request changed this contact. Retry.');
        return createContact(db, principal, input);
      },
      { runMany: (_, calls) => calls.map(() => undefined) },
    );
    const number = newPhone();
    await create(number, conflicting);
    assert.equal(attempts, 2);
    await assertStored([number]);
  });

  it('A failed write in a batch is rolled back alone', async () => {
    const fail = async (db: Db, principal: Principal, input: NewContact) => {
      await createContact(db, principal, input);
      throw new TypeError('a bug');
    };
    const broken = write('failing', fail, { runMany: together(fail) });
    const all = numbers();
    const outcomes = await Promise.allSettled(
      all.map((number, at) => create(number, at % 20 === 7 ? broken : createContact)),
    );
    outcomes.forEach((outcome, at) => {
      assert.equal(outcome.status, at % 20 === 7 ? 'rejected' : 'fulfilled');
    });
    await assertStored(all.filter((_, at) => at % 20 !== 7));
  });

  it('A batch does not wait for a lock that only one of its writes needs', async () => {
    const [locked, ...others] = numbers() as [string, ...string[]];
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await create(locked);
    await client.query(`begin; update contacts set phone_identity = null`);
    const started = performance.now();
    // Preceded by as many writes as run concurrently, so that it is batched with those after it.
    const first = others.slice(0, 2).map((number) => create(number));
    const waiting = create(locked).catch((error: unknown) => error);
    await Promise.all([...first, ...others.slice(2).map((number) => create(number))]);
    // The lock timeout is four seconds.
    assert.ok(performance.now() - started < 3_000);
    await client.query('rollback');
    await client.end();
    assert.ok((await waiting) instanceof ApiError);
    await assertStored([locked, ...others]);
  });

  it('Batched writes whose connection is lost report an unknown outcome and are not retried', async () => {
    const lose = async (db: Db, principal: Principal, input: NewContact) => {
      await createContact(db, principal, input);
      await db.get(terminateConnection, {});
    };
    const broken = write('lost', lose, { runMany: together(lose) });
    const all = numbers(20);
    const first = create(newPhone());
    const outcomes = await Promise.allSettled(
      all.map((number, at) => create(number, at % 10 === 5 ? broken : createContact)),
    );
    await first;
    const codes = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [(outcome.reason as ApiError).code] : [],
    );
    assert.ok(codes.length > 2, 'those who shared with the broken ones');
    assert.deepEqual(new Set(codes), new Set(['UNAVAILABLE']));
    assert.equal((await storedNumbers()).length, 1 + all.length - codes.length);
    assert.deepEqual(await storedCounts(database), await actualCounts(database));
  });
});
