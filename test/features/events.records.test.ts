import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { applyImport, planCsv, undoImport, waitForImport } from '../kit/imports/imports.ts';
import { type EventReader, followEvents } from '../kit/service/event-reader.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { sendEvent } from '../kit/webhooks/channel-hooks.ts';

onEveryEngine('Events of records', (service) => {
  let owner: CheckedUser;
  let ownerId: string;
  let events: EventReader;
  let dialer: string;
  before(async () => {
    owner = await checkedUser(service, await signedInUser(service));
    ownerId = (await owner.request('GET', '/session')).id;
    events = await followEvents(owner);
    dialer = await createScopedKey(service.database, 'campaigns:read', 'campaigns:write');
  });
  const get = (path: string) => owner.request('GET', path);
  /** The next events without those of other kinds of records. */
  const nextOf = async (...kinds: string[]): Promise<Json[]> =>
    (await events.next()).filter(({ type }) => kinds.includes(type.split('.')[0]));
  const summaryOf = ({ type, subject_id, contact_id, agent_id, campaign_id, changed }: Json) => ({
    type,
    subject: subject_id,
    contact: contact_id,
    agent: agent_id,
    campaign: campaign_id,
    changed,
  });
  const about = (type: string, subject: string, rest: Json = {}) => ({
    type,
    subject,
    contact: null,
    agent: null,
    campaign: null,
    changed: null,
    ...rest,
  });
  const makeAgent = async (instructions = 'One.') =>
    owner.request('POST', '/agents', { name: 'Ann', instructions }, 201);
  const deployFirst = async (id: string) => owner.request('POST', `/agents/${id}/versions/v1/deploy`, {});
  const makeChannel = (address = newPhone()) =>
    owner.request('POST', '/channels', { kind: 'phone', name: 'Line', address }, 201);
  const makeContact = () =>
    owner.request('POST', '/contacts', { phone_number: newPhone(), first_name: 'Ada' }, 201);
  const makeCampaign = (agent_id: string) =>
    owner.request('POST', '/campaigns', { name: 'Spring', agent_id, status: 'active' }, 201);

  it('Changes of an agent and its versions have events with snapshots', async () => {
    const made = await makeAgent();
    const { id } = made;
    const named = await owner.request('PATCH', `/agents/${id}`, { name: 'Anna' });
    const edited = await owner.request('PATCH', `/agents/${id}`, { instructions: 'Two.' });
    const [second, first] = (await get(`/agents/${id}`)).versions;
    await owner.request('DELETE', `/agents/${id}`);
    const found = await nextOf('agent', 'version');
    assert.deepEqual(found.map(summaryOf), [
      about('agent.created', id, { agent: id }),
      about('version.created', first.id, { agent: id }),
      about('agent.updated', id, { agent: id, changed: ['name'] }),
      about('agent.updated', id, { agent: id, changed: ['versions'] }),
      about('version.created', second.id, { agent: id }),
      about('agent.deleted', id, { agent: id }),
    ]);
    const config_sha256 = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';
    const bundle = { config: {}, config_sha256, note: null };
    assert.deepEqual(
      found.map(({ data }) => data),
      [
        made,
        { agent_id: id, ...first, instructions: 'One.', ...bundle },
        named,
        edited,
        { agent_id: id, ...second, instructions: 'Two.', ...bundle },
        null,
      ],
    );
    for (const { actor, request_id } of found) {
      assert.equal(actor, ownerId);
      assert.match(request_id, /^req_/);
    }
  });

  it('A deploy and a rollback each have one event, and a repeated deploy has none', async () => {
    const { id } = await makeAgent();
    await owner.request('PATCH', `/agents/${id}`, { instructions: 'Two.' });
    const deploys: Json[] = [];
    for (const label of ['v1', 'v2', 'v2']) {
      deploys.push(await owner.request('POST', `/agents/${id}/versions/${label}/deploy`, { note: label }));
    }
    const [version] = (await get(`/agents/${id}/versions`)).filter(
      (each: Json) => each.version_label === 'v2',
    );
    assert.deepEqual(
      deploys.map(({ changed }) => changed),
      [true, true, false],
    );
    deploys.pop();
    deploys.push(await owner.request('POST', `/agents/${id}/versions/v1/deploy`, {}));
    const found = (await events.next()).filter(({ type }) => type === 'agent.deployed');
    assert.deepEqual(
      found.map(summaryOf),
      deploys.map(() => about('agent.deployed', id, { agent: id })),
    );
    const shown = ({ changed: _, deployed_by_email: __, deployed_by_key_name: ___, ...deploy }: Json) =>
      deploy;
    assert.deepEqual(
      found.map(({ data }) => data),
      deploys.map((deploy) => ({ agent_id: id, ...shown(deploy) })),
    );
    assert.equal(found[2]?.data.previous_version_id, version.id);
    assert.ok(!JSON.stringify(found).includes('@'), 'no email');
  });

  it('Changes of a channel have events without secrets', async () => {
    const agent = await makeAgent();
    await events.next();
    const { secret, ...made } = await makeChannel();
    const path = `/channels/${made.id}`;
    const token = 'b'.repeat(32);
    const states = [made];
    const change = async (method: string, suffix: string, body?: Json) => {
      await owner.request(method, path + suffix, body);
      states.push(await get(path));
    };
    await change('PATCH', '', { name: 'Desk', platform_secret: token });
    await change('PUT', '/agent', { agent_id: agent.id });
    const rotated = await owner.request('POST', `${path}/rotate-secret`, { grace_hours: 1 });
    states.push(await get(path));
    await change('DELETE', '/old-secret');
    await change('DELETE', '/agent');
    await owner.request('DELETE', path);
    const found = await events.next();
    const updated = (changed: string[], rest: Json = {}) =>
      about('channel.updated', made.id, { changed, ...rest });
    const connected = { agent: agent.id };
    assert.deepEqual(found.map(summaryOf), [
      about('channel.created', made.id),
      updated(['name', 'platform_secret']),
      updated(['agent'], connected),
      updated(['secret', 'old_secret_expires_at'], connected),
      updated(['old_secret_expires_at'], connected),
      updated(['agent'], connected),
      about('channel.deleted', made.id),
    ]);
    assert.deepEqual(
      found.map(({ data }) => data),
      [...states, null],
    );
    const all = JSON.stringify(found);
    for (const hidden of [secret, rotated.secret, token]) assert.ok(hidden && !all.includes(hidden));
  });

  it('Deleting an agent has events for its channels and active campaigns', async () => {
    const agent = await makeAgent();
    const channel = await makeChannel();
    await owner.request('PUT', `/channels/${channel.id}/agent`, { agent_id: agent.id });
    const campaign = await makeCampaign(agent.id);
    const draft = await owner.request('POST', '/campaigns', { name: 'Draft', agent_id: agent.id }, 201);
    await events.next();
    await owner.request('DELETE', `/agents/${agent.id}`);
    const found = await events.next();
    const deleted = { agent: agent.id };
    assert.deepEqual(found.map(summaryOf), [
      about('agent.deleted', agent.id, deleted),
      about('channel.updated', channel.id, { ...deleted, changed: ['agent'] }),
      about('campaign.updated', campaign.id, { ...deleted, campaign: campaign.id, changed: ['status'] }),
    ]);
    assert.deepEqual(found[1].data, await get(`/channels/${channel.id}`));
    assert.deepEqual(found[2].data, await get(`/campaigns/${campaign.id}`));
    assert.equal((await get(`/campaigns/${draft.id}`)).status, 'draft');
  });

  it('A call has an event when it is recorded and one for each report that changes it', async () => {
    const agent = await makeAgent();
    await deployFirst(agent.id);
    const channel = await makeChannel();
    await owner.request('PUT', `/channels/${channel.id}/agent`, { agent_id: agent.id });
    await events.next();
    const report = { type: 'call', provider_id: 'one', direction: 'inbound', number: newPhone() };
    const { id, contact_id } = (await sendEvent(service, channel, report)).body.data;
    const states = [await get(`/calls/${id}`)];
    const end = { ...report, status: 'completed', seconds: 9 };
    assert.equal((await sendEvent(service, channel, end)).body.data.effect, 'updated');
    states.push(await get(`/calls/${id}`));
    assert.equal((await sendEvent(service, channel, end)).body.data.effect, 'none');
    const found = await nextOf('call');
    const rest = { contact: contact_id, agent: agent.id };
    assert.deepEqual(found.map(summaryOf), [
      about('call.recorded', id, rest),
      about('call.updated', id, { ...rest, changed: ['status', 'ended_at', 'seconds'] }),
    ]);
    assert.deepEqual(
      found.map(({ data }) => data),
      states,
    );
    assert.equal(found[0].actor, channel.id);
  });

  it('Deleting a contact unlinks its calls in their events and erases its number', async () => {
    const channel = await makeChannel();
    const number = newPhone();
    const call = async (provider_id: string, direction: string) =>
      (await sendEvent(service, channel, { type: 'call', provider_id, direction, number })).body.data;
    // The first call is older than the contact, so it is not linked to it.
    const before = await call('before', 'outbound');
    const linked = await call('linked', 'inbound');
    const contact = linked.contact_id;
    assert.equal(before.contact_id, null);
    await events.next();
    const start = (await owner.request('GET', '/events')).events[0].id;
    await owner.request('DELETE', `/contacts/${contact}`);
    const found = await events.next();
    assert.deepEqual(
      found.map(summaryOf).toSorted((one, other) => (one.type < other.type ? -1 : 1)),
      [
        about('call.updated', linked.id, { changed: ['contact_id', 'number'] }),
        about('call.updated', before.id, { changed: ['number'] }),
        about('contact.deleted', contact, { contact }),
      ],
    );
    for (const { subject_id, data } of found.slice(0, 2)) {
      assert.deepEqual(data, await get(`/calls/${subject_id}`));
    }
    const all = JSON.stringify(await owner.request('GET', `/events?limit=500&after=${start}`));
    assert.ok(!all.includes(number), 'no event has the number');
    const stored = JSON.stringify(await service.database.query('select data from events'));
    assert.ok(!stored.includes(number), 'nor has the table');
  });

  it('Changes of a campaign have events with its counts', async () => {
    const agent = await makeAgent();
    await events.next();
    const made = await makeCampaign(agent.id);
    const paused = await owner.request('PATCH', `/campaigns/${made.id}`, { status: 'paused', name: 'May' });
    const other = await makeAgent();
    const moved = await owner.request('PATCH', `/campaigns/${made.id}`, { agent_id: other.id });
    const found = await nextOf('campaign');
    const rest = { campaign: made.id, agent: agent.id };
    assert.deepEqual(found.map(summaryOf), [
      about('campaign.created', made.id, rest),
      about('campaign.updated', made.id, { ...rest, changed: ['name', 'status'] }),
      about('campaign.updated', made.id, { ...rest, agent: other.id, changed: ['agent'] }),
    ]);
    assert.deepEqual(
      found.map(({ data }) => data),
      [made, paused, moved],
    );
  });

  it('Each enrollment, claim, report and removal has an event', async () => {
    const agent = await makeAgent();
    await deployFirst(agent.id);
    const campaign = await makeCampaign(agent.id);
    const contacts = [await makeContact(), await makeContact()];
    const ids = contacts.map(({ id }) => id);
    const path = `/campaigns/${campaign.id}/enrollments`;
    // Variables are personal data, which events do not show.
    const listed = async () => ((await get(path)) as Json[]).map(({ variables: _, ...shown }) => shown);
    const byContact = (found: Json[]) => found.toSorted((a, b) => (a.subject_id < b.subject_id ? 1 : -1));
    await events.next();

    await owner.request('POST', path, { contact_ids: ids });
    await owner.request('POST', path, { contact_ids: ids });
    const created = byContact(await events.next());
    assert.deepEqual(
      created.map(({ data }) => data),
      await listed(),
    );
    const of = (type: string, contact: string, rest: Json = {}) =>
      about(type, contact, { contact, agent: agent.id, campaign: campaign.id, ...rest });
    assert.deepEqual(
      created.map(summaryOf),
      ids.toReversed().map((id) => of('enrollment.created', id)),
    );

    const reply = await service.post(`/v1/campaigns/${campaign.id}/claims`, { limit: 5 }, { key: dialer });
    const { claims } = reply.body.data;
    const claimed = byContact(await events.next());
    assert.deepEqual(
      claimed.map(({ data }) => data),
      await listed(),
    );
    const changed = ['status', 'attempts', 'lease_expires_at'];
    assert.deepEqual(
      claimed.map(summaryOf),
      ids.toReversed().map((id) => of('enrollment.updated', id, { changed })),
    );

    const { claim_id, contact } = claims[0];
    const retry_at = new Date(Date.now() + 3_600_000).toISOString();
    await owner.request('PATCH', `${path}/${contact.id}`, {
      status: 'pending',
      outcome: 'busy',
      retry_at,
      claim_id,
    });
    const [reported] = await events.next();
    const fields = ['status', 'outcome', 'retry_at', 'lease_expires_at'];
    assert.deepEqual(summaryOf(reported), of('enrollment.updated', contact.id, { changed: fields }));
    assert.deepEqual(
      reported.data,
      (await listed()).find(({ contact_id }) => contact_id === contact.id),
    );

    const [first, second] = ids as [string, string];
    await owner.request('DELETE', `${path}/${first}`);
    await owner.request('DELETE', `/contacts/${second}`);
    const removed = await events.next();
    assert.deepEqual(removed.map(summaryOf), [
      of('enrollment.deleted', first),
      of('enrollment.deleted', second),
      about('contact.deleted', second, { contact: second }),
    ]);
    assert.ok(removed.every(({ data }) => data === null));
  });

  it('Enrolling many contacts by tag writes one event for each', async () => {
    const agent = await makeAgent();
    const campaign = await makeCampaign(agent.id);
    const operations = Array.from({ length: 200 }, () => ({
      op: 'create',
      phone_number: newPhone(),
      tags: ['crowd'],
    }));
    assert.equal((await service.post('/v1/contacts/batch', { operations })).status, 200);
    await events.next();
    await owner.request('POST', `/campaigns/${campaign.id}/enrollments`, { tag: 'crowd' });
    const found = await events.next();
    assert.equal(found.length, 200);
    assert.equal(new Set(found.map(({ subject_id }) => subject_id)).size, 200);
    assert.ok(found.every(({ type, data }) => type === 'enrollment.created' && data.status === 'pending'));
  });

  it('An import has an event for each state', async () => {
    const number = newPhone();
    const plan = await planCsv(owner, `Phone,First name\n${number},Ada\n`);
    const path = `/imports/${plan.id}`;
    await owner.request('PATCH', path, { on_existing: 'overwrite' });
    await waitForImport(owner, plan.id);
    const planned = await get(path);
    await applyImport(owner, plan.id);
    const applied = await get(path);
    await undoImport(owner, plan.id);
    const undone = await get(path);
    await owner.request('DELETE', path);
    const found = await nextOf('import');
    const updated = (...more: string[]) => about('import.updated', plan.id, { changed: ['state', ...more] });
    assert.deepEqual(found.map(summaryOf), [
      about('import.created', plan.id),
      updated('options'),
      updated(),
      updated(),
      updated(),
      updated(),
      updated(),
      about('import.deleted', plan.id),
    ]);
    const states = ['planned', 'planning', 'planned', 'applying', 'applied', 'undoing', 'undone', undefined];
    assert.deepEqual(
      found.map(({ data }) => data?.state),
      states,
    );
    const shown = (view: Json) => ({
      ...view,
      created_by_email: null,
      columns: view.columns.map((column: Json) => ({ ...column, samples: [] })),
    });
    assert.deepEqual(
      [0, 2, 4, 6].map((at) => found[at].data),
      [plan, planned, applied, undone].map(shown),
    );
    const background = [2, 4, 6].map((at) => found[at]);
    for (const { actor, request_id } of background) assert.deepEqual([actor, request_id], [plan.id, null]);
    assert.ok(!JSON.stringify(found).includes(number), 'an import event has no data of a contact');
  });

  it('A user of another workspace sees none of the events', async () => {
    const { owner: stranger } = await makeOtherWorkspace(service);
    const own = await followEvents(stranger);
    await makeAgent();
    const [event] = await events.next();
    assert.deepEqual(await own.next(), []);
    assert.deepEqual((await stranger.request('GET', '/events')).events, []);
    assert.equal((await stranger.call('GET', `/events/${event.id}`)).status, 404);
    assert.equal((await stranger.call('GET', `/events?after=${event.id}`)).status, 410);
  });

  it('A rejected request writes no event', async () => {
    const { id } = await makeAgent();
    await events.next();
    for (const [method, path, body, status] of [
      ['PATCH', `/agents/${id}`, { name: '' }, 400],
      ['POST', `/agents/${id}/versions/v9/deploy`, {}, 404],
      ['POST', '/channels', { kind: 'phone', name: 'Line', address: 'none' }, 400],
      ['POST', '/campaigns', { name: 'Spring', agent_id: id, status: 'exploded' }, 400],
    ] as const) {
      assert.equal((await owner.call(method, path, body)).status, status, path);
    }
    assert.deepEqual(await events.next(), []);
  });
});
