import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashPassword } from '../../src/features/workspaces/password.ts';
import {
  addDashboardUser,
  type DashboardUser,
  PASSWORD,
  signedInUser,
  signIn,
} from '../kit/dashboard/users.ts';
import { assertError, assertInvalid, comparableReply } from '../kit/http/assertions.ts';
import { USUAL_COST } from '../kit/service/password-cost.ts';
import { onEveryEngine, type Reply, type TestService } from '../kit/service/test-service.ts';

const SESSION = '/dashboard/api/session';

const trySignIn = (service: TestService, email: unknown, password: unknown = PASSWORD): Promise<Reply> =>
  service.post(SESSION, { email, password }, { headers: { authorization: null } });

const getSession = (service: TestService, cookie: string): Promise<Reply> =>
  service.get(SESSION, { headers: { authorization: null, cookie } });

onEveryEngine('Sessions', (service) => {
  let ada: DashboardUser;
  const sessions = () => service.database.query('select * from sessions');
  before(async () => {
    await addDashboardUser(service, 'ada@example.com');
    await addDashboardUser(service, 'bob@example.com', 'member');
    ada = await signIn(service, 'ada@example.com');
  });

  test('A sign-in with the right password opens a session and returns its user', async () => {
    const reply = await trySignIn(service, 'bob@example.com');
    assert.equal(reply.status, 200);
    const { id, created_at, ...rest } = reply.body.data;
    assert.match(id, /^user_/);
    assert.match(created_at, /^\d{4}-\d\d-\d\dT/);
    assert.deepEqual(rest, { email: 'bob@example.com', role: 'member' });
    const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? '';
    const session = await getSession(service, cookie);
    assert.deepEqual(session.body, {
      success: true,
      data: {
        id,
        email: 'bob@example.com',
        role: 'member',
        workspace: { name: 'default' },
        must_set_password: false,
        after: null,
      },
    });
  });

  test('A sign-in accepts the email in any case', async () => {
    const reply = await trySignIn(service, 'ADA@Example.COM');
    assert.equal(reply.status, 200);
    assert.equal(reply.body.data.email, 'ada@example.com');
  });

  test('A session is stored only as a digest', async () => {
    const token = ada.cookie.slice('roster_session='.length);
    assert.match(token, /^rs_[0-9a-z]+_[\w-]{32}$/);
    const rows = await sessions();
    assert.equal(JSON.stringify(rows).includes(token.slice(-32)), false);
    const hash = createHash('sha256').update(token).digest('hex');
    assert.equal(rows.filter((row) => row.hash === hash).length, 1);
    assert.equal(service.log.join('').includes(token), false);
  });

  test('Every session has a different token', async () => {
    const again = await signIn(service, 'ada@example.com');
    assert.notEqual(again.cookie, ada.cookie);
    assert.equal((await getSession(service, again.cookie)).status, 200);
    assert.equal((await getSession(service, ada.cookie)).status, 200);
  });

  test('A wrong password and an unknown email get identical responses', async () => {
    const before = (await sessions()).length;
    const [wrong, unknown] = [
      await trySignIn(service, 'ada@example.com', 'not the password'),
      await trySignIn(service, 'nobody@example.com', 'not the password'),
    ];
    assertError(wrong, 401, 'UNAUTHORIZED');
    assert.deepEqual(comparableReply(unknown), comparableReply(wrong));
    assert.equal(wrong.headers.get('set-cookie'), null);
    for (const password of ['', ` ${PASSWORD}`, PASSWORD.toUpperCase(), `${PASSWORD} `]) {
      assertError(await trySignIn(service, 'bob@example.com', password), 401, 'UNAUTHORIZED');
    }
    assert.equal((await sessions()).length, before);
  });

  test('A sign-in requires an email and a password as strings, and nothing else', async () => {
    const post = (body: unknown) => service.post(SESSION, body, { headers: { authorization: null } });
    assertInvalid(await post({}), 'email', 'password');
    assertInvalid(await post({ email: 'ada@example.com' }), 'password');
    assertInvalid(await post({ email: ['ada@example.com'], password: null }), 'email', 'password');
    assertInvalid(await post({ email: 'ada@example.com', password: PASSWORD, remember: true }), 'remember');
    assertInvalid(await post({ email: 'a'.repeat(255), password: 'p'.repeat(201) }), 'email', 'password');
    assertInvalid(await post({ email: 'a\u0000', password: '\ud800' }), 'email', 'password');
  });

  test('Signing out ends the session and clears its cookie', async () => {
    const [one, other] = [
      await signedInUser(service, 'bob@example.com'),
      await signedInUser(service, 'bob@example.com'),
    ];
    const reply = await one.call('DELETE', '/session');
    assert.deepEqual(reply.body, { success: true, data: { deleted: true } });
    assert.match(
      reply.headers.get('set-cookie') ?? '',
      /^roster_session=; Path=\/; HttpOnly; SameSite=Lax; Max-Age=0$/,
    );
    assertError(await getSession(service, one.cookie), 401, 'UNAUTHORIZED');
    assertError(await one.call('DELETE', '/session'), 401, 'UNAUTHORIZED');
    assert.equal((await getSession(service, other.cookie)).status, 200, 'another session of the same person');
  });

  test('A session expires after fourteen days', async () => {
    const user = await signIn(service, 'bob@example.com');
    const hash = createHash('sha256').update(user.cookie.slice('roster_session='.length)).digest('hex');
    const [row] = await service.database.query('select * from sessions where hash = ?', hash);
    const days = (Date.parse(String(row?.expires_at)) - Date.parse(String(row?.created_at))) / 86_400_000;
    assert.equal(days, 14);
    const age = (ms: number) =>
      service.database.query(
        'update sessions set expires_at = ? where hash = ?',
        new Date(Date.now() + ms).toISOString(),
        hash,
      );
    await age(60_000);
    assert.equal((await getSession(service, user.cookie)).status, 200);
    await age(-1);
    assertError(await getSession(service, user.cookie), 401, 'UNAUTHORIZED');
    await signedInUser(service, 'bob@example.com');
    const left = await service.database.query('select * from sessions where hash = ?', hash);
    assert.deepEqual(left, [], 'what has expired is swept away by the next sign-in');
  });

  test('Missing, forged and altered session cookies get the same answer', async () => {
    const workspace = /^roster_session=rs_([0-9a-z]+)_/.exec(ada.cookie)?.[1];
    const secret = ada.cookie.slice(-32);
    const flipped = (secret.startsWith('A') ? 'B' : 'A') + secret.slice(1);
    const none = comparableReply(await service.get(SESSION, { headers: { authorization: null } }));
    assert.equal(none.status, 401);
    const cookies = [
      'roster_session=',
      `roster_session=rs_${workspace}_${flipped}`,
      `roster_session=rs_zzzzzzzzzz_${secret}`,
      `roster_session=rs_2_${secret}`,
      `roster_session=rs_${workspace}_${secret}x`,
      `roster_session=rs_${workspace}_${secret.slice(1)}`,
      `roster_session=rs_${workspace}_' or 1=1 --`,
      `roster_session="${ada.cookie.slice('roster_session='.length)}`,
      `Roster_Session=${ada.cookie.slice('roster_session='.length)}`,
      `x${ada.cookie}`,
      ada.cookie.replace('=', ''),
      `${ada.cookie}%00`,
      'roster_session=__proto__',
      `roster_session=${'x'.repeat(4_000)}`,
    ];
    for (const cookie of cookies) {
      assert.deepEqual(comparableReply(await getSession(service, cookie)), none, cookie);
    }
    assert.equal((await getSession(service, `theme=dark; ${ada.cookie}; lang=en`)).status, 200);
    assert.equal((await getSession(service, `theme=dark;${ada.cookie}`)).status, 200);
  });

  test('No session opens when the user is removed or the password changes during the check', async () => {
    await addDashboardUser(service, 'leaving@example.com', 'member');
    await addDashboardUser(service, 'changing@example.com', 'member');
    // At the usual cost, so that the check takes long enough for the concurrent change.
    await service.database.query('update users set password = ?', await hashPassword(PASSWORD, USUAL_COST));
    const before = (await sessions()).length;
    const during = async (email: string, statement: string) => {
      const reply = trySignIn(service, email);
      await sleep(20);
      await service.database.query(statement, email);
      return reply;
    };
    const wrong = comparableReply(await trySignIn(service, 'nobody@example.com', 'not the password'));
    const left = await during('leaving@example.com', 'delete from users where email = ?');
    assert.deepEqual(comparableReply(left), wrong);
    const changed = await during(
      'changing@example.com',
      `update users set password = 'argon2id$AA==$AA==' where email = ?`,
    );
    assert.deepEqual(comparableReply(changed), wrong);
    assert.equal((await sessions()).length, before);
  });

  test('A wrong method on the session gets 405 with the allowed methods', async () => {
    const reply = await ada.call('PATCH', '/session', {});
    assertError(reply, 405, 'METHOD_NOT_ALLOWED');
    assert.deepEqual(reply.headers.get('allow')?.split(', ').sort(), ['DELETE', 'GET', 'HEAD', 'POST']);
  });
});
