import assert from 'node:assert/strict';
import { argon2Sync } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { repeatLastFailure } from '../kit/dashboard/sign-in-failures.ts';
import { PASSWORD, signedInUser } from '../kit/dashboard/users.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { lowerPasswordCost, setPasswordCost, USUAL_COST } from '../kit/service/password-cost.ts';
import { onEveryEngine } from '../kit/service/test-service.ts';

const NEW = 'another horse battery';
let count = 0;

onEveryEngine('Password change', (service) => {
  let email: string;
  let session: CheckedUser;
  let otherSession: CheckedUser;
  let colleague: CheckedUser;
  const signInAs = async (who: string) => checkedUser(service, await signedInUser(service, who, 'member'));
  const isSignedIn = async ({ call }: CheckedUser) => (await call('GET', '/session')).status === 200;
  const trySignIn = (password: string) =>
    service.post('/dashboard/api/session', { email, password }, { headers: { authorization: null } });
  const change = (body: unknown) => session.call('PUT', '/session/password', body);

  beforeEach(async () => {
    email = `person${++count}@example.com`;
    [session, otherSession] = [await signInAs(email), await signInAs(email)];
    colleague = await signInAs(`colleague${count}@example.com`);
  });

  test('A password change ends all other sessions of that user and of no other user', async () => {
    const reply = await change({ current_password: PASSWORD, new_password: NEW });
    assert.equal(reply.status, 200, reply.text);
    assert.deepEqual([reply.body.data.email, reply.body.data.role], [email, 'member']);
    assert.deepEqual(
      [await isSignedIn(session), await isSignedIn(otherSession), await isSignedIn(colleague)],
      [true, false, true],
      'here, elsewhere, a colleague',
    );
    assertError(await trySignIn(PASSWORD), 401, 'UNAUTHORIZED');
    assert.equal((await trySignIn(NEW)).status, 200);
  });

  test('A sign-in upgrades a hash without parameters, and sessions stay open', async (t) => {
    setPasswordCost(USUAL_COST);
    t.after(lowerPasswordCost);
    const stored = async () =>
      String(
        (await service.database.query('select password from users where email = ?', email))[0]?.password,
      );
    const salt = Buffer.alloc(16, 3);
    const tag = argon2Sync('argon2id', {
      message: PASSWORD,
      nonce: salt,
      ...USUAL_COST,
      tagLength: 32,
    });
    const older = `argon2id$${salt.toString('base64')}$${tag.toString('base64')}`;
    await service.database.query('update users set password = ? where email = ?', older, email);
    assertError(await trySignIn(NEW), 401, 'UNAUTHORIZED');
    assert.equal(await stored(), older, 'a wrong password changes nothing');
    const replies = await Promise.all([trySignIn(PASSWORD), trySignIn(PASSWORD)]);
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200],
    );
    const upgraded = await stored();
    assert.match(upgraded, /^\$argon2id\$v=19\$m=65536,t=3,p=4\$/);
    assert.deepEqual([await isSignedIn(session), await isSignedIn(otherSession)], [true, true]);
    assert.equal((await trySignIn(PASSWORD)).status, 200);
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
    assert.equal(await isSignedIn(otherSession), true);
    assert.equal((await trySignIn(PASSWORD)).status, 200);
  });

  test('A new password must have 12 to 200 characters', async () => {
    const changeTo = (new_password: unknown) => change({ current_password: PASSWORD, new_password });
    assertInvalid(await changeTo('eleven char'), 'new_password');
    assertInvalid(await changeTo('p'.repeat(201)), 'new_password');
    assertInvalid(await changeTo(null), 'new_password');
    assertInvalid(await changeTo('half \ud800 of a pair'), 'new_password');
    assert.equal(await isSignedIn(otherSession), true);
    assert.equal((await changeTo('é'.repeat(200))).status, 200);
    assert.equal((await trySignIn('é'.repeat(200))).status, 200);
  });

  test('Wrong current passwords in a password change count as failed sign-ins', async () => {
    const body = { current_password: NEW, new_password: 'third horse battery' };
    assertError(await change(body), 403, 'FORBIDDEN');
    await repeatLastFailure(service, 9);
    const locked = await change({ ...body, current_password: PASSWORD });
    assertError(locked, 429, 'RATE_LIMITED');
    assert.ok(Number(locked.headers.get('retry-after')) <= 60);
    assert.equal((await trySignIn(PASSWORD)).status, 429);
    assert.equal(await isSignedIn(otherSession), true);
  });

  test('Of two concurrent changes of the same password, one succeeds', async () => {
    const replies = await Promise.all([
      session.call('PUT', '/session/password', { current_password: PASSWORD, new_password: NEW }),
      otherSession.call('PUT', '/session/password', {
        current_password: PASSWORD,
        new_password: 'third horse battery',
      }),
    ]);
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 403]);
    const first = replies[0]?.status === 200;
    assert.deepEqual([await isSignedIn(session), await isSignedIn(otherSession)], [first, !first]);
    assert.equal((await trySignIn(first ? NEW : 'third horse battery')).status, 200);
  });
});
