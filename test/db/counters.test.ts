import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { count, readCounter } from '../../src/db/counters.ts';
import type { Db } from '../../src/db/db.ts';
import { read, write } from '../../src/db/operation.ts';
import { compactCounters } from '../../src/db/postgres/counter-compaction.ts';
import { openPool } from '../../src/db/postgres/pool.ts';
import { Servers } from '../../src/db/postgres/servers.ts';
import { inTransaction } from '../../src/db/postgres/transaction.ts';
import { createContact } from '../../src/features/contacts/contact.service.ts';
import { actualCounts, storedCounts } from '../kit/database/counters.ts';
import type { TestDatabase } from '../kit/database/engines.ts';
import { makeWorkspace } from '../kit/database/workspaces.ts';
import { makeAgent, makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { Random } from '../kit/random.ts';
import { databaseFor, serviceFor, storageFor } from '../kit/service/scoped-resources.ts';
import { KEY, onEveryEngine, type TestService } from '../kit/service/test-service.ts';

/** The tags in list order, and the tags of the contacts themselves. */
const tagsOf = async ({ query }: TestDatabase) => {
  const order = (one: string, other: string) => (one < other ? -1 : 1);
  const beside = await query('select workspace_id, tag, seq from contact_tags');
  const own = await query('select workspace_id, tags, seq from contacts');
  return [
    beside.map(({ workspace_id, tag, seq }) => `${workspace_id} ${seq} ${tag}`).sort(order),
    own
      .flatMap(({ workspace_id, tags, seq }) =>
        (JSON.parse(String(tags)) as string[]).map((tag) => `${workspace_id} ${seq} ${tag}`),
      )
      .sort(order),
  ] as const;
};

const readCounts = read(
  'readCounts',
  (db: Db, _: null, { workspace, list }: { workspace: number; list: string }) =>
    readCounter(db, workspace, list),
);

const TAGS = ['red', 'green', 'blue', 'a:b', 'contacts', "o'"];

/** Many calls of every kind that changes a count, ten at a time. Some are rejected. */
const changeRandomly = async (service: TestService, keys: readonly string[], rounds: number) => {
  const random = new Random(42);
  const roll = (sides: number) => random.below(sides);
  const ids: string[] = [];
  const agents: string[] = [];
  const tags = () => TAGS.filter(() => roll(2) === 0);
  const one = async () => {
    const options = { key: keys[roll(keys.length)] as string };
    const [id, agent] = [ids[roll(ids.length + 1)] ?? 'none', agents[roll(agents.length + 1)] ?? 'none'];
    const call = roll(10);
    if (call < 4) {
      const reply = await service.post(
        '/v1/contacts',
        { phone_number: `+12125550${100 + roll(60)}`, tags: tags() },
        options,
      );
      if (reply.status === 201) ids.push(reply.body.data.id);
    } else if (call < 6) await service.patch(`/v1/contacts/${id}`, { tags: tags() }, options);
    else if (call < 7)
      await service.patch(
        `/v1/contacts/${id}`,
        { phone_number: `+12125550${100 + roll(60)}`, tags: tags() },
        options,
      );
    else if (call < 8) await service.delete(`/v1/contacts/${id}`, options);
    else if (call < 9) {
      const reply = await service.post('/v1/agents', { name: 'Agent', instructions: '' }, options);
      if (reply.status === 201) agents.push(reply.body.data.id);
    } else await service.delete(`/v1/agents/${agent}`, options);
  };
  for (let round = 0; round < rounds; round++) await Promise.all(Array.from({ length: 10 }, one));
};

onEveryEngine('Counters', (service) => {
  it('Counters equal the real counts after any series of calls, in every workspace', async (test) => {
    const storage = await storageFor(test, service.database);
    const workspaces = [await makeWorkspace(storage), await makeWorkspace(storage)];
    await changeRandomly(
      service,
      workspaces.map(({ key }) => key),
      40,
    );
    await storage.close();
    const real = await actualCounts(service.database);
    assert.ok(Object.keys(real).length >= 10, 'there is something to count');
    assert.deepEqual(await storedCounts(service.database), real);
    const [beside, own] = await tagsOf(service.database);
    assert.deepEqual(beside, own);
  });

  it('The total of a list is its counter', async () => {
    const total = async (path: string) => (await service.get(path)).body.pagination.total;
    const before = [await total('/v1/contacts'), await total('/v1/agents')];
    const { id } = await makeContact(service, { tags: ['x', 'y'] });
    const agent = await makeAgent(service);
    assert.deepEqual(
      [await total('/v1/contacts'), await total('/v1/agents')],
      before.map((count) => count + 1),
    );
    assert.deepEqual([await total('/v1/contacts?tag=x'), await total('/v1/contacts?tag=z')], [1, 0]);
    await service.patch(`/v1/contacts/${id}`, { tags: ['z', 'y'] });
    assert.deepEqual([await total('/v1/contacts?tag=x'), await total('/v1/contacts?tag=z')], [0, 1]);
    await service.delete(`/v1/contacts/${id}`);
    await service.delete(`/v1/agents/${agent.id}`);
    assert.deepEqual([await total('/v1/contacts'), await total('/v1/agents')], before);
    assert.equal(await total('/v1/contacts?tag=y'), 0);
  });
});

describe('Counters on PostgreSQL', () => {
  const partsOf = async ({ query }: TestDatabase) =>
    (await query(`select part, sum(count) as count from tallies where list = 'contacts' group by part`)).map(
      ({ part, count }) => [Number(part), Number(count)],
    );

  it('Counters keep their sums when a start compacts the parts of all connections', async (test) => {
    const database = await databaseFor(test, 'postgres');
    const first = await serviceFor(test, database);
    const second = await serviceFor(test, database);
    const made = await Promise.all(Array.from({ length: 30 }, () => makeContact(first, { tags: ['t'] })));
    await Promise.all(made.slice(0, 10).map(({ id }) => second.delete(`/v1/contacts/${id}`)));
    const before = await storedCounts(database);
    assert.deepEqual(before, await actualCounts(database));
    assert.deepEqual(Object.values(before), [20, 20, 20, 20, 20]);
    assert.ok((await partsOf(database)).length > 1, 'several connections have counted');
    await serviceFor(test, database);
    assert.deepEqual(await storedCounts(database), before);
    assert.deepEqual(await partsOf(database), [[0, 20]]);
    await Promise.all(made.slice(10).map(({ id }) => first.delete(`/v1/contacts/${id}`)));
    assert.equal((await second.get('/v1/contacts?tag=t')).body.pagination.total, 0);
    await serviceFor(test, database);
    assert.deepEqual(
      await database.query('select * from tallies'),
      [],
      'no counter of an empty list is left',
    );
  });

  it('Counters stay exact while they are compacted repeatedly under load', async (test) => {
    const database = await databaseFor(test, 'postgres');
    const service = await serviceFor(test, database);
    const pool = await openPool({ servers: new Servers(database.url), onFault: () => {} });
    let loaded = true;
    let compactions = 0;
    const compact = async () => {
      for (; loaded; compactions++) await compactCounters(pool);
    };
    const load = changeRandomly(service, [KEY], 40).finally(() => {
      loaded = false;
    });
    await Promise.all([load, compact()]).finally(() => pool.end());
    assert.ok(compactions > 10, `${compactions} compactions`);
    assert.deepEqual(await storedCounts(database), await actualCounts(database));
    assert.deepEqual(
      service.log.filter((line) => /"level":"error"|request failed/.test(line)),
      [],
    );
  });

  it('A failed compaction ends on a single server, and continues with other workspaces on a cluster', async (test) => {
    const database = await databaseFor(test, 'postgres');
    const storage = await storageFor(test, database);
    for (let made = 0; made < 3; made++) await makeWorkspace(storage);
    const [{ count: workspaces } = {}] = await database.query(
      'select count(*)::int as count from workspaces',
    );
    const pool = await openPool({ servers: new Servers(database.url), onFault: () => {} });
    test.after(() => pool.end());
    await database.query('alter table tallies rename to unavailable');
    let tried = 0;
    pool.on('acquire', () => tried++);
    await assert.rejects(compactCounters(pool), /tallies/);
    assert.equal(tried, 2, 'the list of workspaces and the first one');
    tried = 0;
    await assert.rejects(
      compactCounters(pool, () => pool),
      /tallies/,
    );
    assert.equal(tried, 1 + Number(workspaces));
  });

  it('Creates with the same tags do not wait for one that has not committed', async (test) => {
    const database = await databaseFor(test, 'postgres');
    const service = await serviceFor(test, database);
    const storage = await storageFor(test, database);
    const { principal, key } = await makeWorkspace(storage);
    const gate = Promise.withResolvers<void>();
    const made = Promise.withResolvers<void>();
    const waiting = write('waiting', async (db, who, input) => {
      const result = await createContact(db, who, input);
      made.resolve();
      await gate.promise;
      return result;
    });
    const blocked = storage.run(waiting, principal, {
      source: 'api',
      fields: { phone_number: newPhone(), tags: ['shared'] },
    });
    let ended = false;
    const ending = blocked.then(() => {
      ended = true;
    });
    await made.promise;
    const replies = await Promise.all(
      Array.from({ length: 30 }, () =>
        service.post('/v1/contacts', { phone_number: newPhone(), tags: ['shared'] }, { key }),
      ),
    );
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]));
    assert.equal(ended, false);
    const total = async (query = '') =>
      (await service.get(`/v1/contacts${query}`, { key })).body.pagination.total;
    assert.deepEqual([await total(), await total('?tag=shared')], [30, 30]);
    gate.resolve();
    await ending;
    assert.deepEqual([await total(), await total('?tag=shared')], [31, 31]);
  });

  it('Two transactions that read counters between their changes do not deadlock', async (test) => {
    const database = await databaseFor(test, 'postgres');
    const storage = await storageFor(test, database);
    const { workspace } = (await makeWorkspace(storage)).principal;
    await using resources = new AsyncDisposableStack();
    const connect = async () => {
      const servers = new Servers(database.url);
      const pool = await openPool({ servers, onFault: () => {}, size: 1 });
      resources.defer(() => pool.end());
      return (work: (db: Db) => Promise<void>) => inTransaction(pool, work);
    };
    const [first, second] = [await connect(), await connect()];
    // Each connection has counted one record in the list that the other one will empty.
    await first(async (db) => count(db, workspace, ['b'], 1));
    await second(async (db) => count(db, workspace, ['a'], 1));
    let waiting = 2;
    const both = Promise.withResolvers<void>();
    const replace = (from: string, to: string) => async (db: Db) => {
      count(db, workspace, [from], -1);
      assert.equal(await readCounter(db, workspace, from), 0);
      if (--waiting === 0) both.resolve();
      await both.promise;
      count(db, workspace, [to], 1);
    };
    await Promise.all([first(replace('a', 'b')), second(replace('b', 'a'))]);
    const counts = await Promise.all(
      ['a', 'b'].map((list) => storage.run(readCounts, null, { workspace, list })),
    );
    assert.deepEqual(counts, [1, 1]);
  });
});
