import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type CallEvent, Channel } from '../../sdk/src/runtime.ts';
import { engines } from '../kit/database/engines.ts';
import { withRestartableService } from '../kit/faults/restartable-service.ts';
import { assertConsistent } from '../kit/load/acknowledged-writes.ts';
import { KEY } from '../kit/service/test-service.ts';
import { eventually } from '../kit/webhooks/deliveries.ts';

/** The address that the SDK has. The port of the service changes with each start. */
const BASE = 'http://roster.invalid';
const KILLS = 3;
const CALLS_BETWEEN_KILLS = 60;
const RUNTIMES = 6;

describe('Reports while the service is killed', () => {
  for (const engine of Object.keys(engines) as (keyof typeof engines)[])
    it(`Every report of the SDK is recorded once on ${engine}, although the service is killed three times`, async () => {
      await withRestartableService(
        engine,
        async (service) => {
          const request = async (method: string, path: string, body?: unknown) => {
            const reply = await service.call(method, path, body);
            assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
            return reply.body.data;
          };
          const { id: agent_id } = await request('POST', '/agents', { name: 'Agent', instructions: 'Hi.' });
          await request('POST', `/agents/${agent_id}/versions/v1/deploy`, {});
          const { id, secret } = await request('POST', '/channels', {
            kind: 'web_chat',
            name: 'Line',
            address: 'x',
          });
          await request('PUT', `/channels/${id}/agent`, { agent_id });
          const dispositions = [{ key: 'booked', label: 'Booked' }];
          await request('PUT', '/call-settings', { dispositions, field_rules: [], transcript_days: null });

          const dropped: unknown[] = [];
          const channel = new Channel({
            baseUrl: BASE,
            id,
            secret,
            fetch: (url, init) => fetch(`${url}`.replace(BASE, service.url()), init),
            onDrop: ({ provider_id }, reason) => dropped.push([provider_id, reason]),
          });
          const sessions = new Map<string, string>();
          let isRunning = true;
          const run = async (runtime: number) => {
            for (let at = 0; isRunning; at++) {
              const call = { provider_id: `call-${runtime}-${at}`, direction: 'inbound' as const };
              const number = `+1415555${String(100 + (at % 100)).padStart(4, '0')}`;
              // A runtime that cannot start a session takes its next call.
              const session = await channel.session({ ...call, number }).catch(() => pause(20, undefined));
              if (!session) continue;
              const event: CallEvent = { type: 'call', ...call, number, session_id: session.session_id };
              void channel.report({ ...event, goals: { visit: false } });
              void channel.report({
                ...event,
                status: 'completed',
                disposition: 'booked',
                goals: { visit: true },
              });
              sessions.set(call.provider_id, session.session_id);
            }
          };
          const running = Promise.all(Array.from({ length: RUNTIMES }, (_, runtime) => run(runtime)));
          for (let kill = 1; kill <= KILLS; kill++) {
            const begun = sessions.size;
            await eventually('calls are reported', async () => sessions.size >= begun + CALLS_BETWEEN_KILLS);
            await service.kill();
            await service.start();
          }
          isRunning = false;
          await running;
          await channel.flush();
          assert.deepEqual(dropped, []);

          const rows = await service.database.query(
            'select provider_id, disposition, goals, status from calls',
          );
          assert.deepEqual(
            rows.map(({ provider_id }) => provider_id).sort(),
            [...sessions.keys()].sort(),
            'each call once',
          );
          for (const { provider_id, ...result } of rows)
            assert.deepEqual(
              result,
              { disposition: 'booked', goals: '{"visit":true}', status: 'completed' },
              `${provider_id}`,
            );
          const { dispositions: counted, goals } = await request('GET', '/outcomes');
          assert.deepEqual(counted, { booked: sessions.size });
          assert.deepEqual(goals, { visit: { reached: sessions.size, missed: 0 } });
          await assertConsistent(service.database);
        },
        { ROSTER_API_KEY: KEY },
      );
    });
});
