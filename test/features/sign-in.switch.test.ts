import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Storage } from '../../src/db/storage.ts';
import { MAX_OTHERS, OTHERS_COOKIE, SESSION_COOKIE } from '../../src/features/workspaces/session.cookies.ts';
import { sessionRoutes } from '../../src/features/workspaces/session.routes.ts';
import { newSessionToken, openSession } from '../../src/features/workspaces/session.service.ts';
import { findMember } from '../../src/features/workspaces/user.service.ts';
import { createWorkspace, requireWorkspace } from '../../src/features/workspaces/workspace.service.ts';
import { userPath } from '../kit/dashboard/user-path.ts';
import { addDashboardUser, PASSWORD, signedInUser } from '../kit/dashboard/users.ts';
import { openTestStorage } from '../kit/database/workspaces.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { assertError } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine, type Reply } from '../kit/service/test-service.ts';

const EMAIL = 'ada@example.com';

onEveryEngine('Sessions in several workspaces', (service) => {
  /** A browser: it keeps cookies and sends the origin of the dashboard. */
  const newBrowser = (jar = new Map<string, string>()) => {
    const call = async (
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string | null> = {},
    ): Promise<Reply> => {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const reply = await service.call(method, userPath(method, path), body, {
        headers: { authorization: null, cookie, origin: service.url, ...headers },
      });
      for (const set of reply.headers.getSetCookie()) {
        assert.match(set, /; HttpOnly; SameSite=Lax;/);
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        if (value) jar.set(name, value);
        else jar.delete(name);
      }
      return reply;
    };
    const data = async (...args: Parameters<typeof call>): Promise<Json> => {
      const reply = await call(...args);
      assert.ok(reply.status < 300, reply.text);
      return reply.body.data;
    };
    const signIn = (workspace: string, add?: boolean) =>
      data('POST', '/session', { email: EMAIL, password: PASSWORD, workspace, ...(add && { add }) });
    /** Adds a session, as by a sign-in with `add`, without checking a password. */
    const enter = async (workspace: string): Promise<Json> => {
      const { token, user } = await openSessionIn(workspace);
      const former = [jar.get(SESSION_COOKIE), jar.get(OTHERS_COOKIE)].filter(Boolean).join('.');
      if (former) jar.set(OTHERS_COOKIE, former);
      jar.set(SESSION_COOKIE, token);
      return user;
    };
    const names = async (): Promise<string[]> =>
      (await data('GET', '/session/workspaces')).map(({ workspace }: Json) => workspace.name);
    return { jar, call, data, signIn, enter, names };
  };

  const openSessionIn = async (name: string) => {
    const storage = await openTestStorage(service.database);
    const { id: workspace } = await storage.run(requireWorkspace, null, { name });
    const user = await storage.run(findMember, { workspace }, { email: EMAIL });
    assert.ok(user);
    const token = newSessionToken(workspace);
    const { password } = user;
    const opened = { password, token, byLink: false };
    assert.ok(await storage.run(openSession, { workspace, actor: user.id }, opened));
    await storage.close();
    return { token, user };
  };

  const addWorkspace = async (name: string): Promise<number> => {
    const storage = await openTestStorage(service.database);
    const { id } = await storage.run(createWorkspace, null, { name });
    await storage.close();
    return id;
  };

  before(async () => {
    await addDashboardUser(service, EMAIL);
    for (const name of ['second', 'third'])
      await addDashboardUser(service, EMAIL, 'owner', await addWorkspace(name));
    // The same person in a workspace whose password was never given to this browser.
    await addDashboardUser(service, EMAIL, 'owner', await addWorkspace('unproven'));
  });

  it('A browser that has signed in to two workspaces switches between them without a password', async () => {
    const browser = newBrowser();
    const first = await browser.signIn('default');
    const contact = await browser.data('POST', '/contacts', { phone_number: newPhone() });
    const second = await browser.signIn('second', true);
    assert.notEqual(first.id, second.id);
    assert.deepEqual(await browser.names(), ['second', 'default']);
    assertError(await browser.call('GET', `/contacts/${contact.id}`), 404, 'NOT_FOUND');
    const info = await browser.data('PUT', '/session/workspace', { id: first.id });
    assert.deepEqual([info.id, info.workspace.name], [first.id, 'default']);
    assert.equal((await browser.data('GET', `/contacts/${contact.id}`)).id, contact.id);
    const listed = await browser.data('GET', '/session/workspaces');
    assert.deepEqual(
      listed.map(({ id, current }: Json) => [id, current]),
      [
        [first.id, true],
        [second.id, false],
      ],
    );
  });

  it('A sign-in looks for other sessions only after a correct password', async () => {
    const storage = await openTestStorage(service.database);
    const operations: string[] = [];
    const counting: Storage = {
      ...storage,
      run: ((operation, principal, input) => {
        operations.push(operation.operationName);
        return storage.run(operation, principal, input);
      }) as Storage['run'],
    };
    const { workspace_id: workspace } = (
      await service.database.query('select workspace_id from users')
    )[0] as Json;
    const tokens = Array.from({ length: MAX_OTHERS + 1 }, () => newSessionToken(Number(workspace)));
    const cookie = `${SESSION_COOKIE}=${tokens[0]}; ${OTHERS_COOKIE}=${tokens.slice(1).join('.')}`;
    const signIn = (password: string, origin: string) =>
      sessionRoutes(counting)['POST /dashboard/api/session'].handle?.({
        body: { email: EMAIL, password, add: true },
        headers: { cookie, origin },
        principal: {},
        origin: () => ({ address: '192.0.2.77', base: 'http://localhost' }),
      } as never);
    try {
      await assert.rejects(async () => signIn('wrong password', 'http://elsewhere'), { code: 'FORBIDDEN' });
      assert.equal(operations.length, 0);
      await assert.rejects(async () => signIn('wrong password', 'http://localhost'), {
        code: 'UNAUTHORIZED',
      });
      assert.ok(!operations.includes('findSession'), operations.join());
      await signIn(PASSWORD, 'http://localhost');
      assert.equal(operations.filter((name) => name === 'findSession').length, tokens.length);
    } finally {
      await storage.close();
    }
  });

  it('An equal email gives no access to a workspace whose password this browser has not proven', async () => {
    const browser = newBrowser();
    await browser.enter('default');
    assert.deepEqual(await browser.names(), ['default']);
    const [victim] = await service.database.query(
      `select users.id from users join workspaces on workspaces.id = workspace_id where name = 'unproven'`,
    );
    const before = browser.jar.get(SESSION_COOKIE);
    assertError(await browser.call('PUT', '/session/workspace', { id: victim?.id }), 404, 'NOT_FOUND');
    assert.equal(browser.jar.get(SESSION_COOKIE), before);
    const wrong = { email: EMAIL, password: 'wrong password', workspace: 'unproven', add: true };
    assertError(await browser.call('POST', '/session', wrong), 401, 'UNAUTHORIZED');
    assert.equal(browser.jar.get(SESSION_COOKIE), before);
    assert.deepEqual(await browser.names(), ['default']);
  });

  it('Forged, malformed and other tokens in the cookie are ignored', async () => {
    const browser = newBrowser();
    const first = await browser.enter('default');
    const { key } = await browser.data('POST', '/keys', { name: 'Till' });
    const invited = await browser.data('POST', '/users', { email: 'invited@example.com' });
    const link = invited.link.url_path.split('#')[1];
    const forged = [
      `rs_2_${'A'.repeat(32)}`,
      'rs_',
      '..',
      '%2e',
      `rs_zzzzzzzzzz_${'B'.repeat(32)}`,
      key,
      link,
    ];
    browser.jar.set(OTHERS_COOKIE, forged.join('.'));
    assert.deepEqual(await browser.names(), ['default']);
    assertError(await browser.call('PUT', '/session/workspace', { id: invited.id }), 404, 'NOT_FOUND');
    assert.equal((await browser.data('PUT', '/session/workspace', { id: first.id })).id, first.id);
    assert.equal(browser.jar.get(OTHERS_COOKIE), undefined);
    // The others alone are no session.
    browser.jar.delete(SESSION_COOKIE);
    assertError(await browser.call('GET', '/session/workspaces'), 401, 'UNAUTHORIZED');
  });

  it('A sign-in without `add`, as by the next person at this computer, forgets the other workspaces', async () => {
    const browser = newBrowser();
    await browser.enter('default');
    await browser.enter('second');
    await browser.signIn('third');
    assert.deepEqual(await browser.names(), ['third']);
    assert.equal(browser.jar.get(OTHERS_COOKIE), undefined);
  });

  it('Signing out ends the sessions of the browser in every workspace', async () => {
    const browser = newBrowser();
    await browser.enter('default');
    await browser.enter('second');
    const copy = newBrowser(new Map(browser.jar));
    await browser.data('DELETE', '/session');
    assert.deepEqual([...browser.jar], []);
    assertError(await copy.call('GET', '/session'), 401, 'UNAUTHORIZED');
    copy.jar.set(SESSION_COOKIE, copy.jar.get(OTHERS_COOKIE) ?? '');
    assertError(await copy.call('GET', '/session'), 401, 'UNAUTHORIZED');
  });

  it('A removed user can no longer be switched to', async () => {
    const workspace = await addWorkspace('leaving');
    await addDashboardUser(service, EMAIL, 'member', workspace);
    const browser = newBrowser();
    await browser.enter('default');
    const left = await browser.enter('leaving');
    await browser.enter('second');
    const owner = await signedInUser(service, 'boss@example.com', 'owner', workspace);
    assert.equal((await owner.call('DELETE', `/users/${left.id}`)).status, 200);
    assert.deepEqual(await browser.names(), ['second', 'default']);
    assertError(await browser.call('PUT', '/session/workspace', { id: left.id }), 404, 'NOT_FOUND');
  });

  it('Another site cannot switch the workspace', async () => {
    const browser = newBrowser();
    const first = await browser.enter('default');
    await browser.enter('second');
    const body = { id: first.id };
    for (const headers of [{ origin: 'https://evil.example' }, { origin: null }])
      assertError(await browser.call('PUT', '/session/workspace', body, headers), 403, 'FORBIDDEN');
    assert.deepEqual(await browser.names(), ['second', 'default']);
  });

  it('A page that was loaded before the switch neither reads nor changes the other workspace', async () => {
    const browser = newBrowser();
    const first = await browser.enter('default');
    const second = await browser.enter('second');
    const page = { 'roster-user': first.id };
    const phone_number = newPhone();
    for (const [method, path, body] of [
      ['POST', '/contacts', { phone_number }],
      ['GET', '/contacts', undefined],
    ] as const) {
      const reply = await browser.call(method, path, body, page);
      assertError(reply, 409, 'CONFLICT');
      assert.deepEqual(reply.body.error.details, { current_user_id: second.id });
    }
    assert.deepEqual((await browser.data('GET', `/contacts?search=${phone_number.slice(1)}`)).length, 0);
    await browser.data('GET', '/contacts', undefined, { 'roster-user': second.id });
  });

  it('A browser keeps a limited number of sessions, one for each workspace', async () => {
    const browser = newBrowser();
    await browser.enter('default');
    const tokens = Array.from({ length: 20 }, (_, at) => `rs_${at + 50}_${'A'.repeat(32)}`);
    browser.jar.set(OTHERS_COOKIE, tokens.join('.'));
    assert.deepEqual(await browser.names(), ['default']);
    await browser.signIn('second', true);
    assert.equal(browser.jar.get(OTHERS_COOKIE)?.split('.').length, 1);
    assert.ok(MAX_OTHERS < 10);
  });
});
