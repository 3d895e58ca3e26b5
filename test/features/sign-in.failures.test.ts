import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { repeatLastFailure } from '../kit/dashboard/sign-in-failures.ts';
import { addDashboardUser, PASSWORD, signedInUser } from '../kit/dashboard/users.ts';
import { engines } from '../kit/database/engines.ts';
import { openTestStorage } from '../kit/database/workspaces.ts';
import { assertError, comparableReply } from '../kit/http/assertions.ts';
import { type Json, type Reply, startTestService, type TestService } from '../kit/service/test-service.ts';

const WRONG = 'not the password';
const HOME = '192.0.2.1';
let count = 0;

/** The proxy is trusted, so that a test can choose its address. */
for (const [engine, create] of Object.entries(engines)) {
  describe(`Failed sign-ins on ${engine}`, () => {
    let service: TestService;
    let email: string;
    const trySignIn = (address: string, password = WRONG, as = email): Promise<Reply> =>
      service.post(
        '/dashboard/api/session',
        { email: as, password },
        { headers: { authorization: null, 'x-forwarded-for': address } },
      );
    const fail = async (times: number, address = HOME, as = email) => {
      assertError(await trySignIn(address, WRONG, as), 401, 'UNAUTHORIZED');
      await repeatLastFailure(service, times - 1);
    };
    const failures = () => service.database.query('select subject, at from sign_in_failures');
    const age = (minutes: number) =>
      service.database.query(
        'update sign_in_failures set at = ?',
        new Date(Date.now() - minutes * 60_000).toISOString(),
      );
    const assertWait = (reply: Reply, seconds: number) => {
      assertError(reply, 429, 'RATE_LIMITED');
      const wait = Number(reply.headers.get('retry-after'));
      assert.ok(wait > seconds - 20 && wait <= seconds, `${wait} s`);
      assert.equal(reply.headers.get('set-cookie'), null);
    };

    before(async () => {
      service = await startTestService(await create(), { trustProxy: 1 });
    });
    after(async () => {
      await service.stop();
      await service.database.drop();
    });
    beforeEach(async () => {
      await service.database.query('delete from sign_in_failures');
      email = `person${++count}@example.com`;
      await addDashboardUser(service, email, 'member');
    });

    test('Ten failures of an account from one address cause a growing delay of up to fifteen minutes', async () => {
      await fail(9);
      assert.equal((await trySignIn(HOME, PASSWORD)).status, 200);
      await fail(9);
      assert.equal((await trySignIn(HOME)).status, 401, 'nine before a right password are forgotten');
      const right = await trySignIn(HOME, PASSWORD);
      assertWait(right, 60);
      assert.deepEqual(comparableReply(await trySignIn(HOME)).text, comparableReply(right).text);
      await repeatLastFailure(service, 1);
      assertWait(await trySignIn(HOME, PASSWORD), 120);
      await repeatLastFailure(service, 1);
      assertWait(await trySignIn(HOME, PASSWORD), 240);
      await repeatLastFailure(service, 9);
      assertWait(await trySignIn(HOME, PASSWORD), 900);
      await age(16);
      assert.equal((await trySignIn(HOME, PASSWORD)).status, 200);
    });

    test('Delayed sign-ins do not count as failures, and all failures expire after an hour', async () => {
      await fail(10);
      const counted = await failures();
      for (let times = 0; times < 3; times++) assert.equal((await trySignIn(HOME)).status, 429);
      assert.deepEqual(await failures(), counted);
      await age(61);
      await fail(1);
      assert.equal((await failures()).length, 3, 'one for the account, one for the address, one for both');
    });

    test('Failures of one account from one address delay no other account and no other address', async () => {
      const other = `other${count}@example.com`;
      await addDashboardUser(service, other, 'member');
      await fail(10);
      assert.equal((await trySignIn(HOME, PASSWORD)).status, 429);
      assert.equal((await trySignIn(HOME, PASSWORD, other)).status, 200);
      assert.equal((await trySignIn('192.0.2.2', PASSWORD)).status, 200);
    });

    test('Twenty failures of an account delay it everywhere but at addresses where it signed in before', async () => {
      assert.equal((await trySignIn(HOME, PASSWORD)).status, 200);
      await fail(7, '198.51.100.1');
      await fail(7, '198.51.100.2');
      await fail(6, '2001:db8::1');
      for (const address of ['198.51.100.3', '2001:db8:1::1'])
        assertWait(await trySignIn(address, PASSWORD), 60);
      assert.equal((await trySignIn(HOME, PASSWORD)).status, 200);
      await service.database.query(
        'update sign_in_addresses set used_at = ?',
        new Date(Date.now() - 91 * 86_400_000).toISOString(),
      );
      assertWait(await trySignIn(HOME, PASSWORD), 60);
    });

    test('Thirty failures of an address delay all accounts but those that signed in there before', async () => {
      const known = `known${count}@example.com`;
      await addDashboardUser(service, known, 'member');
      assert.equal((await trySignIn(HOME, PASSWORD, known)).status, 200);
      for (let each = 0; each < 3; each++) await fail(9, HOME, `nobody${each}@example.com`);
      await fail(3, HOME, 'nobody3@example.com');
      assertWait(await trySignIn(HOME, PASSWORD), 60);
      assertWait(await trySignIn(HOME, WRONG, 'nobody4@example.com'), 60);
      assert.equal((await trySignIn(HOME, PASSWORD, known)).status, 200);
      assert.equal((await trySignIn('192.0.2.2', PASSWORD)).status, 200);
    });

    test('Failures count in any case of the email, and in the same way for unknown accounts', async () => {
      await fail(5, HOME, email.toUpperCase());
      await fail(5);
      const known = await trySignIn(HOME, PASSWORD, email.toUpperCase());
      assert.equal(known.status, 429);
      await fail(10, '192.0.2.2', `nobody${count}@example.com`);
      const unknown = await trySignIn('192.0.2.2', WRONG, `nobody${count}@example.com`);
      assert.deepEqual(comparableReply(unknown).text, comparableReply(known).text);
      assert.deepEqual([...unknown.headers.keys()], [...known.headers.keys()]);
    });

    test('Concurrent sign-ins allow no more failures, from one address or from many', async () => {
      await fail(8);
      const replies = await Promise.all(Array.from({ length: 15 }, () => trySignIn(HOME)));
      const refused = replies.filter(({ status }) => status === 401);
      assert.equal(refused.length, 2);
      await service.database.query('delete from sign_in_failures');
      await fail(9, '198.51.100.1');
      await fail(9, '198.51.100.2');
      const many = await Promise.all(Array.from({ length: 12 }, (_, at) => trySignIn(`203.0.113.${at}`)));
      const admitted = many.filter(({ status }) => status === 401).length;
      assert.equal(admitted, 2);
    });

    test('Failed sign-ins delay neither an open session nor its password change', async () => {
      const user = await signedInUser(service, email);
      await fail(7, '198.51.100.1');
      await fail(7, '198.51.100.2');
      await fail(7, '198.51.100.3');
      const change = (current_password: string) =>
        user.call('PUT', '/session/password', { current_password, new_password: 'another one, long' });
      assertError(await change(WRONG), 403, 'FORBIDDEN');
      assert.equal((await change(PASSWORD)).status, 200);
    });

    test('Failed sign-ins are audited each time their number has doubled', async () => {
      const owner = await signedInUser(service, `owner${count}@example.com`);
      const entries = async (): Promise<Json[]> =>
        (await owner.call('GET', '/audit?action=session.refused&limit=100')).body.data.filter(
          ({ subject }: Json) => subject.name === email,
        );
      await fail(1, '198.51.100.1');
      await fail(1, '198.51.100.2', 'nobody@example.com');
      const [entry, ...more] = await entries();
      assert.equal(more.length, 0);
      assert.deepEqual(entry?.actor, { kind: 'unknown', id: null, name: null, deleted: false });
      assert.deepEqual([entry?.counts, entry?.fields], [{ failures: 1 }, null]);
      assert.match(entry?.request_id, /^req_/);
      for (const address of ['198.51.100.3', '198.51.100.4', '198.51.100.5']) await fail(1, address);
      assert.deepEqual(
        (await entries()).map(({ counts }) => counts.failures),
        [4, 2, 1],
      );
    });

    test('Failures are stored as digests and counted across all instances of a database', async () => {
      await fail(5);
      const { admitAttempt, confirmFailure } = await import(
        '../../src/features/workspaces/sign-in.limits.ts'
      );
      const beside = await openTestStorage(service.database);
      const attempted = { email, address: HOME, hasSession: false };
      for (let times = 0; times < 5; times++) {
        const { waitMs, at } = await beside.run(admitAttempt, null, attempted);
        assert.equal(waitMs, 0);
        await beside.run(confirmFailure, null, { ...attempted, at, user: undefined });
      }
      await beside.close();
      assertWait(await trySignIn(HOME, PASSWORD), 60);
      await service.database.query('delete from sign_in_failures');
      assert.equal((await trySignIn(HOME, PASSWORD)).status, 200);
      await fail(1);
      const stored = JSON.stringify([
        await failures(),
        await service.database.query('select * from sign_in_addresses'),
      ]);
      for (const text of [HOME, email, 'person']) assert.equal(stored.includes(text), false);
    });
  });
}
