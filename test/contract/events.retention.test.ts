import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { expireEvents } from '../../src/features/events/event.sequence.ts';
import { openTestStorage } from '../kit/database/workspaces.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onEveryEngine, startTestService } from '../kit/service/test-service.ts';

const LONG_AGO = '2020-01-01T00:00:00.000Z';

onEveryEngine('Retention of events', (service) => {
  let key = '';
  before(async () => {
    key = await createScopedKey(service.database, 'events:read');
  });
  const get = (query: string) => service.get(`/v1/events?${query}`, { key });
  const read = async (query = ''): Promise<Json> => (await get(query)).body.data;
  const subjectsOf = ({ events }: Json) => events.map(({ subject_id }: Json) => subject_id);
  const setOld = (...ids: string[]) =>
    service.database.query(
      `update events set at = '${LONG_AGO}' where subject in (${ids.map((id) => `'${id}'`).join()})`,
    );
  const expiryOfDefault = async () => {
    const [row] = await service.database.query(`select id from workspaces where name = 'default'`);
    return { workspace: Number(row?.id), before: '2021-01-01T00:00:00.000Z', ahead: '9999' };
  };
  const expire = async () => {
    const storage = await openTestStorage(service.database);
    const expiry = await expiryOfDefault();
    while ((await storage.run(expireEvents, null, expiry)) > 0);
    await storage.close();
  };
  const make = async (count: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let at = 0; at < count; at++) ids.push((await makeContact(service)).id);
    return ids;
  };

  it('Expired events are gone, and a reader that has not seen them gets 410', async () => {
    const ids = await make(6);
    const { events } = await read();
    assert.deepEqual(subjectsOf({ events }), ids);
    await setOld(...ids.slice(0, 3));
    await expire();
    assert.deepEqual(subjectsOf(await read()), ids.slice(3));
    for (const { id } of events.slice(0, 2)) {
      const reply = await get(`after=${id}`);
      assert.deepEqual([reply.status, reply.body.error.code], [410, 'GONE']);
      assert.match(reply.body.error.message, /after=latest/);
    }
    const next = await read(`after=${events[2].id}`);
    assert.deepEqual(subjectsOf(next), ids.slice(3), 'a reader that has seen all of them continues');
    assert.equal((await service.get(`/v1/events/${events[0].id}`, { key })).status, 404);
  });

  it('Events that no reader has asked for get their positions before they expire', async () => {
    const { after } = await read('after=latest');
    const ids = await make(4);
    await setOld(...ids.slice(0, 3));
    await expire();
    const reply = await get(`after=${after}`);
    assert.equal(reply.status, 410, 'the reader notices what it missed');
    assert.deepEqual(subjectsOf(await read()), ids.slice(3));
  });

  it('Events expire although another transaction is sequencing events', async () => {
    // SQLite has one writer.
    if (service.database.database.engine === 'sqlite') return;
    const ids = await make(3);
    await setOld(...ids.slice(0, 2));
    const expiry = await expiryOfDefault();
    const other = new Client({ connectionString: service.database.url });
    await other.connect();
    const lock = `pg_advisory_xact_lock(hashtextextended('events ${expiry.workspace}', 0))`;
    await other.query(`begin; select ${lock}`);
    const storage = await openTestStorage(service.database);
    const step = storage.run(expireEvents, null, expiry);
    await pause(30);
    await other.query('commit');
    await other.end();
    assert.ok((await step) > 0, 'the step waited for the other transaction');
    await storage.close();
    await expire();
    assert.deepEqual(subjectsOf(await read()).slice(-1), ids.slice(2));
  });

  it('The newest event remains, so that no position is used twice', async () => {
    await service.database.query(`update events set at = '${LONG_AGO}'`);
    const { after } = await read('after=latest');
    await expire();
    const { events } = await read();
    assert.deepEqual(
      events.map(({ id }: Json) => id),
      [after],
    );
    const [id] = await make(1);
    const next = await read(`after=${after}`);
    assert.deepEqual(subjectsOf(next), [id]);
    assert.ok(next.events[0].id > after);
  });

  it('The service deletes events that are older than EVENT_DAYS', async () => {
    const ids = await make(3);
    await setOld(...ids.slice(0, 2));
    const other = await startTestService(service.database, { eventDays: 1 });
    try {
      for (let tries = 0; tries < 250 && (await read()).events.length > 1; tries++) await pause(20);
      assert.deepEqual(subjectsOf(await read()), ids.slice(2));
    } finally {
      await other.stop();
    }
  });
});
