import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addDashboardUser, PASSWORD } from '../kit/dashboard/users.ts';
import { engines } from '../kit/database/engines.ts';
import { assertError } from '../kit/http/assertions.ts';
import { KEY, type Reply, startTestService, type TestService } from '../kit/service/test-service.ts';

const QUOTA = 10;
const WRONG = 'rk_1_ANOTHERexampleANOTHERexample0000';

/** Ten failures per hour for each address. The proxy is trusted, so that a test can choose its address. */
for (const [name, create] of Object.entries(engines)) {
  describe(`Failed credentials on ${name}`, () => {
    let service: TestService;
    let last = 0;
    let address = '';
    const from = (other = address) => ({ 'x-forwarded-for': other });
    const tryKey = (key: string, at?: string): Promise<Reply> =>
      service.get('/v1/contacts', { key, headers: from(at) });
    const failTimes = async (count: number, at?: string) => {
      for (let times = 0; times < count; times++) assertError(await tryKey(WRONG, at), 401, 'UNAUTHORIZED');
    };
    const newAddress = () => {
      address = `192.0.2.${++last}`;
    };
    before(async () => {
      service = await startTestService(await create(), {
        trustProxy: 1,
        failureLimit: { quota: QUOTA, windowMs: 3_600_000 },
      });
      await addDashboardUser(service, 'person@example.com', 'member');
    });
    after(async () => {
      await service.stop();
      await service.database.drop();
    });

    it('Too many failed credentials from an address return 429 with the time to wait', async () => {
      newAddress();
      await failTimes(QUOTA);
      const reply = await tryKey(WRONG);
      assertError(reply, 429, 'RATE_LIMITED');
      const wait = Number(reply.headers.get('retry-after'));
      assert.ok(wait > 300 && wait <= 360, `${wait} s`);
      assert.equal(reply.headers.get('www-authenticate'), null);
    });

    it('Failed credentials do not lock out a valid key from the same address', async () => {
      newAddress();
      await failTimes(QUOTA);
      assert.equal((await tryKey(WRONG)).status, 429);
      assert.equal((await tryKey(KEY)).status, 200);
      const body = { email: 'person@example.com', password: PASSWORD };
      const signedIn = await service.post('/dashboard/api/session', body, {
        headers: { authorization: null, ...from() },
      });
      assert.equal(signedIn.status, 200, signedIn.text);
    });

    it('Failed credentials are counted separately for each address', async () => {
      newAddress();
      await failTimes(QUOTA);
      assert.equal((await tryKey(WRONG)).status, 429);
      newAddress();
      assert.equal((await tryKey(WRONG)).status, 401);
    });

    it('Failures are counted by IPv6 network and by the address that the proxy reports', async () => {
      for (let times = 0; times < QUOTA; times++) await failTimes(1, `2001:db8:0:${times}::1`);
      for (let times = 0; times < QUOTA; times++)
        await failTimes(1, `203.0.113.${times}, 2001:db8:7::${times + 1}`);
      assert.equal((await tryKey(WRONG, '2001:db8:7:0:ffff::1')).status, 429);
      assert.equal((await tryKey(WRONG, '2001:db8:7:1::1')).status, 401);
    });

    it('Failures are counted by address without its port; an invalid address is ignored', async () => {
      newAddress();
      const forms = [
        address,
        `${address}:4711`,
        `::ffff:${address}`,
        `[::FFFF:${address}]:443`,
        ` ${address} `,
      ];
      for (let times = 0; times < QUOTA; times++)
        await failTimes(1, (forms[times % forms.length] as string).replace('4711', `${5_000 + times}`));
      assert.equal((await tryKey(WRONG, `${address}:1`)).status, 429);
      const v6 = ['2001:DB8:9::1', '[2001:db8:9::2]:443', '2001:db8:9:0::3%eth0', '2001:0db8:0009::4'];
      for (let times = 0; times < QUOTA; times++) await failTimes(1, v6[times % v6.length]);
      assert.equal((await tryKey(WRONG, '[2001:db8:9::ffff]:1')).status, 429);
      for (let times = 0; times < QUOTA; times++) await failTimes(1, `garbage ${times}`);
      assert.equal((await tryKey(WRONG, 'unknown')).status, 429, 'that of the connection counts instead');
    });

    it('Failures of keys, hook secrets, signatures, sign-ins and links share one count', async () => {
      newAddress();
      const headers = { authorization: `Bearer ${WRONG}`, ...from() };
      const bare = { authorization: null, ...from() };
      const tries: (() => Promise<Reply>)[] = [
        () => service.get('/v1/contacts', { headers }),
        () => service.get('/hooks/channels/channel_x/agent', { headers }),
        () => service.post('/hooks/contacts/integration_x', {}, { headers }),
        () => service.post('/hooks/channels/channel_x/events', {}, { headers: bare }),
        () => service.post('/dashboard/api/session/link', { token: 'rl_1_x' }, { headers: bare }),
        () =>
          service.post(
            '/dashboard/api/session',
            { email: 'a@example.com', password: 'x' },
            { headers: bare },
          ),
      ];
      for (let times = 0; times < QUOTA; times++) {
        const each = tries[times % tries.length] as (typeof tries)[0];
        assertError(await each(), 401, 'UNAUTHORIZED');
      }
      for (const each of tries) assertError(await each(), 429, 'RATE_LIMITED');
    });

    it('A request without credentials does not count as a failure', async () => {
      newAddress();
      const headers = { authorization: null, ...from() };
      for (let times = 0; times < QUOTA * 2; times++) {
        assert.equal((await service.get('/v1/contacts', { headers })).status, 401);
        assert.equal((await service.get('/dashboard/api/session', { headers })).status, 401);
      }
    });
  });
}
