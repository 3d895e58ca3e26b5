import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { signedInUser } from '../kit/dashboard/users.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { applyImport, planCsv, undoImport } from '../kit/imports/imports.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { sendEvent } from '../kit/webhooks/channel-hooks.ts';
import { eventually } from '../kit/webhooks/deliveries.ts';

const DAY_MS = 86_400_000;
const dayFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** From a file with columns of its own to a call that says the right words, over HTTP. */
onEveryEngine('Scenario of a personal campaign', (service) => {
  test('A file becomes fields, a segment, a live campaign, rendered claims and a call with its text', async () => {
    const owner = await signedInUser(service);
    const request = async (method: string, path: string, body?: unknown, status = 200): Promise<Json> => {
      const reply = await owner.call(method, path, body);
      assert.equal(reply.status, status, `${method} ${path}: ${reply.text}`);
      return reply.body.data;
    };
    const [ada, bo, cy, dee, eve] = [1, 2, 3, 4, 5].map(newPhone) as [string, string, string, string, string];
    const soon = dayFromNow(10);
    const csv = [
      'Phone,First name,Plan,Renewal date,Balance',
      `${ada},Ada,gold,${soon},120.5`,
      `${bo},Bo,gold,${soon},`,
      `${cy},Cy,gold,${soon},`,
      `${dee},Dee,silver,${soon},10`,
      `${eve},Eve,gold,${dayFromNow(90)},10`,
    ].join('\n');
    const upload = { raw: csv, headers: { 'content-type': 'text/csv' } };
    const read = await owner.call('POST', '/imports/columns', undefined, upload);
    const suggested = Object.fromEntries(
      (read.body.data.columns as Json[]).flatMap(({ suggestion }, at) =>
        suggestion ? [[at, { ...suggestion, filterable: true }]] : [],
      ),
    );
    assert.deepEqual(
      Object.values(suggested).map(({ key }) => key),
      ['plan', 'renewal_date', 'balance'],
    );
    const planned = await planCsv(owner, csv, { create_fields: JSON.stringify(suggested) });
    assert.equal((await applyImport(owner, planned.id)).totals.created, 5);
    const fields: Json[] = await request('GET', '/fields');
    assert.deepEqual(fields.map(({ key, filterable }) => [key, filterable]).sort(), [
      ['balance', true],
      ['plan', true],
      ['renewal_date', true],
    ]);

    const filter = {
      all: [
        { attribute: 'fields.plan', op: 'eq', value: 'gold' },
        { attribute: 'fields.renewal_date', op: 'within_next', value: 'P30D' },
        { not: { attribute: 'last_activity_at', op: 'within_last', value: 'P7D' } },
      ],
    };
    const segment = await request('POST', '/segments', { name: 'Renewals', filter, shared: true }, 201);
    assert.equal((await request('GET', `/segments/${segment.id}/count`)).count, 3);

    const instructions =
      'Tell {{first_name|the customer}} that the plan renews on {{renewal_date}}; {{balance}} are open.';
    const agent = await request('POST', '/agents', { name: 'Renewals', instructions }, 201);
    const version = (await request('GET', `/agents/${agent.id}`)).versions[0];
    await request('POST', `/agents/${agent.id}/versions/${version.id}/deploy`);
    const audience = { segment_id: segment.id, mode: 'live' };
    const campaign = await request(
      'POST',
      '/campaigns',
      { name: 'Renew', agent_id: agent.id, audience },
      201,
    );
    const path = `/campaigns/${campaign.id}`;
    await eventually('three enrollments', async () =>
      (await request('GET', path)).enrolled.pending === 3 ? true : undefined,
    );

    const check = await request('GET', `${path}/start-check`);
    assert.equal(check.ready, false);
    assert.match(JSON.stringify(check), /"Bo".*"Cy"|"Cy".*"Bo"/, 'the people are named before the start');
    assert.doesNotMatch(JSON.stringify(check), /"Ada"/);
    await request('PATCH', path, { status: 'active' });
    const claim = async (): Promise<Json[]> =>
      (await request('POST', `${path}/claims`, { limit: 10, render: true })).claims;
    const [first, ...others] = await claim();
    assert.equal(others.length, 0);
    assert.equal(first?.contact.first_name, 'Ada');
    const text = `Tell Ada that the plan renews on ${soon}; 120.5 are open.`;
    assert.equal(first?.instructions, text);
    assert.equal(first?.sha256, createHash('sha256').update(text).digest('hex'));
    assert.equal(first?.version.id, version.id);
    const blocked: Json[] = await request('GET', `${path}/enrollments?status=blocked`);
    assert.deepEqual(blocked.map(({ contact_name }) => contact_name).sort(), ['Bo', 'Cy']);
    assert.match(JSON.stringify(blocked[0]?.reason), /balance/);

    const late = blocked.find(({ contact_name }) => contact_name === 'Bo');
    await request('PATCH', `/contacts/${late?.contact_id}`, { fields: { balance: 7 } });
    const [second] = await eventually('the claim of the contact whose value arrived', async () => {
      const claims = await claim();
      return claims.length > 0 ? claims : undefined;
    });
    assert.equal(second?.instructions, `Tell Bo that the plan renews on ${soon}; 7 are open.`);

    const channel = await request(
      'POST',
      '/channels',
      { kind: 'phone', name: 'Out', address: '+14155550199' },
      201,
    );
    await request('PUT', `/channels/${channel.id}/agent`, { agent_id: agent.id });
    const started = await sendEvent(service, channel, {
      type: 'call',
      provider_id: 'call-1',
      direction: 'outbound',
      number: ada,
      status: 'completed',
      instructions_sha256: first?.sha256,
    });
    assert.equal(started.status, 200, started.text);
    const [call] = await request('GET', `/calls?contact_id=${first?.contact.id}`);
    const record = await request('GET', `/calls/${call.id}?include=instructions`);
    assert.deepEqual(record.instructions, { sha256: first?.sha256, text });
    assert.equal((await request('GET', `/segments/${segment.id}/count`)).count, 2, 'Ada was called');

    const undone = await undoImport(owner, planned.id);
    assert.equal(undone.state, 'undone');
    const remaining: Json[] = await request('GET', '/contacts?limit=100');
    const names = remaining.map(({ first_name }) => first_name);
    for (const name of ['Cy', 'Dee', 'Eve']) assert.ok(!names.includes(name), `${name} is gone`);
  });
});
