import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, beforeEach, test } from 'node:test';
import { redeemLink } from '../../src/features/workspaces/link.service.ts';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { repeatLastFailure } from '../kit/dashboard/sign-in-failures.ts';
import { userPath } from '../kit/dashboard/user-path.ts';
import { addDashboardUser, PASSWORD, signedInUser, signIn } from '../kit/dashboard/users.ts';
import { openTestStorage } from '../kit/database/workspaces.ts';
import { assertError, assertInvalid, comparableReply, TIMESTAMP } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine, type Reply } from '../kit/service/test-service.ts';

const NEW = 'another horse battery';
let count = 0;

onEveryEngine('Sign-in links', (service) => {
  let owner: CheckedUser;
  let email: string;
  let invited: Json;

  const tokenOf = ({ url_path }: { url_path: string }): string => {
    const [path, token = ''] = url_path.split('#');
    assert.equal(path, '/welcome');
    assert.match(token, /^rl_[0-9a-z]+_[\w-]{32}$/);
    return token;
  };
  const use = (token: unknown, headers: Record<string, string | null> = {}) =>
    service.post('/dashboard/api/session/link', { token }, { headers: { authorization: null, ...headers } });
  const trySignIn = (password: string) =>
    service.post('/dashboard/api/session', { email, password }, { headers: { authorization: null } });
  const signInWithLink = async (token: string): Promise<CheckedUser> => {
    const reply = await use(token);
    assert.equal(reply.status, 200, reply.text);
    const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? '';
    const call: CheckedUser['call'] = (method, path, body, options = {}) =>
      service.call(method, userPath(method, path), body, {
        ...options,
        headers: { authorization: null, cookie, origin: service.url, ...options.headers },
      });
    return checkedUser(service, { cookie, call });
  };
  const isSignedIn = async ({ call }: CheckedUser) => (await call('GET', '/session')).status === 200;
  const deleteFailures = () => service.database.query('delete from sign_in_failures');
  const links = () => service.database.query('select * from sign_in_links where user_id = ?', invited.id);

  before(async () => {
    ({ owner } = await makeOtherWorkspace(service, 'owner@example.com'));
  });
  beforeEach(async () => {
    await deleteFailures();
    email = `new${++count}@example.com`;
    invited = await owner.request('POST', '/users', { email }, 201);
  });

  test('A user added without a password gets a sign-in link, which is shown once', async () => {
    const { link, ...user } = invited;
    assert.deepEqual(Object.keys(link), ['url_path', 'expires_at']);
    assert.match(link.expires_at, TIMESTAMP);
    const hours = (Date.parse(link.expires_at) - Date.now()) / 3_600_000;
    assert.ok(hours > 23.9 && hours <= 24, `${hours}`);
    assert.deepEqual(await owner.request('GET', `/users/${user.id}`), user);
    const [row] = await links();
    assert.equal(row?.hash, createHash('sha256').update(tokenOf(link)).digest('hex'));
    assert.equal(JSON.stringify(row).includes(tokenOf(link).slice(-32)), false);
    assert.equal(service.log.join('').includes(tokenOf(link)), false);
  });

  test('A sign-in link opens a session that requires a password to be set', async () => {
    const { link, ...user } = invited;
    const reply = await use(tokenOf(link));
    assert.equal(reply.status, 200, reply.text);
    assert.deepEqual(reply.body, { success: true, data: user });
    assert.match(
      reply.headers.get('set-cookie') ?? '',
      /^roster_session=rs_[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1209600$/,
    );
    const again = await owner.request('POST', `/users/${user.id}/link`);
    const signedIn = await signInWithLink(tokenOf(again));
    const workspace = { name: 'neighbour of owner@example.com' };
    const who = { id: user.id, email, role: 'member', workspace, after: null };
    assert.deepEqual(await signedIn.request('GET', '/session'), { ...who, must_set_password: true });
    assert.equal((await signedIn.call('GET', '/contacts')).status, 200);
    const set = await signedIn.request('PUT', '/session/password', { new_password: NEW });
    assert.deepEqual(set, { ...who, must_set_password: false });
    assert.deepEqual(await signedIn.request('GET', '/session'), set);
    assert.equal((await trySignIn(NEW)).status, 200);
  });

  test('A password that was set through a link is required to change it', async () => {
    const user = await signInWithLink(tokenOf(invited.link));
    await user.request('PUT', '/session/password', { new_password: NEW });
    const change = (body: object) => user.call('PUT', '/session/password', body);
    assertInvalid(await change({ new_password: PASSWORD }), 'current_password');
    assertError(await change({ current_password: PASSWORD, new_password: PASSWORD }), 403, 'FORBIDDEN');
    assert.equal((await change({ current_password: NEW, new_password: PASSWORD })).status, 200);
    const other = await checkedUser(service, await signIn(service, email));
    assert.equal((await other.request('GET', '/session')).must_set_password, false);
    assertInvalid(await other.call('PUT', '/session/password', { new_password: NEW }), 'current_password');
  });

  test('A sign-in link works once, also for concurrent requests', async () => {
    const token = tokenOf(invited.link);
    assert.equal((await use(token)).status, 200);
    assertError(await use(token), 401, 'UNAUTHORIZED');
    assert.deepEqual(await links(), []);
    const second = tokenOf(await owner.request('POST', `/users/${invited.id}/link`));
    const storage = await openTestStorage(service.database);
    const tries = Array.from({ length: 20 }, () =>
      storage.run(redeemLink, {}, { token: second, address: '127.0.0.1' }),
    );
    const entered = (await Promise.all(tries)).filter((result) => result !== undefined);
    await storage.close();
    assert.equal(entered.length, 1);
  });

  test('Used, expired, replaced, unknown and malformed links get the same error', async () => {
    const used = tokenOf(invited.link);
    await use(used);
    const replaced = tokenOf(await owner.request('POST', `/users/${invited.id}/link`));
    const expired = tokenOf(await owner.request('POST', `/users/${invited.id}/link`));
    const [row] = await links();
    assert.equal((await links()).length, 1, 'a user has one link at a time');
    await service.database.query(
      'update sign_in_links set expires_at = ? where user_id = ?',
      new Date(Date.now() - 1).toISOString(),
      invited.id,
    );
    const workspace = /^rl_([0-9a-z]+)_/.exec(used)?.[1];
    const refusals: Reply[] = [];
    for (const token of [
      used,
      replaced,
      expired,
      `rl_${workspace}_${'A'.repeat(32)}`,
      `rl_zzzzzzzzzz_${'A'.repeat(32)}`,
      `rs_${workspace}_${used.slice(-32)}`,
      String(row?.hash),
      '',
      "' or 1=1 --",
    ]) {
      refusals.push(await use(token));
      await deleteFailures();
    }
    for (const reply of refusals) {
      const error = assertError(reply, 401, 'UNAUTHORIZED');
      assert.match(error.message, /npx roster user link EMAIL/);
      assert.equal(reply.headers.get('set-cookie'), null);
      assert.deepEqual(comparableReply(reply), comparableReply(refusals[0] as Reply));
    }
    assertInvalid(await use(undefined), 'token');
    assertInvalid(await use(7), 'token');
  });

  test('A sign-in link works after wrong links and while password sign-ins are delayed', async () => {
    const wrong = `rl_1_${'A'.repeat(32)}`;
    for (let times = 0; times < 15; times++) assert.equal((await use(wrong)).status, 401);
    assert.equal((await trySignIn('not the password')).status, 401);
    await repeatLastFailure(service, 40);
    assertError(await trySignIn('not the password'), 429, 'RATE_LIMITED');
    const user = await signInWithLink(tokenOf(invited.link));
    await user.request('PUT', '/session/password', { new_password: NEW });
  });

  test('Another site cannot use a sign-in link for its visitors', async () => {
    const token = tokenOf(invited.link);
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of foreign) assertError(await use(token, headers), 403, 'FORBIDDEN');
    assert.equal((await use(token, { origin: service.url, 'sec-fetch-site': 'same-origin' })).status, 200);
  });

  test('A user without a password gets the same answer as an unknown user', async () => {
    for (const password of ['', `argon2id$${'A'.repeat(22)}==$${'A'.repeat(43)}=`]) {
      const reply = await trySignIn(password);
      assertError(reply, 401, 'UNAUTHORIZED');
    }
    const mine = comparableReply(await trySignIn(PASSWORD));
    email = 'nobody@example.com';
    assert.deepEqual(comparableReply(await trySignIn(PASSWORD)), mine);
  });

  test('A sign-in link allows a new password, which ends the earlier sessions', async () => {
    email = `forgetful${count}@example.com`;
    const { id, link } = await owner.request('POST', '/users', { email, password: PASSWORD }, 201);
    assert.equal(link, null);
    const old = await checkedUser(service, await signedInUser(service, email));
    const first = await signInWithLink(tokenOf(await owner.request('POST', `/users/${id}/link`)));
    const second = await signInWithLink(tokenOf(await owner.request('POST', `/users/${id}/link`)));
    const waiting = tokenOf(await owner.request('POST', `/users/${id}/link`));
    assert.equal((await first.request('GET', '/session')).must_set_password, true);
    assert.equal((await trySignIn(PASSWORD)).status, 200, 'the old one counts until another is set');
    assert.equal((await first.call('PUT', '/session/password', { new_password: NEW })).status, 200);
    assert.deepEqual(
      [await isSignedIn(first), await isSignedIn(second), await isSignedIn(old)],
      [true, false, false],
      'the one that has set it, another by a link, one by the old password',
    );
    assertError(await use(waiting), 401, 'UNAUTHORIZED');
    assertError(await trySignIn(PASSWORD), 401, 'UNAUTHORIZED');
    assert.equal((await trySignIn(NEW)).status, 200);
  });

  test('Of two concurrent password changes through links, one succeeds', async () => {
    const first = await signInWithLink(tokenOf(invited.link));
    const second = await signInWithLink(tokenOf(await owner.request('POST', `/users/${invited.id}/link`)));
    const replies = await Promise.all([
      first.call('PUT', '/session/password', { new_password: NEW }),
      second.call('PUT', '/session/password', { new_password: PASSWORD }),
    ]);
    const statuses = replies.map(({ status }) => status).sort();
    assert.equal(statuses[0], 200);
    assert.ok([401, 403].includes(statuses[1] as number), `${statuses}`);
    assert.equal((await trySignIn(replies[0]?.status === 200 ? NEW : PASSWORD)).status, 200);
  });

  test('Only owners can create sign-in links, for users of their workspace', async () => {
    await addDashboardUser(service, `elsewhere${count}@example.com`);
    const [other] = await service.database.query(
      'select id from users where email = ?',
      `elsewhere${count}@example.com`,
    );
    for (const id of [other?.id, 'user_nobody'])
      assertError(await owner.call('POST', `/users/${id}/link`), 404, 'NOT_FOUND');
    const member = await signInWithLink(tokenOf(invited.link));
    assertError(await member.call('POST', `/users/${invited.id}/link`), 403, 'FORBIDDEN');
  });

  test('Deleting a user deletes the sign-in link', async () => {
    const token = tokenOf(invited.link);
    await owner.request('DELETE', `/users/${invited.id}`);
    assertError(await use(token), 401, 'UNAUTHORIZED');
    assert.deepEqual(await links(), []);
  });
});
