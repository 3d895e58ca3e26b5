import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as agents from '../../src/agents/agent.service.ts';
import * as contacts from '../../src/contacts/contact.service.ts';
import { operations } from '../../src/operations.ts';
import type { Engine } from '../../src/storage/capabilities.ts';
import { openFile, SqliteDb } from '../../src/storage/sqlite/connection.ts';
import { ping } from '../../src/storage/sqlite/storage.ts';
import { type Statement, statementsOver } from '../../src/storage/statement.ts';
import type { Db, Operation } from '../../src/storage/storage.ts';
import * as keys from '../../src/workspaces/key.service.ts';
import { setUp } from '../../src/workspaces/setup.service.ts';
import * as users from '../../src/workspaces/user.service.ts';
import * as workspaces from '../../src/workspaces/workspace.service.ts';
import { engines, type TestDatabase } from '../kit/engines.ts';
import { newPhone } from '../kit/factories.ts';
import { openBeside } from '../kit/workspaces.ts';

type AnyStatement = Statement<never, unknown>;

/** Runs operations and remembers each statement that they use. */
class Recorder implements Db {
  readonly can: Db['can'];
  readonly seen = new Set<AnyStatement>();
  readonly driven = new Set<string>();
  readonly #db: SqliteDb;

  constructor(db: SqliteDb) {
    this.#db = db;
    this.can = db.can;
  }

  readonly get: Db['get'] = (statement, args) => this.#db.get(this.#note(statement), args);
  readonly all: Db['all'] = (statement, args) => this.#db.all(this.#note(statement), args);
  readonly run: Db['run'] = (statement, args) => this.#db.run(this.#note(statement), args);

  async drive<W, I, O>(operation: Operation<W, I, O>, who: W, input: I): Promise<O> {
    this.driven.add(operation.name);
    return operation(this, who, input);
  }

  #note<S>(statement: S): S {
    this.seen.add(statement as AnyStatement);
    return statement;
  }
}

/** Does everything the service can do, in each way that leads to another statement. */
const driveAll = async (db: Recorder) => {
  await db.drive(ping, null, null);
  const admin = { email: 'owner@example.com', password: 'a long password' };
  const { workspace } = await db.drive(setUp, null, { withKey: true, admin });
  await db.drive(users.ensureOwner, null, { workspace, ...admin, password: 'another password' });
  await db.drive(users.hasUsers, null, { workspace });
  await db.drive(workspaces.createWorkspace, null, { name: 'second' });
  await db.drive(workspaces.listWorkspaces, null, null);
  await db.drive(workspaces.requireWorkspace, null, { name: 'second' });

  const { id } = await db.drive(keys.createKey, null, {
    workspace,
    name: 'key',
    scope: 'read',
    expires_at: null,
  });
  await db.drive(keys.listKeys, null, { workspace });
  await db.drive(keys.findKey, null, { workspace, hash: 'none' });
  await db.drive(keys.recordUse, null, [{ workspace, id, at: '2026-01-01T00:00:00.000Z' }]);
  await db.drive(keys.revokeKey, null, { workspace, id });

  const who = { workspace, key: 'test', scope: 'read_write' } as const;
  const fields = { phone_number: newPhone(), first_name: 'Ada', tags: ['one', 'two'] };
  const contact = await db.drive(contacts.createContact, who, { source: 'api', fields });
  await assert.rejects(db.drive(contacts.createContact, who, { source: 'api', fields }));
  const changes = { phone_number: newPhone(), tags: ['two', 'three'] };
  await db.drive(contacts.updateContact, who, { id: contact.id, fields: changes });
  await db.drive(contacts.getContact, who, { id: contact.id });
  for (const query of [{}, { tag: 'two' }, { search: 'ada' }, { search: 'a' }]) {
    await db.drive(contacts.listContacts, who, query);
    await db.drive(contacts.listContacts, who, { ...query, tag: 'two' });
  }
  await db.drive(contacts.deleteContact, who, { id: contact.id });

  const agent = await db.drive(agents.createAgent, who, { name: 'Agent', instructions: '' });
  await db.drive(agents.updateAgent, who, { id: agent.id, fields: { instructions: 'new' } });
  await db.drive(agents.getAgent, who, { id: agent.id });
  await db.drive(agents.listAgents, who, {});
  await db.drive(agents.deleteAgent, who, { id: agent.id });
};

const DIRECTORY = ['workspaces', 'users'];
const RECORDS = [
  'contacts',
  'contact_tags',
  'contacts_search',
  'agents',
  'agent_versions',
  'tallies',
  'keys',
];
const TABLE = /\b(?:from|join|into|update)\s+"?(\w+)"?/g;
/** A row is of the workspace of an argument, or an entry of the search index lies in its range. */
const OF_WORKSPACE = /"?workspace_id"? = (\$\d+|\?)|\browid between (\$\d+|\?) << 40 and/g;
const INSERTED = /insert into "?\w+"? \("?workspace_id"?,/g;

/** The tables that a text names, and how often it says which workspace. */
const examine = (sql: string) => {
  const named = [...sql.matchAll(TABLE)].map(([, table]) => String(table));
  return {
    tables: named.filter((table) => [...RECORDS, ...DIRECTORY].includes(table)),
    records: named.filter((table) => RECORDS.includes(table)),
    mentions: [...sql.matchAll(OF_WORKSPACE), ...sql.matchAll(INSERTED)].length,
  };
};

describe('Every statement', () => {
  let database: TestDatabase;
  let recorder: Recorder;
  before(async () => {
    database = await engines.sqlite();
    await (await openBeside(database)).close();
    const file = openFile(database.database.engine === 'sqlite' ? database.database.path : '');
    recorder = new Recorder(new SqliteDb(file));
    await driveAll(recorder);
    file.close();
  });
  after(() => database?.drop());

  it('was seen: all operations were driven, and no statement was left out', () => {
    assert.deepEqual([...recorder.driven].sort(), operations.map(({ name }) => name).sort());
    const seen = [...recorder.seen].map((statement) => statement.textFor('sqlite').name);
    // Statements are numbered as they are made, so the next number says how many there are.
    const next = statementsOver<never>()(() => ({ compile: () => ({ sql: '', parameters: [] }) as never }));
    const made = Number(next.textFor('sqlite').name.replace('roster_', '')) - 1;
    const all = Array.from({ length: made }, (_, at) => `roster_${at + 1}`);
    assert.deepEqual(seen.toSorted(), all.toSorted());
  });

  for (const engine of ['sqlite', 'postgres'] satisfies Engine[]) {
    it(`names the workspace once for each table of records that it touches, on ${engine}`, () => {
      for (const statement of recorder.seen) {
        const { sql } = statement.textFor(engine);
        const { tables, records, mentions } = examine(sql);
        assert.ok(tables.length > 0, sql);
        assert.ok(mentions >= records.length, `${mentions} for ${records.join(', ')}: ${sql}`);
      }
    });

    it(`takes the workspace from the argument of that name, on ${engine}`, () => {
      for (const statement of recorder.seen) {
        const { sql, order } = statement.textFor(engine);
        if (examine(sql).records.length === 0) continue;
        // Where the text asks for workspace_id, the argument in that place is the workspace.
        const places = [...sql.matchAll(/\$\d+|\?/g)].map(({ index }) => index);
        for (const match of sql.matchAll(OF_WORKSPACE)) {
          const mark = match.index + match[0].search(/\$\d+|\?/);
          assert.match(String(order[places.indexOf(mark)]), /^workspace(_id)?$/, sql);
        }
        if (INSERTED.test(sql)) assert.match(String(order[0]), /^workspace(_id)?$/, sql);
        INSERTED.lastIndex = 0;
      }
    });
  }
});
