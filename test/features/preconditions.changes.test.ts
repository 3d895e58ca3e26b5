import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { makeChannel, signedInOwner } from '../kit/fixtures/agents.ts';
import { runBulkJob } from '../kit/fixtures/bulk-jobs.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { etagOf } from '../kit/http/etags.ts';
import { applyImport, planCsv, undoImport } from '../kit/imports/imports.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { sendEvent } from '../kit/webhooks/channel-hooks.ts';

/** An ETag changes whenever a visible value changes, whatever changed it. */
onEveryEngine('ETags of changing records', (service) => {
  let owner: CheckedUser;
  let channel: Json;
  let crm: Json;
  let calls = 0;
  before(async () => {
    owner = await signedInOwner(service);
    channel = await makeChannel(owner);
    crm = await owner.request('POST', '/integrations', { name: 'CRM' }, 201);
  });

  /** Follows a record: after each step its text and its ETag have both changed, or neither. */
  const follow = async (path: string) => {
    const seen = new Map<string, string>();
    const readRecord = async () => {
      const reply = await owner.call('GET', path);
      return { text: reply.text, etag: etagOf(reply) };
    };
    let last = await readRecord();
    seen.set(last.etag, last.text);
    const after = async (what: string, isChange: boolean, step: () => Promise<unknown>) => {
      await step();
      const now = await readRecord();
      assert.equal(now.text !== last.text, isChange, `${what} changes what is shown`);
      assert.equal(now.etag !== last.etag, isChange, `${what} changes the tag`);
      if (isChange) assert.equal(seen.has(now.etag), false, `${what} gives a new ETag`);
      seen.set(now.etag, now.text);
      last = now;
    };
    return {
      changes: (what: string, step: () => Promise<unknown>) => after(what, true, step),
      leaves: (what: string, step: () => Promise<unknown>) => after(what, false, step),
    };
  };

  const recordCallAt = async (number: string, started_at: string) => {
    const event = { type: 'call', provider_id: `call ${++calls}`, direction: 'inbound', number, started_at };
    assert.equal((await sendEvent(service, channel, event)).status, 200);
  };
  const sendContact = async (body: Json) => {
    const reply = await service.post(`/hooks/contacts/${crm.id}`, body, { key: crm.secret });
    assert.equal(reply.status, 200, reply.text);
  };

  test('The ETag of a contact changes with updates, calls, CRM ids, imports, undo and selections', async () => {
    const phone_number = newPhone();
    const { id } = await owner.request('POST', '/contacts', { phone_number }, 201);
    const path = `/contacts/${id}`;
    const { changes, leaves } = await follow(path);
    await changes('an update', () => owner.request('PATCH', path, { first_name: 'Ada' }));
    await changes('an update with nothing in it', () => owner.request('PATCH', path, {}));
    await changes('an update back to what it was', () => owner.request('PATCH', path, { first_name: null }));
    await changes('a later call', () => recordCallAt(phone_number, new Date().toISOString()));
    await changes('an earlier call', () => recordCallAt(phone_number, '2001-01-01T00:00:00Z'));
    await leaves('a call between', () => recordCallAt(phone_number, '2020-01-01T00:00:00Z'));
    await changes('a CRM', () => sendContact({ phone_number, crm_ids: { hubspot: '1' } }));
    const { updated_at } = await owner.request('GET', path);
    await service.database.query(`update contacts set crm_ids = '{"hubspot":"2"}' where id = ?`, id);
    assert.equal((await owner.request('GET', path)).updated_at, updated_at);
    await changes('another id of a CRM alone', async () => {});
    await changes('a tag of a bulk job', () =>
      runBulkJob(owner, { action: 'tag', selection: { ids: [id] }, add: ['one'] }),
    );
    await leaves('a tag that it has', () =>
      runBulkJob(owner, { action: 'tag', selection: { ids: [id] }, add: ['one'] }),
    );
    const plan = await planCsv(owner, `Phone,First name\n${phone_number},Grace\n`);
    await changes('an import', () => applyImport(owner, plan.id));
    await changes('its undoing', () => undoImport(owner, plan.id));
    await leaves('another contact', () =>
      owner.request('POST', '/contacts', { phone_number: newPhone() }, 201),
    );
  });

  test('The ETag of an agent changes with updates, versions, deploys and rollbacks', async () => {
    const { id } = await owner.request('POST', '/agents', { name: 'Agent', instructions: 'One.' }, 201);
    const path = `/agents/${id}`;
    const version = async (label: string) =>
      (await owner.request('GET', path)).versions.find((each: Json) => each.version_label === label).id;
    const deploy = async (label: string) =>
      owner.request('POST', `${path}/versions/${await version(label)}/deploy`, {});
    const { changes, leaves } = await follow(path);
    await changes('an update', () => owner.request('PATCH', path, { description: 'Kind' }));
    await changes('a new version', () => owner.request('PATCH', path, { instructions: 'Two.' }));
    await changes('the same text again', () => owner.request('PATCH', path, { instructions: 'Two.' }));
    await changes('a deploy', () => deploy('v1'));
    await leaves('a deploy of what is deployed', () => deploy('v1'));
    await changes('another deploy', () => deploy('v3'));
    await changes('a roll-back', () => deploy('v1'));
  });

  test('The ETag of a channel changes with updates, its agent and the name of that agent', async () => {
    const agent = await owner.request('POST', '/agents', { name: 'Agent', instructions: '' }, 201);
    const { id } = await makeChannel(owner, { kind: 'web_chat', address: 'shop' });
    const path = `/channels/${id}`;
    const connect = () => owner.request('PUT', `${path}/agent`, { agent_id: agent.id });
    const { changes, leaves } = await follow(path);
    await changes('an update', () => owner.request('PATCH', path, { name: 'Other' }));
    await changes('a secret of Twilio', () =>
      owner.request('PATCH', path, { platform_secret: 'a secret of Twilio' }),
    );
    await changes('an agent', connect);
    await changes('its name', () => owner.request('PATCH', `/agents/${agent.id}`, { name: 'Renamed' }));
    await leaves('its text', () => owner.request('PATCH', `/agents/${agent.id}`, { instructions: 'Two.' }));
    await changes('no agent', () => owner.request('DELETE', `${path}/agent`));
    await changes('an agent again', connect);
    await changes('the end of that', () => owner.request('DELETE', `/agents/${agent.id}`));
  });

  test('A campaign can be updated with an ETag from before its enrollments changed', async () => {
    const agent = await owner.request('POST', '/agents', { name: 'Agent', instructions: '' }, 201);
    const contact = await owner.request('POST', '/contacts', { phone_number: newPhone() }, 201);
    const fields = { name: 'Busy', agent_id: agent.id, status: 'active' };
    const made = await owner.call('POST', '/campaigns', fields);
    const path = `/campaigns/${made.body.data.id}`;
    await owner.request('POST', `${path}/enrollments`, { contact_ids: [contact.id] });
    const pause = () =>
      owner.call('PATCH', path, { status: 'paused' }, { headers: { 'if-match': etagOf(made) } });
    const paused = await pause();
    assert.equal(paused.status, 200, paused.text);
    assert.equal((await pause()).status, 412, 'the update itself has changed the campaign');
  });

  test('The ETag of a campaign changes with updates, its enrollments and its agent', async () => {
    const agent = await owner.request('POST', '/agents', { name: 'Agent', instructions: '' }, 201);
    const contact = await owner.request('POST', '/contacts', { phone_number: newPhone() }, 201);
    const { id } = await owner.request('POST', '/campaigns', { name: 'Spring', agent_id: agent.id }, 201);
    const path = `/campaigns/${id}`;
    const { changes } = await follow(path);
    const enrollment = `${path}/enrollments/${contact.id}`;
    await changes('an update', () => owner.request('PATCH', path, { status: 'active' }));
    await changes('an enrollment', () =>
      owner.request('POST', `${path}/enrollments`, { contact_ids: [contact.id] }),
    );
    await changes('how it went', () => owner.request('PATCH', enrollment, { status: 'completed' }));
    await changes('the name of its agent', () =>
      owner.request('PATCH', `/agents/${agent.id}`, { name: 'Renamed' }),
    );
    await changes('the end of that', () => owner.request('DELETE', `/agents/${agent.id}`));
  });
});
