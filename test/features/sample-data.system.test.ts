import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OTHERS_COOKIE, SESSION_COOKIE } from '../../src/features/workspaces/session.cookies.ts';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { type DashboardUser, signedInUser } from '../kit/dashboard/users.ts';
import { actualCounts, storedCounts } from '../kit/database/counters.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { assertError } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine, onSqlite } from '../kit/service/test-service.ts';
import { eventually } from '../kit/webhooks/deliveries.ts';

const EMAIL = 'ada@example.com';
const PATH = '/sample-data';

/** The token of the cookie in which a browser keeps its sessions in other workspaces. */
const otherToken = (headers: Headers): string => {
  const set = headers.getSetCookie().find((each) => each.startsWith(`${OTHERS_COOKIE}=`));
  return set?.split(/[=;]/)[1] ?? '';
};

onEveryEngine('Sample data from the dashboard', (service) => {
  const stateOf = async (user: DashboardUser): Promise<Json> => (await user.call('GET', PATH)).body.data;
  const becomes = (user: DashboardUser, state: string) =>
    eventually(`the sample data is ${state}`, async () => (await stateOf(user)).state === state);
  const workspaces = async (): Promise<unknown[]> =>
    (await service.database.query('select name from workspaces order by id')).map(({ name }) => name);

  test('An owner loads the sample data into a workspace of its own, opens it and removes it', async () => {
    const mine = await makeContact(service);
    const owner = await signedInUser(service, EMAIL);
    assert.deepEqual(await stateOf(owner), { state: 'none', percent: 0, user_id: null });
    assert.equal((await owner.call('DELETE', PATH)).status, 200, 'there is nothing to remove');

    const reply = await owner.call('POST', PATH);
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.body.data.state, 'loading');
    // A second request only adds another session.
    const again = await owner.call('POST', PATH);
    assert.deepEqual([again.status, again.body.data.user_id], [200, reply.body.data.user_id]);
    const percents = new Set<number>();
    await eventually('the sample data is ready', async () => {
      const { state, percent } = await stateOf(owner);
      percents.add(percent);
      return state === 'ready';
    });
    assert.ok(Math.max(...percents) <= 100);
    assert.deepEqual(await workspaces(), ['default', 'demo']);

    const cookie = `${owner.cookie}; ${OTHERS_COOKIE}=${otherToken(reply.headers)}`;
    const headers = { cookie };
    const { user_id } = await stateOf(owner);
    const switched = await owner.call('PUT', '/session/workspace', { id: user_id }, { headers });
    assert.equal(switched.status, 200, switched.text);
    const { email, role, workspace, must_set_password } = switched.body.data;
    assert.deepEqual([email, role, workspace.name, must_set_password], [EMAIL, 'owner', 'demo', false]);
    const inDemo: DashboardUser = {
      cookie: `${SESSION_COOKIE}=${otherToken(reply.headers)}`,
      call: (method, path, body, options) =>
        owner.call(method, path, body, { ...options, headers: { cookie: inDemo.cookie } }),
    };
    const guest: CheckedUser = await checkedUser(service, inDemo);
    const figures = await guest.request('GET', '/figures');
    assert.deepEqual([figures.contacts, figures.agents, figures.calls, figures.campaigns], [500, 4, 675, 4]);
    assert.equal((await stateOf(inDemo)).state, 'current');
    assertError(await inDemo.call('DELETE', PATH), 409, 'CONFLICT');
    assert.deepEqual(
      (await service.get('/v1/contacts')).body.data.map(({ id }: Json) => id),
      [mine.id],
    );

    const stranger = await signedInUser(service, 'bo@example.com');
    assert.deepEqual(await stateOf(stranger), { state: 'ready', percent: 0, user_id: null });
    for (const method of ['POST', 'DELETE']) assertError(await stranger.call(method, PATH), 409, 'CONFLICT');
    const member = await signedInUser(service, 'cy@example.com', 'member');
    for (const method of ['GET', 'POST', 'DELETE'])
      assertError(await member.call(method, PATH), 403, 'FORBIDDEN');

    assert.equal((await owner.call('DELETE', PATH)).status, 200);
    await becomes(owner, 'none');
    assert.deepEqual(await workspaces(), ['default']);
    assert.equal((await inDemo.call('GET', '/session')).status, 401);
    assert.deepEqual(await storedCounts(service.database), await actualCounts(service.database));
  });

  test('Sample data that is removed while it is loading leaves nothing', async () => {
    const owner = await signedInUser(service, 'removes@example.com');
    assert.equal((await owner.call('POST', PATH)).status, 200);
    assert.equal((await owner.call('DELETE', PATH)).status, 200);
    await becomes(owner, 'none');
    assert.deepEqual(await workspaces(), ['default']);
    assert.deepEqual(await service.database.query(`select kind from jobs where kind like 'sample.%'`), []);
  });
});

onSqlite('Sample data that a stopped service has begun to load', (service) => {
  test('An interrupted load begins again', async () => {
    const owner = await signedInUser(service, EMAIL);
    // As it is after a crash: a workspace with some of the records, and the job.
    await service.database.query(
      `insert into workspaces (name, created_at, sample) values ('demo', '2026-01-01T00:00:00.000Z', 1)`,
    );
    const [{ id }] = (await service.database.query(`select id from workspaces where name = 'demo'`)) as [
      Json,
    ];
    for (const email of [EMAIL, 'demo@roster.local'])
      await service.database.query(
        `insert into users (workspace_id, id, email, password, role, created_at)
          values (?, ?, ?, '', 'owner', '2026-01-01T00:00:00.000Z')`,
        id,
        `user_${email}`,
        email,
      );
    await service.database.query(
      `insert into jobs (workspace_id, kind, subject, created_at, due_at, failures)
        select workspace_id, 'sample.loading', id, created_at, created_at, 0 from users where email = ? and workspace_id <> ?`,
      EMAIL,
      id,
    );
    await eventually('it is loaded', async () => {
      const { state, user_id } = (await owner.call('GET', PATH)).body.data;
      return state === 'ready' && user_id !== `user_${EMAIL}`;
    });
    const [{ contacts }] = (await service.database.query('select count(*) as contacts from contacts')) as [
      Json,
    ];
    assert.equal(contacts, 500);
  });
});

onSqlite('Sample data on a service with several workspaces', (service) => {
  test('Owners of one of several workspaces cannot create another one with sample data', async () => {
    const owner = await signedInUser(service, EMAIL);
    await service.database.query(
      `insert into workspaces (name, created_at) values ('other', '2026-01-01T00:00:00.000Z')`,
    );
    assert.equal((await owner.call('GET', PATH)).body.data.state, 'unavailable');
    const refused = await owner.call('POST', PATH);
    assertError(refused, 403, 'FORBIDDEN');
    assert.match(refused.text, /roster demo/);
    const names = await service.database.query('select name from workspaces order by id');
    assert.deepEqual(
      names.map(({ name }) => name),
      ['default', 'other'],
    );
  });
});
