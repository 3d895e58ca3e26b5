import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withRestartableService } from '../kit/faults/restartable-service.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import type { Json } from '../kit/service/test-service.ts';
import { eventually } from '../kit/webhooks/deliveries.ts';

const CONTACTS = 2_000;

/** Kills the service while a job indexes the values of a field, and while another one erases them. */
const killUnderFieldJobs = (engine: 'sqlite' | 'postgres') =>
  withRestartableService(engine, async (service) => {
    const { query } = service.database;
    const request = async (method: string, path: string, body?: Json): Promise<Json> => {
      const reply = await service.call(method, path, body);
      assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
      return reply.body.data;
    };
    const count = async (sql: string) =>
      Number(((await query(`select count(*) as count from ${sql}`))[0] as Json).count);
    const untilDone = () =>
      eventually('the end of the job', async () => (await count(`jobs where kind like 'field.%'`)) === 0);
    /** As soon as some contacts are done. */
    const killInJob = async () => {
      const steps = `jobs where kind like 'field.%' and subject in (select key from contact_fields where walked_until = 0)`;
      await eventually('a step', async () => (await count(steps)) === 0);
      await service.kill();
      await service.start();
      await untilDone();
    };
    await request('POST', '/fields', { key: 'plan', label: 'Plan', type: 'text' });
    for (let made = 0; made < CONTACTS; made += 500) {
      const operations = Array.from({ length: 500 }, (_, at) => ({
        op: 'create',
        phone_number: newPhone(),
        fields: { plan: `plan ${made + at}` },
      }));
      await request('POST', '/contacts/batch', { operations });
    }
    await request('PATCH', '/fields/plan', { filterable: true });
    await killInJob();
    const indexed = `contact_field_values as v join contacts as c on c.workspace_id = v.workspace_id and c.seq = v.seq
      where c.fields = '{"plan":"' || v.value || '"}'`;
    assert.deepEqual(
      [
        await count(indexed),
        await count('contact_field_values'),
        await count('contact_fields where indexed = 1'),
      ],
      [CONTACTS, CONTACTS, 1],
    );

    await request('DELETE', '/fields/plan');
    await request('DELETE', '/fields/plan?erase=true');
    await killInJob();
    for (const left of ['contact_fields', 'contact_field_values', `contacts where fields <> '{}'`])
      assert.equal(await count(left), 0, left);
    const updates = `events where type = 'contact.updated'`;
    assert.equal(await count(updates), CONTACTS, 'each contact was changed once');
    assert.equal(await count(`(select distinct subject from ${updates}) as changed`), CONTACTS);
    assert.equal(await count(`tallies where list = 'fields:plan' and count <> 0`), 0);
  });

describe('Service killed during the jobs of a field', () => {
  it('A service killed while it indexes and erases a field does the rest once, on SQLite', () =>
    killUnderFieldJobs('sqlite'));
  it('A service killed while it indexes and erases a field does the rest once, on PostgreSQL', () =>
    killUnderFieldJobs('postgres'));
});
