import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Outcome } from '../../src/db/operation.ts';
import { openFile, SqliteDb } from '../../src/db/sqlite/connection.ts';
import { type Request, Writer } from '../../src/db/sqlite/writer.ts';
import { createContact, deleteContact } from '../../src/features/contacts/contact.service.ts';
import { upsertContact } from '../../src/features/contacts/contact.upsert.ts';
import { listContacts } from '../../src/features/contacts/list.service.ts';
import { once } from '../../src/features/idempotency/idempotency.service.ts';
import type { Principal } from '../../src/features/workspaces/principal.ts';
import { ApiError } from '../../src/lib/errors.ts';
import { makeWorkspace } from '../kit/database/workspaces.ts';
import { databaseFor, storageFor } from '../kit/service/scoped-resources.ts';

const phone = (at: number) => `+1212555${String(100 + at).padStart(4, '0')}`;

/** A database with two workspaces, and its writer. */
const openWriter = async (test: TestContext) => {
  const database = await databaseFor(test, 'sqlite');
  const storage = await storageFor(test, database);
  const workspaces = [await makeWorkspace(storage), await makeWorkspace(storage)] as const;
  const path = database.database.engine === 'sqlite' ? database.database.path : '';
  const file = openFile(path);
  test.after(() => file.close());
  const principal = (at: number, workspace = 0): Principal => ({
    ...(workspaces[workspace] as (typeof workspaces)[0]).principal,
    actor: `key_${at % 3}`,
    request: `req_${at}`,
  });
  return { file, writer: new Writer(file), principal };
};

type Opened = Awaited<ReturnType<typeof openWriter>>;

const creating = ({ principal }: Opened, at: number, number = at, workspace = 0): Request => ({
  operation: createContact,
  principal: principal(at, workspace),
  input: {
    source: 'api',
    fields: { phone_number: phone(number), first_name: `Contact ${at}`, tags: at % 2 ? ['odd'] : [] },
  },
});

/** The create as a request with an idempotency key. */
const onceCreating = (opened: Opened, at: number, key: number): Request => {
  const { principal, input } = creating(opened, at);
  const attempt = { route: 'r', key_hash: `${key}`, fingerprint: `${at}`, request_id: `req_${at}` };
  return { operation: once, principal, input: { attempt, operation: 'createContact', input } };
};

const DAY = /\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?/g;

/** What the database stores, with numbers instead of random ids, and without times. */
const stored = ({ file }: Opened) => {
  const all = (sql: string) => file.prepare(sql).all();
  const numbers = new Map(
    all(`select subject as id, json_extract(data, '$.phone_number') as number from events
      union select id, phone_number from contacts`).map(({ id, number }) => [String(id), String(number)]),
  );
  const plain = (rows: unknown) =>
    JSON.parse(
      JSON.stringify(rows)
        .replaceAll(/contact_[0-9a-z]{26}/g, (id) => numbers.get(id) ?? id)
        .replaceAll(DAY, ''),
    );
  return {
    contacts: plain(all('select * from contacts order by workspace_id, seq')),
    events: plain(all('select * from events order by workspace_id, seq')),
    audit: plain(all(`select * from audit_entries where subject like 'contact%' order by workspace_id, seq`)),
    counters: plain(all('select * from tallies order by workspace_id, list')),
    tags: plain(all('select * from contact_tags order by workspace_id, tag, seq')),
    answers: plain(
      all('select route, key_hash, fingerprint, answer, subject from retries order by key_hash'),
    ),
    plain,
  };
};

const described = (outcome: Outcome | undefined) => {
  if (!outcome) return 'none';
  if ('value' in outcome) return outcome.value;
  const { error } = outcome;
  return error instanceof ApiError ? [error.code, error.message, error.details] : String(error);
};

/** Runs the same requests in one commit, and in a commit and a savepoint each, and asserts that outcomes and stored data are the same. */
const assertSameAsSeparate = async (test: TestContext, make: (opened: Opened) => Request[]) => {
  const together = await openWriter(test);
  const separate = await openWriter(test);
  const outcomes = await together.writer.run(make(together));
  const expected: Outcome[] = [];
  for (const request of make(separate))
    expected.push(...(await separate.writer.run([request], { grouped: false })));
  const { plain, ...data } = stored(together);
  const { plain: expectedPlain, ...expectedData } = stored(separate);
  assert.deepEqual(data, expectedData);
  assert.deepEqual(plain(outcomes.map(described)), expectedPlain(expected.map(described)));
  assert.equal(together.file.prepare('pragma integrity_check').get()?.integrity_check, 'ok');
  return { ...together, outcomes, data };
};

const codes = (outcomes: readonly Outcome[]) =>
  outcomes.map((outcome) =>
    'value' in outcome ? 'done' : outcome.error instanceof ApiError ? outcome.error.code : 'error',
  );

describe('Creates in one commit of SQLite', () => {
  it('Of creates with the same number the first succeeds, and the others name its contact', async (test) => {
    const { outcomes, data } = await assertSameAsSeparate(test, (opened) =>
      [0, 1, 0, 2, 1, 0, 3].map((number, at) => creating(opened, at, number)),
    );
    assert.deepEqual(codes(outcomes), ['done', 'done', 'CONFLICT', 'done', 'CONFLICT', 'CONFLICT', 'done']);
    assert.deepEqual(
      data.contacts.map(({ seq, phone_number }: { seq: number; phone_number: string }) => [
        seq,
        phone_number,
      ]),
      [0, 1, 2, 3].map((number, at) => [at + 1, phone(number)]),
    );
    assert.deepEqual(
      data.events.map(({ subject }: { subject: string }) => subject),
      [0, 1, 2, 3].map(phone),
    );
  });

  it('Each create is recorded for its own key and request', async (test) => {
    const { data } = await assertSameAsSeparate(test, (opened) =>
      [0, 1, 2, 3, 4].map((at) => creating(opened, at)),
    );
    const expected = [0, 1, 2, 3, 4].map((at) => [`key_${at % 3}`, `req_${at}`, phone(at)]);
    for (const rows of [data.audit, data.events])
      assert.deepEqual(
        rows.map((row: Record<string, string>) => [row.actor, row.request_id, row.subject]),
        expected,
      );
    assert.deepEqual(
      data.contacts.map(({ created_by }: { created_by: string }) => created_by),
      expected.map(([actor]) => actor),
    );
  });

  it('Creates of two workspaces, with and without idempotency keys, run in their order', async (test) => {
    const { outcomes } = await assertSameAsSeparate(test, (opened) => [
      creating(opened, 0),
      creating(opened, 1, 0, 1),
      creating(opened, 2, 0, 1),
      onceCreating(opened, 3, 1),
      onceCreating(opened, 3, 1),
      creating(opened, 4, 3),
      onceCreating(opened, 5, 1),
      onceCreating(opened, 0, 2),
      creating(opened, 6),
    ]);
    assert.deepEqual(codes(outcomes), [
      'done',
      'done',
      'CONFLICT',
      'done',
      'done',
      'CONFLICT',
      'IDEMPOTENCY_MISMATCH',
      'done',
      'done',
    ]);
  });

  it('A create after a deletion in the same commit takes the free number and the next position', async (test) => {
    const opened = await openWriter(test);
    const [first] = await opened.writer.run([creating(opened, 0)]);
    assert.ok(first && 'value' in first);
    const { id } = first.value as { id: string };
    const outcomes = await opened.writer.run([
      creating(opened, 1),
      { operation: deleteContact, principal: opened.principal(2), input: { id } },
      creating(opened, 3, 0),
      {
        operation: upsertContact,
        principal: opened.principal(4),
        input: { phone: phone(0), source: 'api', fields: {} },
      },
      creating(opened, 5, 0),
    ]);
    assert.deepEqual(codes(outcomes), ['done', 'done', 'done', 'done', 'CONFLICT']);
    assert.deepEqual(
      opened.file
        .prepare('select seq, phone_number from contacts order by seq')
        .all()
        .map((row) => [row.seq, row.phone_number]),
      [
        [2, phone(1)],
        [3, phone(0)],
      ],
    );
  });

  it('A create that fails unexpectedly changes nothing, and all others are stored once', async (test) => {
    const broken = (opened: Opened): Request => ({
      ...creating(opened, 2),
      // The row cannot be bound.
      input: { source: 'api', fields: { phone_number: phone(2), notes: { not: 'a text' } } },
    });
    const { file, outcomes, data, principal } = await assertSameAsSeparate(test, (opened) => [
      creating(opened, 0),
      creating(opened, 1, 0),
      broken(opened),
      creating(opened, 3),
      onceCreating(opened, 4, 1),
      creating(opened, 5),
    ]);
    assert.deepEqual(codes(outcomes), ['done', 'CONFLICT', 'error', 'done', 'done', 'done']);
    assert.equal(data.contacts.length, 4);
    const found = await listContacts(new SqliteDb(file), principal(0), { search: 'Contact', limit: 10 });
    assert.equal(found.total, 4);
  });

  it('Events of a commit follow those that have no position after a move', async (test) => {
    const opened = await openWriter(test);
    await opened.writer.run([creating(opened, 0)]);
    opened.file.exec('update events set seq = -5');
    await opened.writer.run([1, 2, 3].map((at) => creating(opened, at)));
    assert.deepEqual(
      stored(opened).events.map(({ seq, subject }: { seq: number; subject: string }) => [seq, subject]),
      [3, 2, 1, 0].map((at) => [-5 - at, phone(at)]),
    );
  });

  it('All creates of a commit that runs out of disk space fail as unavailable', async (test) => {
    const opened = await openWriter(test);
    const pages = Number(opened.file.prepare('pragma page_count').get()?.page_count);
    opened.file.exec(`pragma max_page_count = ${pages + 2}`);
    const many = (from: number) => Array.from({ length: 60 }, (_, at) => creating(opened, from + at));
    const outcomes = await opened.writer.run(many(0));
    assert.deepEqual(new Set(codes(outcomes)), new Set(['UNAVAILABLE']));
    assert.equal(stored(opened).contacts.length, 0);
    opened.file.exec('pragma max_page_count = 1000000');
    assert.deepEqual(new Set(codes(await opened.writer.run(many(0)))), new Set(['done']));
    assert.equal(stored(opened).contacts.length, 60);
  });
});
