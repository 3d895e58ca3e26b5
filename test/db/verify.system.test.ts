import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { DatabaseSetupError } from '../../src/db/database.ts';
import { SCHEMA_VERSION } from '../../src/db/migrations/index.ts';
import { openSnapshot } from '../../src/db/open/snapshot.ts';
import { fillDemo } from '../../src/features/demo/demo.service.ts';
import { type CheckResult, verify } from '../../src/features/verify/verify.ts';
import { openEncryptor } from '../../src/features/workspaces/secret-key.ts';
import { jobHandlers } from '../../src/wiring/handlers.ts';
import { emptyEngines, engines, type TestDatabase } from '../kit/database/engines.ts';
import { makeWorkspace, openTestStorage } from '../kit/database/workspaces.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { insertContacts } from '../kit/fixtures/insert-contacts.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const COUNTS = 'stored counters match the rows';
const OUTCOMES = 'counters of outcomes match the calls';
const QUEUE = 'leases and retry times of enrollments are complete';
const TAGS = 'the tag index matches the tags of contacts';
const POSITIONS = 'positions of events have no gaps';
const NUMBERS = 'each phone number belongs to one contact of its workspace';
const VERSIONS = 'agent versions are numbered without gaps';
const CONFIGS = 'hashes of configurations match them';
const SUMMARIES = 'the version summaries of agents match their versions';
const DEPLOYED = 'at most one version of each agent is deployed';
const DEPLOYS = 'the deployed version is that of the last deploy, and deploys are numbered without gaps';
const TIMES = 'times of contacts are in order: created_at and updated_at';
const JOBS = 'counts and times of bulk jobs are complete';
const CONTACTS = 'derived columns of contacts match their other columns';
const AGENTS = 'derived columns of agents match their other columns';
const HOOKS = 'every channel, integration and webhook has a hook in its own workspace';
const CALLS = 'no row of calls refers to a deleted contact';
const ROWS = 'no row of import_rows refers to a deleted contact';
const GOALS = 'goals, tags and texts that lists find match those of the calls';
const SAID = 'calls of deleted contacts have nothing that was said';
const REFERENCES = 'foreign keys refer to existing rows';
const SCHEMA = 'the schema is that of a new database';
const INTEGRITY = 'file integrity and indexes';
const INDEX_CONTENT = 'the search index matches the contacts';
const INDEXED_CONTACTS = 'the search index finds each contact (up to 2,000)';
const NGRAM_COUNTS = 'n-gram counts are correct (16 of them)';

const checksOf = async ({ database }: TestDatabase): Promise<CheckResult[]> => {
  const snapshot = await openSnapshot(database);
  try {
    return await Array.fromAsync(verify(snapshot, { onStart: () => {} }));
  } finally {
    await snapshot.close();
  }
};

/** Enough contacts for SQLite to count the n-grams of their texts. Its index stores U+FFFF as another character. */
const fillWithNgrams = async (database: TestDatabase): Promise<void> => {
  const storage = await openTestStorage(database);
  const { principal } = await makeWorkspace(storage);
  const facts = Array.from({ length: 1_100 }, (_, at) => {
    const phone = newPhone();
    const number = { phone_number: phone, phone_identity: phone, phone_conflict: 0 };
    return { ...number, first_name: `Ada ${at} \uffff`, tags: [] };
  });
  await storage.run(insertContacts, principal, { facts, source: 'api', now: '2026-01-01T00:00:00.000Z' });
  await storage.close();
};

const failedChecks = async (database: TestDatabase): Promise<string[]> =>
  (await checksOf(database)).filter(({ count }) => count > 0).map(({ name }) => name);

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`verify on ${engine}`, () => {
    let database: TestDatabase;
    const one = async (sql: string): Promise<Json> => (await database.query(sql))[0];
    before(async () => {
      database = await engines[engine]();
      const storage = await openTestStorage(database);
      const encryptor = await openEncryptor(storage, [Buffer.alloc(32, 1)], '');
      await fillDemo(storage, await encryptor.current(), { handlers: jobHandlers, onProgress: () => {} });
      await storage.close();
    });
    after(() => database?.drop());

    /** Asserts that verify finds the damage and nothing else, also none that an earlier repair left. */
    const finds = async (names: readonly string[], damage: string, repair: string) => {
      await database.query(damage);
      assert.deepEqual((await failedChecks(database)).sort(), [...names].sort(), damage);
      await database.query(repair);
    };

    it('verify finds no problem in a database that Roster has written', async () => {
      const checks = await checksOf(database);
      assert.deepEqual(
        checks.filter(({ count }) => count > 0),
        [],
      );
      assert.ok(checks.length >= 18);
      assert.ok(
        (await one('select count(*) as n from import_rows')).n > 0,
        'there is something of everything',
      );
    });

    it('verify finds damaged bulk jobs', async () => {
      const { id: at } = await one('select id from workspaces limit 1');
      const insertJob = (status: string, processed: number, finished: string) =>
        `insert into bulk_jobs (workspace_id, id, seq, action, status, ids, excluded, parameters, until_seq, progress, total, processed,
          changed, unchanged, missing, blocked, reasons, created_by, created_at, finished_at)
        values (${at}, 'job', 1, 'tag', '${status}', '[]', 0, '{}', 0, 0, 9, ${processed}, 1, 1, 1, 1, '[]', 'user', '', ${finished})`;
      const remove = 'delete from bulk_jobs';
      await finds([], insertJob('done', 4, `''`), remove);
      await finds([JOBS], insertJob('done', 5, `''`), remove);
      await finds([JOBS], insertJob('done', 4, 'null'), remove);
      await finds([JOBS], insertJob('failed', 4, `''`), remove);
    });

    it('verify finds a wrong counter', async () => {
      const set = (by: number) => `update tallies set count = count + ${by} where list = 'agents'`;
      await finds([COUNTS], set(1), set(-1));
      const { workspace_id: at, id } = await one('select workspace_id, id from campaigns limit 1');
      await finds(
        [COUNTS],
        `insert into tallies (workspace_id, list, part, count) values (${at}, 'enrollments@${id}/x', 0, 2)`,
        `delete from tallies where list = 'enrollments@${id}/x'`,
      );
    });

    it('verify finds wrong counters of the outcomes of a campaign and of missing values', async () => {
      const {
        workspace_id: at,
        campaign_id,
        contact_id,
      } = await one(
        'select workspace_id, campaign_id, contact_id from enrollments where outcome is not null limit 1',
      );
      const set = (counted: number) =>
        `update enrollments set outcome_counted = ${counted} where campaign_id = '${campaign_id}' and contact_id = '${contact_id}'`;
      await finds([COUNTS], set(0), set(1));
      const list = `missing@${campaign_id}/plan`;
      const insert = `insert into tallies (workspace_id, list, part, count) values (${at}, '${list}', 0, 1)`;
      await finds([COUNTS], insert, `delete from tallies where list = '${list}'`);
    });

    it('verify finds a counter of outcomes without calls, and a call without its counters', async () => {
      const { workspace_id: at, id } = await one(
        'select workspace_id, id from calls where disposition is null limit 1',
      );
      const counter = (hour: string) => `outcome@-/channel_1/${hour}/goal+:booked`;
      const insert = (list: string) =>
        `insert into tallies (workspace_id, list, part, count) values (${at}, '${list}', 0, 2)`;
      const remove = (list: string) => `delete from tallies where list = '${list}'`;
      const [now, expired] = [new Date().toISOString().slice(0, 13), '2020-01-01T00'].map(counter) as [
        string,
        string,
      ];
      await finds([OUTCOMES], insert(now), remove(now));
      await finds([], insert(expired), remove(expired));
      const set = (value: string) => `update calls set disposition = ${value} where id = '${id}'`;
      await finds([OUTCOMES], set(`'booked'`), set('null'));
    });

    it('verify finds a goal, tag or text of another call, one that lists would not find, and what an erased call still has', async () => {
      const call = await one(
        `select workspace_id, started_at, seq from calls where number is not null and goals is null and summary is null limit 1`,
      );
      const { workspace_id: at, started_at, seq } = call;
      const where = `where workspace_id = ${at} and seq = ${seq}`;
      const insert = (goal: string) =>
        `insert into call_goals (workspace_id, goal, started_at, seq) values (${at}, '${goal}', '${started_at}', ${seq})`;
      const remove = `delete from call_goals ${where}`;
      const set = (columns: string) => `update calls set ${columns} ${where}`;
      await finds([GOALS], insert('no_show'), remove);
      await finds([GOALS], set(`summary = 'Said.'`), set('summary = null'));
      await finds([GOALS], set(`note = 'Noted.'`), set('note = null'));
      await finds([GOALS], set(`tags = '["vip"]'`), set('tags = null'));
      const tagged = `insert into call_tags (workspace_id, tag, started_at, seq) values (${at}, 'vip', '${started_at}', ${seq})`;
      await finds([GOALS], tagged, `delete from call_tags ${where}`);
      await database.query(insert('no_show'));
      // A key with another character in place of the underscore is another goal.
      await finds([GOALS, OUTCOMES], set(`goals = '{"noxshow":true}'`), set('goals = null'));
      await database.query(remove);
      const { number } = await one(`select number from calls ${where}`);
      await finds([SAID], set(`number = null, text = 'Said.'`), set(`number = '${number}', text = null`));
    });

    it('verify finds a wrong counter of a position block, and one of a block without contacts', async () => {
      for (const list of ['contacts#/0', 'contacts#0/0']) {
        const set = (by: number) => `update tallies set count = count + ${by} where list = '${list}'`;
        await finds([COUNTS], set(1), set(-1));
      }
      const { workspace_id: at } = await one('select workspace_id from contacts limit 1');
      await finds(
        [COUNTS],
        `insert into tallies (workspace_id, list, part, count) values (${at}, 'contacts#0/77', 0, 1)`,
        `delete from tallies where list = 'contacts#0/77'`,
      );
    });

    it('verify finds a lease without a claim, and a retry time that is none', async () => {
      const key = await one(
        `select campaign_id, contact_id from enrollments where status = 'pending' and available_at = '' limit 1`,
      );
      const set = (columns: string) =>
        `update enrollments set ${columns} where campaign_id = '${key.campaign_id}' and contact_id = '${key.contact_id}'`;
      const reset = set(`leased = 0, available_at = '', claim_id = null`);
      await finds([QUEUE], set('leased = 1'), reset);
      await finds([QUEUE], set(`available_at = 'tomorrow'`), reset);
    });

    it('verify finds a tag entry without a contact, and a missing one', async () => {
      const { workspace_id: at, tag, seq } = await one('select * from contact_tags order by seq limit 1');
      const add = (name: string, place: number) =>
        `insert into contact_tags (workspace_id, tag, seq) values (${at}, '${name}', ${place})`;
      const remove = (name: string, place: number) =>
        `delete from contact_tags where workspace_id = ${at} and tag = '${name}' and seq = ${place}`;
      await finds([TAGS, COUNTS], add('orphan', 999_999), remove('orphan', 999_999));
      await finds([TAGS, COUNTS], remove(tag, seq), add(tag, seq));
    });

    it('verify finds list JSON and search texts that do not match the columns', async () => {
      const { id, email } = await one('select id, email from contacts where email is not null limit 1');
      const set = (text: string) => `update contacts set email = '${text}' where id = '${id}'`;
      await finds([CONTACTS], set('other@example.com'), set(email));
      const agent = await one('select id, name from agents limit 1');
      const name = (text: string) => `update agents set name = '${text}' where id = '${agent.id}'`;
      await finds([AGENTS], name('Nobody'), name(agent.name));
    });

    it('verify finds times out of order', async () => {
      const { id, updated_at, wire } = await one('select id, updated_at, wire from contacts limit 1');
      const early = '1999-01-01T00:00:00.000Z';
      const set = (from: string, to: string) =>
        `update contacts set updated_at = '${to}', wire = replace(wire, '"updated_at":"${from}"', '"updated_at":"${to}"') where id = '${id}'`;
      await finds([TIMES], set(updated_at, early), set(early, updated_at));
      assert.equal((await one(`select wire from contacts where id = '${id}'`)).wire, wire);
    });

    it('verify finds a gap in the versions and in the deploys', async () => {
      const draft = await one(`select v.agent_id, v.number from agent_versions as v where status = 'draft'
        and number = (select max(number) from agent_versions as l where l.agent_id = v.agent_id)`);
      const number = (from: number, to: number) =>
        `update agent_versions set number = ${to} where agent_id = '${draft.agent_id}' and number = ${from}`;
      await finds([VERSIONS, SUMMARIES], number(draft.number, 99), number(99, draft.number));
      const last = await one('select agent_id, number from deploys order by number desc limit 1');
      const deploy = (from: number, to: number) =>
        `update deploys set number = ${to} where agent_id = '${last.agent_id}' and number = ${from}`;
      await finds([DEPLOYS], deploy(last.number, 99), deploy(99, last.number));
    });

    it('verify finds a config that does not match its hash', async () => {
      const { id, config_sha256 } = await one(
        "select id, config_sha256 from agent_versions where config like '%anthropic%' limit 1",
      );
      const set = (column: string) => `update agent_versions set ${column} where id = '${id}'`;
      const replace = (from: string, to: string) => set(`config = replace(config, ': ${from}', ': ${to}')`);
      const hash = (text: string) => set(`config_sha256 = '${text}'`);
      const swap = (from: string, to: string) => replace(`"${from}"`, `"${to}"`);
      await finds([CONFIGS], swap('anthropic', 'other'), swap('other', 'anthropic'));
      await finds([CONFIGS], hash('0'.repeat(64)), hash(config_sha256));
      await database.query(replace('0.3', '3e-1'));
      assert.deepEqual(await failedChecks(database), [], 'the same number in another form');
      await database.query(replace('3e-1', '0.3'));
    });

    it('verify finds a wrong and a missing version summary', async () => {
      const { id, versions } = await one('select id, versions from agents limit 1');
      const set = (text: string) => `update agents set versions = '${text}' where id = '${id}'`;
      await finds([SUMMARIES], set(versions.replace(/"v\d+"/, '"v99"')), set(versions));
      await finds([SUMMARIES], set(versions.replace(/\{[^}]*\},?/, '')), set(versions));
    });

    it('verify finds data that a deleted contact left behind', async () => {
      const call = await one('select id, contact_id from calls where contact_id is not null limit 1');
      const link = (to: string) => `update calls set contact_id = '${to}' where id = '${call.id}'`;
      await finds([CALLS], link('contact_gone'), link(call.contact_id));
      const row = await one('select * from import_rows where contact_id is not null limit 1');
      const set = (to: string) =>
        `update import_rows set contact_id = '${to}' where import_id = '${row.import_id}' and number = ${row.number}`;
      await finds([ROWS], set('contact_gone'), set(row.contact_id));
    });

    it('verify finds a hook without a channel, and a channel without its hook', async () => {
      const { id, workspace_id: at } = await one(
        'select h.* from hooks as h join channels as c on c.id = h.id limit 1',
      );
      const insert = (hook: string) => `insert into hooks (id, workspace_id) values ('${hook}', ${at})`;
      const remove = (hook: string) => `delete from hooks where id = '${hook}'`;
      await finds([HOOKS], remove(id), insert(id));
      await finds([HOOKS], insert('channel_gone'), remove('channel_gone'));
    });

    it('verify finds a gap in the positions of events', async () => {
      const { workspace_id: at } = await one('select workspace_id from contacts limit 1');
      const insert = [900_001, 900_003].map(
        (seq) => `(${at}, ${seq}, '2026-01-01T00:00:00.000Z', 'webhook.test', 'none', 'nobody')`,
      );
      await database.query(`update events set seq = seq - 1000000 where seq > 0`);
      await finds(
        [POSITIONS],
        `insert into events (workspace_id, seq, at, type, subject, actor) values ${insert}`,
        `delete from events where seq = 900003`,
      );
    });

    it('verify rejects a newer database, and one that is not from Roster', async () => {
      const next = SCHEMA_VERSION + 1;
      await database.query(`insert into migrations (number, name) values (${next}, 'newer')`);
      await assert.rejects(openSnapshot(database.database), (error: Error) => {
        assert.ok(error instanceof DatabaseSetupError);
        assert.match(
          error.message,
          new RegExp(`has schema version ${next}; this version of Roster supports ${next - 1}\\.`),
        );
        return true;
      });
      await database.query(`delete from migrations where number = ${next}`);
      const other = await emptyEngines[engine]();
      await other.query('create table notes (text text)');
      await assert.rejects(openSnapshot(other.database), /not a Roster database|Roster did not create/);
      await other.drop();
    });

    it('verify finds two deployed versions', async () => {
      const { sql } = await one(
        engine === 'sqlite'
          ? `select sql from sqlite_schema where name = 'agent_versions_deployed'`
          : `select indexdef as sql from pg_indexes where indexname = 'agent_versions_deployed'`,
      );
      await database.query('drop index agent_versions_deployed');
      const { agent_id, number } =
        await one(`select agent_id, number from agent_versions as v where status = 'archived'
        and exists (select 1 from agent_versions as d where d.agent_id = v.agent_id and d.status = 'deployed') limit 1`);
      const set = (status: string) =>
        `update agent_versions set status = '${status}' where agent_id = '${agent_id}' and number = ${number}`;
      await database.query(set('deployed'));
      const missing = engine === 'sqlite' ? [SCHEMA] : [];
      assert.deepEqual(
        (await failedChecks(database)).sort(),
        [...missing, DEPLOYED, DEPLOYS, AGENTS, SUMMARIES].sort(),
      );
      await database.query(set('archived'));
      await database.query(sql);
      assert.deepEqual(await failedChecks(database), []);
    });

    if (engine === 'sqlite') {
      it('verify finds a missing, extra, misplaced or stale search entry', async () => {
        const row = await one(
          `select workspace_id << 40 | seq as place, search_text || char(31, 31) as text,
            search_phone || char(31, 31) as phone from contacts limit 1`,
        );
        const { place, text, phone } = row;
        const add = (at: number, words: string) =>
          `insert into contacts_search (rowid, text, phone) values (${at}, '${words}', '${phone}')`;
        const remove = (at: number, words: string) =>
          `insert into contacts_search (contacts_search, rowid, text, phone) values ('delete', ${at}, '${words}', '${phone}')`;
        await finds([INDEX_CONTENT, INDEXED_CONTACTS], remove(place, text), add(place, text));
        await finds([INDEX_CONTENT], add(place + 999_999, text), remove(place + 999_999, text));
        await database.query(remove(place, text));
        // A different first character, and a missing separator.
        for (const stale of [`~${text.slice(1)}`, text.slice(0, -1)]) {
          await database.query(add(place, stale));
          assert.deepEqual(await failedChecks(database), [INDEX_CONTENT]);
          await database.query(remove(place, stale));
        }
        await database.query(add(place + 999_999, text));
        assert.deepEqual(await failedChecks(database), [INDEXED_CONTACTS]);
        await database.query(remove(place + 999_999, text));
        await database.query(add(place, text));
        assert.deepEqual(await failedChecks(database), []);
      });

      it('verify finds wrong n-gram counts and a wrong position up to which they are complete', async () => {
        await fillWithNgrams(database);
        assert.deepEqual(await failedChecks(database), []);
        const add = (by: number) => `update tallies set count = count + ${by} where list like 'contacts~_%'`;
        await finds([NGRAM_COUNTS], add(1), add(-1));
        await finds([NGRAM_COUNTS], add(-1), add(1));
        const turn = `update tallies set count = -count where list = 'contacts~'`;
        await finds([NGRAM_COUNTS], turn, turn);
        const away = `update tallies set list = 'x' || list where list like 'contacts~_%'`;
        const back = `update tallies set list = substr(list, 2) where list like 'xcontacts~_%'`;
        await finds([NGRAM_COUNTS, COUNTS], away, back);
      });

      it('verify finds triggers, views and virtual tables that Roster did not create, and changed tables', async () => {
        const [index] = await database.query(`select sql from sqlite_schema where name = 'agents_listed'`);
        /** Runs statements one by one. */
        const run = async (...statements: string[]) => {
          for (const sql of statements) await database.query(sql);
        };
        const findsExamples = async (...examples: string[]) => {
          const found = (await checksOf(database)).filter(({ count }) => count > 0);
          assert.deepEqual(
            found.map((each) => [each.name, each.count, [...each.examples].sort()]),
            [[SCHEMA, examples.length, examples]],
          );
        };
        await run(
          `create trigger odd_trigger after insert on contacts begin update workspaces set name = 'odd'; end`,
          'create view odd_view as select * from contacts',
          'create virtual table odd_text using fts5(text)',
        );
        await findsExamples(
          'the table odd_text is not part of Roster',
          'the trigger odd_trigger is not part of Roster',
          'the view odd_view is not part of Roster',
        );
        await run('drop trigger odd_trigger', 'drop view odd_view', 'drop table odd_text');
        await run(
          'alter table agents add column odd text',
          'drop index agents_listed',
          'create unique index odd_index on contacts (id)',
        );
        await findsExamples(
          'the index agents_listed is missing',
          'the index odd_index is not part of Roster',
          'the table agents was changed',
        );
        await run('alter table agents drop column odd', 'drop index odd_index', String(index?.sql));
        // Litestream, for example, adds tables.
        await run(
          'create table odd_table (id text)',
          'create unique index odd_id on odd_table (id)',
          'create table odd_number (id integer primary key)',
          'create index odd_notes on contacts (notes)',
        );
        assert.deepEqual(await failedChecks(database), []);
        await run('drop table odd_table', 'drop table odd_number', 'drop index odd_notes');
      });

      it('verify finds a dangling reference and an index with a missing row', async () => {
        const db = new DatabaseSync(database.url.slice('sqlite:'.length), {
          enableForeignKeyConstraints: false,
          defensive: false,
        });
        db.exec(`insert into hooks (id, workspace_id) values ('nowhere', 77)`);
        assert.deepEqual((await failedChecks(database)).sort(), [REFERENCES, HOOKS].sort());
        db.exec(`delete from hooks where id = 'nowhere'; pragma writable_schema = on`);
        // The index contains less than its metadata says.
        db.exec(`drop index agents_listed; create unique index agents_listed on agents (workspace_id, seq)
          where deleted_at is null and seq > 1`);
        db.exec(
          `update sqlite_schema set sql = replace(sql, ' and seq > 1', '') where name = 'agents_listed'`,
        );
        db.close();
        assert.ok((await failedChecks(database)).includes(INTEGRITY));
        await database.query('reindex');
        assert.deepEqual(await failedChecks(database), []);
      });
    } else {
      it('verify finds triggers and rules that Roster did not create', async () => {
        await database.query(
          `create function odd() returns trigger language plpgsql as 'begin return new; end'`,
        );
        await finds(
          ['no trigger or rule was added to the tables'],
          'create trigger odd before insert on contacts execute function odd()',
          'drop trigger odd on contacts',
        );
        await finds(
          ['no trigger or rule was added to the tables'],
          'create rule odd as on insert to contacts do also nothing',
          'drop rule odd on contacts',
        );
        await finds([], 'create view odd as select * from contacts', 'drop view odd');
      });

      it('verify finds an invalid index and an invalid constraint', async () => {
        const set = (valid: boolean) =>
          `update pg_index set indisvalid = ${valid} where indexrelid = 'contacts_search'::regclass`;
        await finds(['indexes are valid'], set(false), set(true));
        await finds(
          ['constraints are valid'],
          'alter table agents add constraint odd check (length(name) > 1000) not valid',
          'alter table agents drop constraint odd',
        );
      });
    }

    it('verify finds no problem after the repair of all damage', async () => {
      assert.deepEqual(await failedChecks(database), []);
    });

    it('verify finds two contacts with one number', async () => {
      const without = {
        sqlite: [
          'alter table contacts rename to former',
          'create table contacts as select * from former',
          'drop table former',
        ],
        postgres: ['alter table contacts drop constraint contacts_workspace_id_phone_identity_key'],
      };
      for (const sql of without[engine]) await database.query(sql).catch(() => {});
      await database.query(`update contacts set phone_identity = (select min(phone_identity) from contacts)
        where id in (select id from contacts order by phone_identity limit 2)`);
      assert.ok((await failedChecks(database)).includes(NUMBERS));
    });
  });
}

onEveryEngine('verify on a service under write load', (service) => {
  it('verify reads the state from the moment when it started', async () => {
    await makeContact(service, { tags: ['one'] });
    const snapshot = await openSnapshot(service.database.database);
    const { id } = await makeContact(service, { first_name: 'Ada', tags: ['one', 'two'] });
    await service.database.query(`update tallies set count = count + 1 where list = 'contacts'`);
    const checks = await Array.fromAsync(verify(snapshot, { onStart: () => {} }));
    const seen = await snapshot.all<{ id: string }>('select id from contacts');
    await snapshot.close();
    assert.deepEqual(
      checks.filter(({ count }) => count > 0),
      [],
    );
    assert.deepEqual([seen.length, seen.some((each) => each.id === id)], [1, false]);
    assert.deepEqual(await failedChecks(service.database), [COUNTS], 'who looks later sees what was done');
  });
});
