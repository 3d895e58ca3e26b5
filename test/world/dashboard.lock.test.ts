import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { addPerson, PASSWORD } from '../kit/dashboard.ts';
import { assertError, sameEveryTime } from '../kit/expect.ts';
import { repeatLastFailure } from '../kit/failures.ts';
import { onEveryEngine, type Reply, type TestService } from '../kit/service.ts';

const WRONG = 'not the password';
let count = 0;

const tryIn = (service: TestService, email: string, password = PASSWORD): Promise<Reply> =>
  service.post('/dashboard/api/session', { email, password }, { headers: { authorization: null } });

const fail = async (service: TestService, email: string, times: number) => {
  assertError(await tryIn(service, email, WRONG), 401, 'UNAUTHORIZED');
  await repeatLastFailure(service, times - 1);
};

onEveryEngine('failed sign-ins', (service) => {
  let email: string;
  beforeEach(async () => {
    email = `person${++count}@example.com`;
    await addPerson(service, email, 'member');
  });
  const age = (minutes: number) =>
    service.database.query(
      'update sign_in_failures set at = ?',
      new Date(Date.now() - minutes * 60_000).toISOString(),
    );

  test('lock further tries after ten, for the right password too, and say when to try again', async () => {
    await fail(service, email, 9);
    await fail(service, email, 1);
    const sessions = await service.database.query('select * from sessions');
    const right = await tryIn(service, email);
    assertError(right, 429, 'RATE_LIMITED');
    assert.equal(right.headers.get('retry-after'), '900');
    assert.equal(right.headers.get('set-cookie'), null);
    assert.deepEqual(sameEveryTime(await tryIn(service, email, WRONG)), sameEveryTime(right));
    assert.deepEqual(await service.database.query('select * from sessions'), sessions);
  });

  test('do not lock after nine', async () => {
    await fail(service, email, 9);
    assert.equal((await tryIn(service, email)).status, 200);
  });

  test('of one account do not lock another', async () => {
    const other = `other${count}@example.com`;
    await addPerson(service, other, 'member');
    await fail(service, email, 10);
    assert.equal((await tryIn(service, email)).status, 429);
    assert.equal((await tryIn(service, other)).status, 200);
  });

  test('count for an account however its email is written', async () => {
    await fail(service, email.toUpperCase(), 5);
    await fail(service, email, 5);
    assert.equal((await tryIn(service, email.toUpperCase())).status, 429);
    assert.equal((await tryIn(service, email)).status, 429);
  });

  test('lock an account that does not exist in the same way', async () => {
    const nobody = `nobody${count}@example.com`;
    await fail(service, nobody, 10);
    await fail(service, email, 10);
    const [unknown, known] = [await tryIn(service, nobody), await tryIn(service, email)];
    assert.equal(unknown.status, 429);
    assert.deepEqual(sameEveryTime(unknown), sameEveryTime(known));
  });

  test('count for fifteen minutes', async () => {
    await fail(service, email, 10);
    await age(14);
    assert.equal((await tryIn(service, email)).status, 429);
    await age(16);
    assert.equal((await tryIn(service, email)).status, 200);
    await fail(service, email, 1);
    const left = await service.database.query('select * from sign_in_failures');
    assert.equal(left.length, 1, 'what is older is forgotten');
  });

  test('are not prolonged by tries that were locked out', async () => {
    await fail(service, email, 10);
    const before = await service.database.query('select count(*) as count from sign_in_failures');
    for (let times = 0; times < 3; times++) assert.equal((await tryIn(service, email, WRONG)).status, 429);
    assert.deepEqual(await service.database.query('select count(*) as count from sign_in_failures'), before);
  });

  test('are ten at most when they come all at once', async () => {
    await fail(service, email, 8);
    const replies = await Promise.all(Array.from({ length: 20 }, () => tryIn(service, email, WRONG)));
    const statuses = replies.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [401, 401, ...Array(18).fill(429)]);
    assert.equal((await tryIn(service, email)).status, 429);
  });

  test('are kept without the address and the account in the clear', async () => {
    await fail(service, email, 1);
    const rows = JSON.stringify(await service.database.query('select * from sign_in_failures'));
    assert.equal(rows.includes('127.0.0.1'), false);
    assert.equal(rows.includes(email), false);
    assert.equal(rows.includes('person'), false);
  });
});
