import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { engines, TestDatabase } from '../kit/database/engines.ts';
import {
  killDuringImport,
  type RestartableService,
  withRestartableService,
} from '../kit/faults/restartable-service.ts';
import {
  allContacts,
  assertCounts,
  assertNoPendingJobs,
  withoutIdsAndTimes,
  withoutUpdatedAt,
} from '../kit/imports/assertions.ts';
import { planCsv, waitForImport } from '../kit/imports/imports.ts';
import { seededRandom } from '../kit/random.ts';

/** The number of kills per engine while applying; `npm run test:long -- resume` sets it to twenty. */
const KILL_POINTS = Number(process.env.RESUME_POINTS ?? 1);
const SEED = Number(process.env.RESUME_SEED ?? Date.now() % 1_000_000);
const KILLS_OF_ONE_IMPORT = 5;
const ROWS = 6_000;

const HEADER = 'Phone,First Name,Last Name,Email,Labels';
const phoneAt = (at: number) => `+1${200 + Math.floor(at / 100)}5550${100 + (at % 100)}`;

/** Stored before the import: a third of the numbers of the file, half of them with the values of the file. */
const base = () => {
  const lines = [HEADER];
  for (let at = 0; at < ROWS; at += 3) {
    lines.push(
      at % 2 === 0
        ? `${phoneAt(at)},Same ${at},,,base;tag ${at % 7}`
        : `${phoneAt(at)},Old ${at},,,base;old ${at % 5}`,
    );
  }
  return lines.join('\n');
};

/** Two in three rows create a contact, a sixth changes one and a sixth does not. Every tenth row is followed by a
 *  duplicate, every twentieth by an invalid row. */
const file = () => {
  const lines = [HEADER];
  for (let at = 0; at < ROWS; at++) {
    const same = at % 6 === 0;
    lines.push(
      same
        ? `${phoneAt(at)},Same ${at},,,base;tag ${at % 7}`
        : `${phoneAt(at)},New ${at},Name ${at},p${at}@example.com,tag ${at % 7};new`,
    );
    if (at % 10 === 0) lines.push(`${phoneAt(at)},Twice ${at},,,twice`);
    if (at % 20 === 0)
      lines.push(at % 40 === 0 ? `none ${at},Wrong,,,` : `${phoneAt(at)},Wrong,,no address,`);
  }
  return lines.join('\n');
};

const PLANNED = { create: 4_000, update: 1_000, unchanged: 1_000, duplicate_in_file: 600, invalid: 300 };

/** The visible state of a finished import, without ids and times. */
const outcomeOf = async (service: RestartableService, id: string) => {
  const total = async (query: string) =>
    (await service.call('GET', `/contacts?limit=1${query}`)).body.pagination.total;
  const { state, totals, rows } = (await service.call('GET', `/imports/${id}`)).body.data;
  await assertCounts(service.database);
  await assertNoPendingJobs(service.database);
  return {
    state,
    totals,
    rows,
    contacts: withoutIdsAndTimes(await allContacts(service)),
    lists: {
      all: await total(''),
      base: await total('&tag=base'),
      tag: await total('&tag=tag%203'),
      new: await total('&tag=new'),
      twice: await total('&tag=twice'),
      found: await total('&search=p17%40example'),
    },
    report: (await service.call('GET', `/imports/${id}/report.csv`)).text,
  };
};

/** Asserts that each row that created or changed a contact refers to the one with its number. */
const assertLinksIntact = async ({ query }: TestDatabase, id: string) => {
  const linked = await query(
    `select effect, count(*) as count from import_rows join contacts
     on contacts.workspace_id = import_rows.workspace_id and contacts.id = contact_id and phone_identity = identity
     where import_id = ? group by 1 order by 1`,
    id,
  );
  assert.deepEqual(
    linked.map(({ effect, count }) => [effect, Number(count)]),
    [
      ['created', PLANNED.create],
      ['none', PLANNED.unchanged],
      ['updated', PLANNED.update],
    ],
  );
};

const planFile = (service: RestartableService) =>
  planCsv(service, file(), { on_existing: 'overwrite', on_invalid: 'reject_row' });

const killed = async (engine: keyof typeof engines, service: RestartableService) => {
  const random = seededRandom(SEED + (engine === 'sqlite' ? 0 : 1));
  const hits = { applying: 0, undoing: 0 };
  let duration = 0;
  /** Starts an action, kills the service up to `maxKills` times while it runs, and waits for its end. */
  const work = async (id: string, action: 'apply' | 'undo', maxKills: number) => {
    const state = action === 'apply' ? 'applying' : 'undoing';
    assert.equal((await service.call('POST', `/imports/${id}/${action}`)).status, 200);
    for (let kills = 0; kills < maxKills; kills++) {
      const point = { id, wait: (random() * duration) / maxKills, afterMove: random() < 0.8 };
      if ((await killDuringImport(service, point)) !== state) {
        // It finished before the kill: the next kills come sooner.
        duration /= 2;
        break;
      }
      hits[state]++;
    }
    return waitForImport(service, id);
  };

  const before = await planCsv(service, base());
  assert.equal((await work(before.id, 'apply', 0)).totals.created, ROWS / 3);
  const stored = await allContacts(service);

  const whole = await planFile(service);
  assert.deepEqual(whole.totals, PLANNED);
  const began = performance.now();
  await work(whole.id, 'apply', 0);
  duration = performance.now() - began;
  const applied = await outcomeOf(service, whole.id);
  assert.deepEqual(applied.totals, { ...PLANNED, created: 4_000, updated: 1_000, none: 1_000 });
  assert.deepEqual(applied.lists, {
    all: ROWS,
    base: 2_000,
    tag: applied.contacts.filter(({ tags }) => tags.includes('tag 3')).length,
    new: 5_000,
    twice: 0,
    found: 1,
  });
  await assertLinksIntact(service.database, whole.id);
  await work(whole.id, 'undo', 0);
  const undone = await outcomeOf(service, whole.id);
  assert.deepEqual([undone.totals.removed, undone.totals.restored], [4_000, 1_000]);
  assert.deepEqual(withoutUpdatedAt(await allContacts(service)), withoutUpdatedAt(stored));

  for (let round = 0; hits.applying < KILL_POINTS && round < KILL_POINTS + 3; round++) {
    const { id } = await planFile(service);
    const maxKills = Math.min(KILLS_OF_ONE_IMPORT, KILL_POINTS - hits.applying);
    await work(id, 'apply', maxKills);
    assert.deepEqual(await outcomeOf(service, id), applied);
    await assertLinksIntact(service.database, id);
    await work(id, 'undo', 2);
    assert.deepEqual(await outcomeOf(service, id), undone);
    assert.deepEqual(withoutUpdatedAt(await allContacts(service)), withoutUpdatedAt(stored));
  }
  assert.equal(hits.applying, KILL_POINTS);
  assert.ok(hits.undoing > 0, 'some kills hit while it was undone');
  assert.deepEqual(service.errors(), []);
  return hits;
};

describe('Killed imports', { concurrency: true }, () => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    it(`An import that is killed repeatedly creates the same contacts as an uninterrupted one on ${engine}`, {
      timeout: 600_000,
    }, async (test) => {
      await withRestartableService(engine, async (service) => {
        const hits = await killed(engine, service).catch((error) => {
          const errors = service.errors().join('\n');
          throw new Error(`with RESUME_SEED=${SEED} RESUME_POINTS=${KILL_POINTS} ${errors}`, {
            cause: error,
          });
        });
        test.diagnostic(
          `seed ${SEED}: killed ${hits.applying} times while applying, ${hits.undoing} while undoing`,
        );
      });
    });

    it(`An import that is killed while its file is read leaves nothing to apply on ${engine}`, async () => {
      await withRestartableService(engine, async (service) => {
        const rows = file().split('\n');
        const headers = { 'content-type': 'text/csv', ...service.headers() };
        const sending = request(`${service.url()}/v1/imports?country=US`, {
          method: 'POST',
          headers,
        });
        sending.on('error', () => {});
        // Long rows, because the first mebibyte of a file is examined before it is planned.
        const long = rows.slice(0, 3_000).map((row) => `${row},${'x'.repeat(400)}`);
        sending.write(long.join('\n'));
        const listed = async () => (await service.call('GET', '/imports')).body.data;
        let [half] = await listed();
        while (!(half?.progress > 0)) {
          await pause(10);
          [half] = await listed();
        }
        await service.kill();
        await service.start();
        assert.equal((await service.call('GET', `/imports/${half.id}`)).body.data.state, 'planning');
        assert.equal((await service.call('POST', `/imports/${half.id}/apply`)).status, 409);
        assert.deepEqual(await allContacts(service), []);
        // An abandoned upload is removed after a while.
        await service.database.query(`update jobs set due_at = '' where subject = ?`, half.id);
        const left = async () => [
          ...(await listed()),
          ...(await service.database.query('select import_id from import_rows limit 1')),
          ...(await service.database.query('select kind from jobs')),
        ];
        for (let tries = 0; (await left()).length > 0; tries++) {
          assert.ok(tries < 400, 'the abandoned plan was not removed');
          await pause(25);
        }
        assert.equal((await service.call('GET', `/imports/${half.id}`)).status, 404);
        const whole = await planCsv(service, rows.join('\n'));
        assert.deepEqual([whole.state, whole.rows], ['planned', rows.length - 1]);
        assert.deepEqual(service.errors(), []);
      });
    });
  }
});
