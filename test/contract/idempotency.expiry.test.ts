import assert from 'node:assert/strict';
import { it } from 'node:test';
import { expireAnswers } from '../../src/features/idempotency/idempotency.service.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { openTestStorage } from '../kit/database/workspaces.ts';
import { runBulkJob } from '../kit/fixtures/bulk-jobs.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { assertError } from '../kit/http/assertions.ts';
import { isReplay, withIdempotencyKey } from '../kit/http/idempotency.ts';
import { applyImport, planCsv, undoImport } from '../kit/imports/imports.ts';
import { onEveryEngine } from '../kit/service/test-service.ts';

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const HOUR_MS = 3_600_000;

onEveryEngine('Expiry of idempotency keys', (service) => {
  const query = (sql: string, ...values: string[]) => service.database.query(sql, ...values);
  const agents = (key: string) =>
    service.post('/v1/agents', { name: key, instructions: '' }, withIdempotencyKey(key));
  const age = (ms: number) => query('update retries set made_at = ?', ago(ms));

  /** Runs the hourly task once; it leaves this many responses. */
  const expire = async (left: number) => {
    const storage = await openTestStorage(service.database);
    const [row] = await query(`select id from workspaces where name = 'default'`);
    const times = { before: ago(24 * HOUR_MS), ahead: ago(-24 * HOUR_MS) };
    while ((await storage.run(expireAnswers, null, { workspace: Number(row?.id), ...times })) > 0);
    await storage.close();
    assert.equal((await query('select answer from retries')).length, left);
  };

  it('A stored response is replayed for 24 hours; then the idempotency key is new again', async () => {
    const first = await agents('a day');
    await age(24 * HOUR_MS - 60_000);
    assert.ok(isReplay(await agents('a day')));
    await age(24 * HOUR_MS);
    const second = await agents('a day');
    assert.deepEqual([second.status, isReplay(second)], [201, false]);
    assert.notEqual(second.body.data.id, first.body.data.id);
    const third = await agents('a day');
    assert.deepEqual([third.text, isReplay(third)], [second.text, true]);
  });

  it('A stored response dated more than a day ahead is not replayed and is removed', async () => {
    const first = await agents('ahead');
    await age(60_000 - 24 * HOUR_MS);
    assert.ok(isReplay(await agents('ahead')));
    await age(-25 * HOUR_MS);
    const second = await agents('ahead');
    assert.deepEqual([second.status, isReplay(second)], [201, false], second.text);
    assert.notEqual(second.body.data.id, first.body.data.id);
    await age(-25 * HOUR_MS);
    await expire(0);
  });

  it('Stored responses are removed automatically after 24 hours, and not before', async () => {
    await agents('old');
    await age(24 * HOUR_MS);
    const recent = await agents('young');
    await expire(1);
    const [{ answer } = {}] = await query('select answer from retries');
    assert.ok(String(answer).includes(recent.body.data.id));
  });

  it('Deleting a contact clears its stored response, and a retry does not create it again', async () => {
    const [body, other] = [{ phone_number: newPhone(), notes: 'canary' }, { phone_number: newPhone() }];
    const create = (sent: object) => service.post('/v1/contacts', sent, withIdempotencyKey('person'));
    const { id } = (await create(body)).body.data;
    const patch = () =>
      service.patch(`/v1/contacts/${id}`, { first_name: 'canary' }, withIdempotencyKey('person'));
    const refuse = () => service.post('/v1/contacts', body, withIdempotencyKey('taken'));
    assert.equal((await patch()).status, 200);
    assert.equal((await refuse()).body.error.details.existing_contact_id, id);
    const kept = async () => JSON.stringify(await query('select * from retries'));
    assert.ok((await kept()).includes('canary'));

    assert.equal((await service.delete(`/v1/contacts/${id}`)).status, 200);
    const left = await kept();
    for (const text of [id, 'canary', body.phone_number]) assert.ok(!left.includes(text), text);
    for (const retry of [() => create(body), () => create(other), patch, refuse]) {
      const reply = await retry();
      assert.match(assertError(reply, 409, 'CONFLICT').message, /has since been deleted.*new key/);
      assert.equal(isReplay(reply), false);
    }
    assert.equal((await service.get('/v1/contacts')).body.pagination.total, 0);
    assert.equal((await service.post('/v1/contacts', body, withIdempotencyKey('a new one'))).status, 201);
  });

  it('Bulk deletes and undone imports clear the stored responses of their contacts', async () => {
    const owner = await signedInUser(service);
    const [chosen, imported] = [newPhone(), newPhone()];
    const create = (phone_number: string) =>
      service.post('/v1/contacts', { phone_number }, withIdempotencyKey(phone_number));
    const { id } = (await create(chosen)).body.data;
    const plan = await planCsv(owner, `Phone\n${imported}\n`);
    await applyImport(owner, plan.id);
    const refused = await create(imported);
    assertError(refused, 409, 'CONFLICT');
    await runBulkJob(owner, { action: 'delete', selection: { ids: [id] } });
    await undoImport(owner, plan.id);
    for (const phone_number of [chosen, imported]) {
      assert.match(
        assertError(await create(phone_number), 409, 'CONFLICT').message,
        /has since been deleted/,
      );
    }
  });
});
