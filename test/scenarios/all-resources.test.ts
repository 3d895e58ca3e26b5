import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DashboardUser, signedInUser } from '../kit/dashboard/users.ts';
import { onEveryEngine } from '../kit/service/test-service.ts';
import { getAgentFromHook, twilioCallback } from '../kit/webhooks/channel-hooks.ts';

/** The life of an agent, a caller and a campaign, from start to end over HTTP. */
onEveryEngine('Scenario with all resources', (service) => {
  test('A scenario with all resources runs from start to end', async () => {
    const owner: DashboardUser = await signedInUser(service);
    const request = async (method: string, path: string, body?: unknown, status = 200) => {
      const reply = await owner.call(method, path, body);
      assert.equal(reply.status, status, `${method} ${path}: ${reply.text}`);
      return reply.body.data;
    };
    const versionsOf = async (id: string) => (await service.get(`/v1/agents/${id}`)).body.data.versions;

    const agent = (await service.post('/v1/agents', { name: 'Receptionist', instructions: 'First words.' }))
      .body.data;
    const channel = await request(
      'POST',
      '/channels',
      { kind: 'phone', name: 'Front desk', address: '+14155550199' },
      201,
    );
    assert.equal((await getAgentFromHook(service, channel)).status, 404);
    await request('PUT', `/channels/${channel.id}/agent`, { agent_id: agent.id });
    assert.equal(
      (await getAgentFromHook(service, channel)).status,
      404,
      'connected, but nothing is deployed',
    );

    const [first] = await versionsOf(agent.id);
    await request('POST', `/agents/${agent.id}/versions/${first.id}/deploy`, { note: 'go' });
    const active = await getAgentFromHook(service, channel);
    assert.equal(active.status, 200);
    assert.deepEqual(active.body.data, {
      agent_id: agent.id,
      version_id: first.id,
      version_label: 'v1',
      instructions: 'First words.',
      config_sha256: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
      config: {},
    });
    const etag = active.headers.get('etag') ?? '';
    assert.equal((await getAgentFromHook(service, channel, { 'if-none-match': etag })).status, 304);

    await service.patch(`/v1/agents/${agent.id}`, { instructions: 'Second words.' });
    assert.equal((await getAgentFromHook(service, channel)).body.data.instructions, 'First words.');
    const [second] = await versionsOf(agent.id);
    const impact = await request('GET', `/agents/${agent.id}/versions/${second.id}/impact`);
    assert.deepEqual(
      impact.channels.map((each: { id: string }) => each.id),
      [channel.id],
    );
    assert.deepEqual([impact.difference.added, impact.difference.removed], [1, 1]);
    await request('POST', `/agents/${agent.id}/versions/${second.id}/deploy`);
    assert.equal(
      (await getAgentFromHook(service, channel, { 'if-none-match': etag })).body.data.instructions,
      'Second words.',
    );
    assert.deepEqual(
      (await versionsOf(agent.id)).map((each: { deployment_status: string }) => each.deployment_status),
      ['deployed', 'archived'],
    );

    const call = {
      CallSid: 'CA1',
      From: '+14155550123',
      To: '+14155550199',
      CallStatus: 'ringing',
      Direction: 'inbound',
    };
    assert.equal((await twilioCallback(service, channel, call)).status, 200);
    const found = (await service.get('/v1/contacts?search=5550123')).body.data;
    assert.equal(found.length, 1);
    const contact = found[0];
    assert.equal(contact.source, 'inbound');
    assert.equal(contact.phone_number, '+14155550123');
    const listed = (await request('GET', `/calls?contact_id=${contact.id}`))[0];
    assert.equal(listed.version_id, second.id);
    assert.equal(listed.agent_id, agent.id);

    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(
      (await twilioCallback(service, channel, { ...call, CallSid: 'CA2', From: '(415) 555-0123' })).status,
      200,
    );
    const later = (await service.get(`/v1/contacts/${contact.id}`)).body.data;
    assert.equal(later.first_contact_at, contact.first_contact_at);
    assert.ok(later.last_contact_at > contact.last_contact_at);

    const integration = await request('POST', '/integrations', { name: 'CRM' }, 201);
    const sent = await service.post(
      `/hooks/contacts/${integration.id}`,
      { phone_number: '+14155550123', first_name: 'Ada', crm_ids: { hubspot: '17' } },
      { key: integration.secret },
    );
    assert.equal(sent.status, 200, sent.text);
    assert.equal(sent.body.data.action, 'updated');
    assert.deepEqual((await service.get(`/v1/contacts/${contact.id}`)).body.data.crm_ids, { hubspot: '17' });

    const campaign = await request(
      'POST',
      '/campaigns',
      { name: 'Spring', agent_id: agent.id, status: 'active' },
      201,
    );
    assert.equal(
      (await request('POST', `/campaigns/${campaign.id}/enrollments`, { contact_ids: [contact.id] }))
        .enrolled,
      1,
    );
    assert.equal(
      (await request('POST', `/campaigns/${campaign.id}/enrollments`, { search: '5550123' }))
        .already_enrolled,
      1,
    );

    assert.equal((await service.delete(`/v1/contacts/${contact.id}`)).status, 200);
    const calls = await request('GET', '/calls');
    assert.deepEqual(
      calls.map((each: { contact_id: null }) => each.contact_id),
      [null, null],
    );
    assert.deepEqual(await request('GET', `/campaigns/${campaign.id}/enrollments`), []);

    assert.equal((await service.delete(`/v1/agents/${agent.id}`)).status, 200);
    assert.equal((await getAgentFromHook(service, channel)).status, 404);
    assert.equal((await request('GET', `/channels/${channel.id}`)).agent, null);
    assert.equal((await request('GET', `/campaigns/${campaign.id}`)).status, 'paused');
    assert.equal((await request('GET', '/calls'))[0].version_label, 'v2');
  });
});
