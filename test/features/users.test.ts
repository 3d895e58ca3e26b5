import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { addDashboardUser, PASSWORD, signedInUser, signIn } from '../kit/dashboard/users.ts';
import { assertError, assertInvalid, TIMESTAMP } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine, type Reply } from '../kit/service/test-service.ts';

onEveryEngine('Users of a workspace', (service) => {
  let owner: CheckedUser;
  let self: Json;
  const add = async (email: string, role?: string) => {
    const { link, ...user } = await owner.request('POST', '/users', { email, role }, 201);
    assert.ok(link);
    return user;
  };
  const signInAs = async (email: string) => checkedUser(service, await signedInUser(service, email));
  before(async () => {
    ({ owner } = await makeOtherWorkspace(service, 'owner@example.com'));
    self = await owner.request('GET', '/session');
  });

  test('Owners add users, by default as members, and these can sign in', async () => {
    const reply = await owner.call('POST', '/users', { email: 'Ada@Example.com', password: PASSWORD });
    assert.equal(reply.status, 201, reply.text);
    const { id, created_at, ...rest } = reply.body.data;
    assert.deepEqual(rest, { email: 'ada@example.com', role: 'member', link: null });
    assert.match(id, /^user_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    assert.match(created_at, TIMESTAMP);
    assert.equal(reply.headers.get('location'), `/v1/users/${id}`);
    const user = await checkedUser(service, await signIn(service, 'ADA@example.com'));
    assert.equal((await user.request('GET', '/session')).id, id);
    const [stored] = await service.database.query('select * from users where id = ?', id);
    assert.match(String(stored?.password), /^\$argon2id\$/);
    assert.equal(JSON.stringify(stored).includes(PASSWORD), false);
    assert.equal((await add('second@example.com', 'owner')).role, 'owner');
  });

  test('Users are listed with their roles, for one workspace only', async () => {
    const users = await owner.request('GET', '/users');
    assert.deepEqual(
      users.map(({ email, role }: Json) => [email, role]),
      [
        ['owner@example.com', 'owner'],
        ['ada@example.com', 'member'],
        ['second@example.com', 'owner'],
      ],
    );
  });

  test('An email is unique in a workspace, in any case', async () => {
    for (const email of ['ada@example.com', 'ADA@EXAMPLE.COM']) {
      const reply = await owner.call('POST', '/users', { email });
      assertError(reply, 409, 'CONFLICT');
    }
    const emails = ['Race@example.com', 'race@example.com', 'RACE@example.com'];
    const replies = await Promise.all(emails.map((email) => owner.call('POST', '/users', { email })));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409, 409]);
  });

  test('A user may have the email of a user of another workspace without learning of it', async () => {
    const email = 'elsewhere@example.com';
    await addDashboardUser(service, email);
    const shapeOf = ({ status, body: { data } }: Reply) => [
      status,
      Object.keys(data),
      { ...data, id: '', created_at: '', link: Object.keys(data.link) },
    ];
    const taken = await owner.call('POST', '/users', { email });
    const free = await owner.call('POST', '/users', { email: 'elsewherf@example.com' });
    assert.deepEqual(JSON.parse(JSON.stringify(shapeOf(taken)).replace('here@', 'herf@')), shapeOf(free));
    const signInTo = (workspace?: string, password = PASSWORD) =>
      service.post(
        '/dashboard/api/session',
        { email, password, ...(workspace !== undefined && { workspace }) },
        { headers: { authorization: null } },
      );
    assert.equal((await signInTo()).status, 200, 'the account of the other workspace, as before');
    const link = await service.post(
      '/dashboard/api/session/link',
      { token: taken.body.data.link.url_path.split('#')[1] },
      { headers: { authorization: null } },
    );
    assert.equal(link.body.data.id, taken.body.data.id);
    const cookie = link.headers.get('set-cookie')?.split(';')[0] ?? '';
    const password = 'another one, long enough';
    const set = await service.call(
      'PUT',
      '/dashboard/api/session/password',
      { new_password: password },
      { headers: { authorization: null, cookie, origin: service.url } },
    );
    assert.equal(set.status, 200, set.text);
    const { name } = (await owner.request('GET', '/session')).workspace;
    assert.equal((await signInTo(name, password)).body.data.id, taken.body.data.id);
    assert.notEqual((await signInTo('default')).body.data.id, taken.body.data.id);
    for (const refused of [
      await signInTo(name),
      await signInTo('default', password),
      await signInTo('nowhere'),
    ])
      assertError(refused, 401, 'UNAUTHORIZED');
    await owner.request('DELETE', `/users/${taken.body.data.id}`);
    await owner.request('DELETE', `/users/${free.body.data.id}`);
    assert.equal((await signInTo()).status, 200, 'the other account is still there');
  });

  test('A user without a valid email, a long enough password or a known role is rejected', async () => {
    const post = (body: object) => owner.call('POST', '/users', body);
    const email = 'new@example.com';
    assertInvalid(await post({}), 'email');
    for (const wrong of [
      '',
      'a',
      'no address',
      'a@',
      '@b',
      'a b@example.com',
      `${'a'.repeat(250)}@b.cd`,
      7,
    ]) {
      assertInvalid(await post({ email: wrong, password: PASSWORD }), 'email');
    }
    for (const password of ['', 'eleven char', 'p'.repeat(201), null]) {
      assertInvalid(await post({ email, password }), 'password');
    }
    assertInvalid(await post({ email, password: PASSWORD, role: 'king' }), 'role');
    assertInvalid(await post({ email, password: PASSWORD, rôle: 'owner' }), 'rôle');
    const users = await owner.request('GET', '/users');
    assert.equal(
      users.some((each: Json) => each.email === email),
      false,
    );
  });

  test('A role change takes effect immediately', async () => {
    const made = await add('changing@example.com');
    const user = await signInAs('changing@example.com');
    assertError(await user.call('GET', '/keys'), 403, 'FORBIDDEN');
    const changed = await owner.request('PATCH', `/users/${made.id}`, { role: 'owner' });
    assert.deepEqual(changed, { ...made, role: 'owner' });
    assert.equal((await user.call('GET', '/keys')).status, 200);
    assert.equal((await user.request('GET', '/session')).role, 'owner');
    await owner.request('PATCH', `/users/${made.id}`, { role: 'member' });
    assertError(await user.call('GET', '/keys'), 403, 'FORBIDDEN');
    assertInvalid(await owner.call('PATCH', `/users/${made.id}`, { role: 'king' }), 'role');
    assertInvalid(await owner.call('PATCH', `/users/${made.id}`, {}), 'role');
    assertError(await owner.call('PATCH', '/users/user_nobody', { role: 'member' }), 404, 'NOT_FOUND');
  });

  test("Removing a user ends all of the user's sessions", async () => {
    const made = await add('leaving@example.com');
    const [one, other] = [await signInAs('leaving@example.com'), await signInAs('leaving@example.com')];
    const sessionsOfUser = () => service.database.query('select * from sessions where user_id = ?', made.id);
    assert.equal((await sessionsOfUser()).length, 2);
    assert.deepEqual(await owner.request('DELETE', `/users/${made.id}`), { deleted: true });
    assert.equal((await sessionsOfUser()).length, 0);
    for (const user of [one, other]) {
      assertError(await user.call('GET', '/session'), 401, 'UNAUTHORIZED');
      assertError(await user.call('POST', '/contacts', {}), 401, 'UNAUTHORIZED');
    }
    const again = await service.post(
      '/dashboard/api/session',
      { email: 'leaving@example.com', password: PASSWORD },
      { headers: { authorization: null } },
    );
    assertError(again, 401, 'UNAUTHORIZED');
    assertError(await owner.call('DELETE', `/users/${made.id}`), 404, 'NOT_FOUND');
    assert.equal((await add('leaving@example.com')).email, 'leaving@example.com', 'the email is free again');
  });

  test('The last owner of a workspace cannot be removed or demoted', async () => {
    const { owner: only } = await makeOtherWorkspace(service);
    const me = await only.request('GET', '/session');
    const member = await only.request('POST', '/users', { email: 'm1@example.com' }, 201);
    const demote = () => only.call('PATCH', `/users/${me.id}`, { role: 'member' });
    assertError(await demote(), 409, 'CONFLICT');
    assertError(await only.call('DELETE', `/users/${me.id}`), 409, 'CONFLICT');
    assert.equal((await only.request('GET', '/session')).role, 'owner');
    assert.equal((await only.request('PATCH', `/users/${me.id}`, { role: 'owner' })).role, 'owner');
    await only.request('PATCH', `/users/${member.id}`, { role: 'owner' });
    assert.equal((await demote()).status, 200);
    assert.equal((await only.request('GET', '/session')).role, 'member');
  });

  test('One owner remains when two owners concurrently remove or demote each other', async () => {
    for (const methods of [
      ['PATCH', 'PATCH'],
      ['PATCH', 'DELETE'],
      ['DELETE', 'DELETE'],
    ] as const) {
      const { owner: one, workspace } = await makeOtherWorkspace(service);
      const email = `pair${workspace}@example.com`;
      const second = await one.request('POST', '/users', { email, role: 'owner' }, 201);
      const other = await signInAs(email);
      const first = await one.request('GET', '/session');
      const against = (user: CheckedUser, method: string, id: string) =>
        user.call(method, `/users/${id}`, method === 'PATCH' ? { role: 'member' } : undefined);
      const replies = await Promise.all([
        against(one, methods[0], second.id),
        against(other, methods[1], first.id),
      ]);
      const statuses = replies.map(({ status }) => status).sort();
      assert.equal(statuses[0], 200);
      // The second request gets a conflict, or its user is no longer an owner, or no longer exists.
      assert.ok([401, 403, 409].includes(statuses[1] as number), `${statuses}`);
      const owners = await service.database.query(
        `select id from users where workspace_id = ? and role = 'owner'`,
        workspace,
      );
      assert.equal(owners.length, 1);
    }
  });

  test('The account of the acting owner is unchanged', async () => {
    assert.deepEqual(await owner.request('GET', '/session'), self);
  });
});
