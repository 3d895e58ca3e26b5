import assert from 'node:assert/strict';
import { argon2Sync } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { repeatLastFailure } from '../kit/dashboard/sign-in-failures.ts';
import { PASSWORD, signedInUser } from '../kit/dashboard/users.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { onEveryEngine } from '../kit/service/test-service.ts';

const NEW = 'another horse battery';
let count = 0;

onEveryEngine('Password change', (service) => {
  let email: string;
  let here: CheckedUser;
  let elsewhere: CheckedUser;
  let colleague: CheckedUser;
  const enter = async (who: string) => checkedUser(service, await signedInUser(service, who, 'member'));
  const isIn = async ({ call }: CheckedUser) => (await call('GET', '/session')).status === 200;
  const tryIn = (password: string) =>
    service.post('/dashboard/api/session', { email, password }, { headers: { authorization: null } });
  const change = (body: unknown) => here.call('PUT', '/session/password', body);

  beforeEach(async () => {
    email = `person${++count}@example.com`;
    [here, elsewhere] = [await enter(email), await enter(email)];
    colleague = await enter(`colleague${count}@example.com`);
  });

  test('A password change ends all other sessions of that user and of no other user', async () => {
    const reply = await change({ current_password: PASSWORD, new_password: NEW });
    assert.equal(reply.status, 200, reply.text);
    assert.deepEqual([reply.body.data.email, reply.body.data.role], [email, 'member']);
    assert.deepEqual(
      [await isIn(here), await isIn(elsewhere), await isIn(colleague)],
      [true, false, true],
      'here, elsewhere, a colleague',
    );
    assertError(await tryIn(PASSWORD), 401, 'UNAUTHORIZED');
    assert.equal((await tryIn(NEW)).status, 200);
  });

  test('A sign-in upgrades a hash without parameters, and sessions stay open', async () => {
    const stored = async () =>
      String(
        (await service.database.query('select password from users where email = ?', email))[0]?.password,
      );
    const salt = Buffer.alloc(16, 3);
    const tag = argon2Sync('argon2id', {
      message: PASSWORD,
      nonce: salt,
      memory: 65_536,
      passes: 3,
      parallelism: 4,
      tagLength: 32,
    });
    const older = `argon2id$${salt.toString('base64')}$${tag.toString('base64')}`;
    await service.database.query('update users set password = ? where email = ?', older, email);
    assertError(await tryIn(NEW), 401, 'UNAUTHORIZED');
    assert.equal(await stored(), older, 'a wrong password changes nothing');
    const replies = await Promise.all([tryIn(PASSWORD), tryIn(PASSWORD)]);
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200],
    );
    const upgraded = await stored();
    assert.match(upgraded, /^\$argon2id\$v=19\$m=65536,t=3,p=4\$/);
    assert.deepEqual([await isIn(here), await isIn(elsewhere)], [true, true]);
    assert.equal((await tryIn(PASSWORD)).status, 200);
    assert.equal(await stored(), upgraded, 'it is upgraded once');
  });

  test('A password change requires the current password', async () => {
    const stored = () => service.database.query('select password from users where email = ?', email);
    const before = await stored();
    assertError(
      await change({ current_password: NEW, new_password: 'third horse battery' }),
      403,
      'FORBIDDEN',
    );
    assertInvalid(await change({ new_password: NEW }), 'current_password');
    assert.deepEqual(await stored(), before);
    assert.equal(await isIn(elsewhere), true);
    assert.equal((await tryIn(PASSWORD)).status, 200);
  });

  test('A new password must have 12 to 200 characters', async () => {
    const wanting = (new_password: unknown) => change({ current_password: PASSWORD, new_password });
    assertInvalid(await wanting('eleven char'), 'new_password');
    assertInvalid(await wanting('p'.repeat(201)), 'new_password');
    assertInvalid(await wanting(null), 'new_password');
    assertInvalid(await wanting('half \ud800 of a pair'), 'new_password');
    assert.equal(await isIn(elsewhere), true);
    assert.equal((await wanting('é'.repeat(200))).status, 200);
    assert.equal((await tryIn('é'.repeat(200))).status, 200);
  });

  test('Wrong current passwords in a password change count as failed sign-ins', async () => {
    const body = { current_password: NEW, new_password: 'third horse battery' };
    assertError(await change(body), 403, 'FORBIDDEN');
    await repeatLastFailure(service, 9);
    const locked = await change({ ...body, current_password: PASSWORD });
    assertError(locked, 429, 'RATE_LIMITED');
    assert.ok(Number(locked.headers.get('retry-after')) <= 60);
    assert.equal((await tryIn(PASSWORD)).status, 429);
    assert.equal(await isIn(elsewhere), true);
  });

  test('Of two concurrent changes of the same password, one succeeds', async () => {
    const replies = await Promise.all([
      here.call('PUT', '/session/password', { current_password: PASSWORD, new_password: NEW }),
      elsewhere.call('PUT', '/session/password', {
        current_password: PASSWORD,
        new_password: 'third horse battery',
      }),
    ]);
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 403]);
    const first = replies[0]?.status === 200;
    assert.deepEqual([await isIn(here), await isIn(elsewhere)], [first, !first]);
    assert.equal((await tryIn(first ? NEW : 'third horse battery')).status, 200);
  });
});
