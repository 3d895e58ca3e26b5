import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { type CampaignApi, campaignApi, makeActiveCampaign } from '../kit/fixtures/campaigns.ts';
import { markDeployed } from '../kit/fixtures/deploy-version.ts';
import { enrollmentCounts } from '../kit/fixtures/enrollment-counts.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { makeField } from '../kit/fixtures/fields.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import {
  applyImport,
  importRows,
  planCsv,
  undoImport,
  uploadCsv,
  waitForImport,
} from '../kit/imports/imports.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { eventually } from '../kit/webhooks/deliveries.ts';

const HEADER = 'Phone,First name,Slot,Room';
const mapping = JSON.stringify({ 2: 'variables.slot', 3: 'variables.room' });

onEveryEngine('Import into a campaign', (service) => {
  let owner: CheckedUser;
  let api: CampaignApi;
  before(async () => {
    owner = await checkedUser(service, await signedInUser(service));
    api = await campaignApi(service);
  });
  const campaign = async () => (await makeActiveCampaign(service, api, 0)).id;
  const plan = (rows: string[], campaign_id: string, query: Record<string, string> = {}) =>
    planCsv(owner, [HEADER, ...rows].join('\n'), { campaign_id, mapping, ...query });
  const enrollmentsIn = async (id: string): Promise<Json[]> =>
    api.request('GET', `/campaigns/${id}/enrollments?sort=contact`);
  /** The variables of a campaign's enrollments, by the numbers of their contacts. */
  const variablesIn = async (id: string): Promise<Json> =>
    Object.fromEntries(
      (await enrollmentsIn(id)).map(({ contact_phone_number, variables }) => [
        contact_phone_number,
        variables,
      ]),
    );
  const contactOf = async (phone: string): Promise<Json | undefined> =>
    (await service.get(`/v1/contacts?search=${encodeURIComponent(phone)}`)).body.data[0];

  test('New, changed and unchanged contacts are enrolled once, with their cells as variables', async () => {
    const id = await campaign();
    const phones = Array.from({ length: 4 }, newPhone) as [string, string, string, string];
    await makeContact(service, { phone_number: phones[1] });
    await makeContact(service, { phone_number: phones[2], first_name: 'Alan' });
    const rows = [
      `${phones[0]},Ada, Tuesday at ten ,7`,
      `${phones[1]},Grace,=1+1,`,
      `${phones[2]},Alan,,`,
      `${phones[3]},Late,late,`,
      `${phones[3]},Later,later,9`,
      'none,Wrong,never,1',
    ];
    const planned = await plan(rows, id, { on_duplicate: 'fill' });
    assert.deepEqual(planned.totals, {
      create: 2,
      update: 1,
      unchanged: 1,
      duplicate_in_file: 1,
      invalid: 1,
    });
    assert.equal(planned.options.campaign_id, id);
    assert.deepEqual(await enrollmentsIn(id), [], 'a plan enrolls no one');
    const { totals } = await applyImport(owner, planned.id);
    assert.deepEqual([totals.created, totals.updated, totals.none, totals.enrolled], [2, 1, 1, 4]);
    assert.deepEqual(await variablesIn(id), {
      [phones[0]]: { room: '7', slot: ' Tuesday at ten ' },
      [phones[1]]: { slot: '=1+1' },
      [phones[2]]: {},
      [phones[3]]: { room: '9', slot: 'late' },
    });
    const { enrolled } = await api.request('GET', `/campaigns/${id}`);
    assert.deepEqual(enrolled, enrollmentCounts({ pending: 4 }));
    const own = await service.database.query(
      `select type, data from events where campaign_id = ? and type = 'enrollment.created'`,
      id,
    );
    assert.equal(own.length, 4);
    assert.ok(!JSON.stringify(own).includes('Tuesday'), 'events have no values');
  });

  test('An enrollment that waits gets additional variables; one that was claimed keeps its own', async () => {
    const { id, agent, contacts } = await makeActiveCampaign(service, api, 3);
    await service.patch(`/v1/agents/${agent.id}`, { instructions: 'At {{slot}}.' });
    await service.call('PUT', `/v1/agents/${agent.id}/variables`, { variables: [{ name: 'slot' }] });
    await markDeployed(service.database, agent.id, 2);
    const [first, second, third] = contacts as [string, string, string];
    const phoneOf = async (contact: string) =>
      (await service.get(`/v1/contacts/${contact}`)).body.data.phone_number as string;
    const phones = (await Promise.all(contacts.map(phoneOf))) as [string, string, string];
    const later = { status: 'pending', retry_at: '2099-01-01T00:00:00Z' };
    await api.report(id, second, { ...later, variables: { slot: 'Monday', shop: 'Main Street' } });
    const [claim] = await api.claims(id, { limit: 1 });
    assert.equal(claim?.contact.id, first);
    assert.deepEqual(await api.claims(id, { render: true }), []);
    const before = await enrollmentsIn(id);
    assert.deepEqual([before[2]?.contact_id, before[2]?.status], [third, 'blocked']);
    const { id: made } = await plan(
      phones.map((phone) => `${phone},Ada,Friday,`),
      id,
    );
    const { totals } = await applyImport(owner, made);
    assert.equal(totals.enrolled, undefined);
    const after = await enrollmentsIn(id);
    assert.deepEqual(
      after.map(({ variables }) => variables),
      [{}, { shop: 'Main Street', slot: 'Friday' }, { slot: 'Friday' }],
    );
    const statuses = async () => (await enrollmentsIn(id)).map(({ status }) => status).join();
    await eventually(
      'the blocked one is in the queue',
      async () => (await statuses()) === 'in_progress,pending,pending',
    );
    assert.ok((after[1]?.updated_at ?? '') > (before[1]?.updated_at ?? ''));
    const undone = await undoImport(owner, made);
    assert.deepEqual([undone.totals.unenrolled, undone.totals.still_enrolled], [undefined, undefined]);
    assert.equal((await enrollmentsIn(id)).length, 3, 'an undo keeps enrollments of others');
  });

  test('A row whose variables are too large is refused in the preview', async () => {
    const id = await campaign();
    const names = ['a', 'b', 'c', 'd', 'e'];
    const columns = Object.fromEntries(names.map((name, at) => [at + 1, `variables.${name}`]));
    const cells = (length: number) => names.map(() => 'x'.repeat(length)).join(',');
    const [one, two] = [newPhone(), newPhone()];
    const csv = `Phone,${names.join(',')}\n${one},${cells(1_800)}\n${two},${cells(1_600)}\n`;
    const planned = await planCsv(owner, csv, { campaign_id: id, mapping: JSON.stringify(columns) });
    assert.deepEqual(planned.totals, { create: 1, invalid: 1 });
    const [row] = await importRows(owner, planned.id);
    assert.deepEqual(
      [row?.verdict, row?.field, row?.reason],
      ['invalid', 'variables', 'must have at most 8192 bytes as JSON; these have 9036.'],
    );
    await applyImport(owner, planned.id);
    assert.deepEqual(Object.keys(await variablesIn(id)), [two]);
    const long = await plan([`${newPhone()},Ada,${'x'.repeat(2_001)},`], id);
    const [warned] = await importRows(owner, long.id);
    assert.deepEqual(
      [warned?.verdict, warned?.warnings.map(({ field }: Json) => field)],
      ['create', ['variables.slot']],
      'a cell that is too long is an invalid optional cell',
    );
  });

  test('Columns named like variables fill them without a mapping, unless a field has the name', async () => {
    const id = await campaign();
    const { agent } = await api.request('GET', `/campaigns/${id}`);
    const declared = { variables: [{ name: 'pickup_time' }, { name: 'car' }] };
    await owner.request('PUT', `/agents/${agent.id}/variables`, declared);
    await makeField(service, 'car', 'text');
    const [phone, plain] = [newPhone(), newPhone()];
    const header = 'Phone,variables.slot,Pickup time,Car,Other,variables.a b';
    const csv = (number: string) => `${header}\n${number},ten,noon,Volvo,x,y\n`;
    const targets = ({ columns }: Json) => columns.map(({ field }: Json) => field);
    const known = ['phone_number', 'variables.slot', 'variables.pickup_time', 'fields.car', null, null];
    const made = await planCsv(owner, csv(phone), { campaign_id: id });
    assert.deepEqual(targets(made), known);
    assert.equal(made.columns[1].certainty, 'name');
    await applyImport(owner, made.id);
    assert.deepEqual(await variablesIn(id), { [phone]: { pickup_time: 'noon', slot: 'ten' } });
    const chosen = JSON.stringify({ 1: null, 4: 'variables.pickup_time' });
    const other = await planCsv(owner, csv(plain), { campaign_id: id, mapping: chosen });
    assert.deepEqual(targets(other).slice(1), [null, null, 'fields.car', 'variables.pickup_time', null]);

    const without = await planCsv(owner, csv(plain));
    assert.deepEqual(targets(without), ['phone_number', null, null, 'fields.car', null, null]);
    const proposed = without.columns.map(({ suggestion }: Json) => suggestion?.key);
    assert.deepEqual(proposed, [undefined, 'slot', 'pickup_time', undefined, 'other', 'a_b']);
    assert.equal((await owner.call('PATCH', `/imports/${without.id}`, { campaign_id: id })).status, 200);
    assert.deepEqual(targets(await waitForImport(owner, without.id)), known, 'a campaign chosen later');
  });

  test('A skipped column stays skipped with another campaign, and a guessed variable ends with the campaign', async () => {
    const [id, other] = [await campaign(), await campaign()];
    const csv = `Phone,variables.slot,variables.room\n${newPhone()},ten,7\n`;
    const { id: made } = await planCsv(owner, csv, { campaign_id: id });
    const replan = async (body: Json): Promise<Json> => {
      const reply = await owner.call('PATCH', `/imports/${made}`, body);
      assert.equal(reply.status, 200, reply.text);
      const { columns } = await waitForImport(owner, made);
      return columns.slice(1).map(({ field, certainty }: Json) => [field, certainty]);
    };
    const [skipped, guessed] = [
      [null, 'hand'],
      ['variables.room', 'name'],
    ];
    assert.deepEqual(await replan({ mapping: { 1: null } }), [skipped, guessed]);
    assert.deepEqual(await replan({ campaign_id: other }), [skipped, guessed]);
    assert.deepEqual(await replan({ campaign_id: null }), [skipped, [null, null]]);
    assert.deepEqual(await replan({ campaign_id: id }), [skipped, guessed]);
    assert.deepEqual(await replan({ mapping: { 1: 'variables.slot' } }), [
      ['variables.slot', 'hand'],
      guessed,
    ]);
    assertInvalid(await owner.call('PATCH', `/imports/${made}`, { campaign_id: null }), 'campaign_id');
  });

  test('Columns need valid names and a campaign', async () => {
    const id = await campaign();
    const csv = `Phone,Slot\n${newPhone()},ten\n`;
    const upload = (target: string, query: Record<string, string> = {}) =>
      uploadCsv(owner, csv, { mapping: JSON.stringify({ 1: target }), ...query });
    assertInvalid(await upload('variables.slot'), 'campaign_id');
    for (const name of ['variables.Slot', 'variables.', 'variables.a.b', 'variables'])
      assertInvalid(await upload(name, { campaign_id: id }), 'columns');
    const { id: made } = await planCsv(owner, csv);
    assertInvalid(
      await owner.call('PATCH', `/imports/${made}`, { mapping: { 1: 'variables.slot' } }),
      'campaign_id',
    );
    const reply = await owner.call('PATCH', `/imports/${made}`, {
      mapping: { 1: 'variables.slot' },
      campaign_id: id,
    });
    assert.equal(reply.status, 200, reply.text);
    await waitForImport(owner, made);
    assertInvalid(await owner.call('PATCH', `/imports/${made}`, { campaign_id: null }), 'campaign_id');
  });

  test('Only a campaign of the workspace that is not finished can be named, and the scope is required', async () => {
    const [id, ended] = [await campaign(), await campaign()];
    const csv = `Phone\n${newPhone()}\n`;
    const upload = (campaign_id: string) => uploadCsv(owner, csv, { campaign_id });
    const { id: made } = await planCsv(owner, csv, { campaign_id: ended });
    await api.request('PATCH', `/campaigns/${ended}`, { status: 'finished' });
    assertError(await upload(ended), 409, 'CONFLICT');
    assertError(await owner.call('POST', `/imports/${made}/apply`), 409, 'CONFLICT');
    assert.equal((await api.call('DELETE', `/campaigns/${ended}`)).status, 200);
    assertError(await owner.call('POST', `/imports/${made}/apply`), 409, 'CONFLICT');
    const again = await owner.call('PATCH', `/imports/${made}`, { campaign_id: ended, tags: 'replace' });
    assert.equal(again.status, 200, 'a plan can keep a deleted campaign');
    const { owner: other } = await makeOtherWorkspace(service);
    const agent = await other.request('POST', '/agents', { name: 'A', instructions: '' }, 201);
    const theirs = await other.request('POST', '/campaigns', { name: 'A', agent_id: agent.id }, 201);
    for (const unknown of [theirs.id, 'campaign_00000000000000000000000000', 'nothing'])
      assertError(await upload(unknown), 404, 'NOT_FOUND');
    const { body } = await owner.call('GET', '/imports');
    assert.ok(!body.data.some(({ state }: Json) => state === 'planning'), 'nothing of them is stored');
    const narrow = await createScopedKey(service.database, 'imports:write', 'contacts:read');
    const asKey = (method: string, path: string, body?: unknown, options: object = {}) =>
      service.call(method, `/v1${path}`, body, { key: narrow, ...options });
    assertError(await uploadCsv({ call: asKey }, csv, { campaign_id: id }), 403, 'FORBIDDEN');
    const { id: mine } = await planCsv({ call: asKey }, csv);
    assertError(await asKey('PATCH', `/imports/${mine}`, { campaign_id: id }), 403, 'FORBIDDEN');
    const { id: others } = await planCsv(owner, csv, { campaign_id: id });
    assertError(await asKey('POST', `/imports/${others}/apply`), 403, 'FORBIDDEN');
    const blind = await createScopedKey(service.database, 'imports:write', 'campaigns:write');
    const applied = await service.call('POST', `/v1/imports/${others}/apply`, undefined, { key: blind });
    assertError(applied, 403, 'FORBIDDEN');
    await applyImport(owner, others);
    assertError(await asKey('GET', `/imports/${others}/undo`), 403, 'FORBIDDEN');
    assertError(await asKey('POST', `/imports/${others}/undo`), 403, 'FORBIDDEN');
    // It needs no campaign.
    assert.equal((await api.call('DELETE', `/campaigns/${id}`)).status, 200);
    assert.equal((await undoImport(owner, others)).totals.removed, 1);
  });

  test('Undo removes enrollments that no one has claimed, keeps the others, and says how many', async () => {
    const id = await campaign();
    const phones = Array.from({ length: 5 }, newPhone) as [string, string, string, string, string];
    const same = await makeContact(service, { phone_number: phones[3], first_name: 'Same' });
    const changed = await makeContact(service, { phone_number: phones[4] });
    const rows = phones.map((phone, at) => `${phone},${at === 3 ? 'Same' : 'New'},ten,`);
    const { id: made } = await plan(rows, id);
    assert.equal((await applyImport(owner, made)).totals.enrolled, 5);
    const ids = (await Promise.all(phones.map(contactOf))).map((contact) => contact?.id as string);
    // One new contact was called, one was edited, and one was enrolled again by someone else.
    const [called, edited, again] = ids as [string, string, string];
    const claims = await api.claims(id, { limit: 5 });
    for (const { contact, claim_id } of claims.filter(({ contact }) => contact.id !== called)) {
      const back = { claim_id, status: 'pending' };
      assert.equal((await api.report(id, contact.id, back)).status, 200);
    }
    await service.database.query(
      `update enrollments set attempts = 0 where campaign_id = ? and contact_id <> ?`,
      id,
      called,
    );
    await service.patch(`/v1/contacts/${edited}`, { first_name: 'Edited' });
    assert.equal((await api.call('DELETE', `/campaigns/${id}/enrollments/${again}`)).status, 200);
    await api.request('POST', `/campaigns/${id}/enrollments`, { contact_ids: [again] });

    const preview = await owner.request('GET', `/imports/${made}/undo`);
    assert.deepEqual(
      [preview.removed, preview.restored, preview.edited_by_you, preview.edited_by_others, preview.deleted],
      [1, 1, 0, 1, 0],
    );
    assert.deepEqual([preview.claimed, preview.unenrolled, preview.still_enrolled], [1, 3, 1]);
    const { totals } = await undoImport(owner, made);
    assert.deepEqual(
      [totals.removed, totals.restored, totals.edited_since, totals.unenrolled, totals.still_enrolled],
      [1, 1, 2, 3, 1],
    );
    const left = await enrollmentsIn(id);
    assert.deepEqual(
      left.map(({ contact_id }) => contact_id),
      [called],
    );
    assert.equal((await service.get(`/v1/contacts/${called}`)).status, 200);
    for (const contact of [same, changed])
      assert.equal((await service.get(`/v1/contacts/${contact.id}`)).status, 200);
    const { enrolled } = await api.request('GET', `/campaigns/${id}`);
    assert.deepEqual(enrolled, enrollmentCounts({ in_progress: 1 }));
  });

  test('Undo keeps enrollments about which someone has decided, and counts none of deleted contacts', async () => {
    const id = await campaign();
    const phones = Array.from({ length: 4 }, newPhone) as [string, string, string, string];
    const { id: made } = await plan(
      phones.map((phone) => `${phone},Ada,ten,`),
      id,
    );
    await applyImport(owner, made);
    const ids = (await Promise.all(phones.map(contactOf))).map((contact) => contact?.id as string);
    const [noted, delayed, edited, deleted] = ids as [string, string, string, string];
    const retry_at = new Date(Date.now() + 3_600_000).toISOString();
    assert.equal((await api.report(id, noted, { outcome: 'Call his wife.' })).status, 200);
    assert.equal((await api.report(id, delayed, { status: 'pending', retry_at })).status, 200);
    assert.equal((await owner.call('PATCH', `/contacts/${edited}`, { first_name: 'Eve' })).status, 200);
    assert.equal((await service.delete(`/v1/contacts/${deleted}`)).status, 200);
    const preview = await owner.request('GET', `/imports/${made}/undo`);
    assert.deepEqual(preview, {
      removed: 0,
      restored: 0,
      edited_by_you: 1,
      edited_by_others: 0,
      claimed: 2,
      deleted: 1,
      unenrolled: 1,
      still_enrolled: 2,
    });
    const { totals } = await undoImport(owner, made);
    assert.deepEqual(totals, { create: 4, edited_since: 4, unenrolled: 1, still_enrolled: 2 });
    assert.deepEqual(
      (await enrollmentsIn(id)).map(({ contact_id }) => contact_id).sort(),
      [noted, delayed].sort(),
    );
  });

  test('A row that became invalid since the plan enrolls no one', async () => {
    const id = await campaign();
    const phone = newPhone();
    const tags = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, at) => `${prefix}${at}`);
    const contact = await makeContact(service, { phone_number: phone });
    const csv = `Phone,Tags\n${phone},${tags('new', 30).join(';')}\n`;
    const options = { campaign_id: id, on_invalid: 'reject_row', tags: 'merge' };
    const { id: made, totals: planned } = await planCsv(owner, csv, options);
    assert.deepEqual(planned, { update: 1 });
    await service.patch(`/v1/contacts/${contact.id}`, { tags: tags('old', 30) });
    assert.deepEqual((await applyImport(owner, made)).totals, { update: 1, none: 1 });
    assert.deepEqual(await enrollmentsIn(id), []);
    // A legacy number has no identity, so the erasure finds the row by its contact.
    const [row] = await service.database.query(
      'select contact_id from import_rows where import_id = ?',
      made,
    );
    assert.equal(row?.contact_id, contact.id);
  });

  test('If the campaign is finished before the next rows, these are imported without an enrollment', async () => {
    const id = await campaign();
    const { id: made } = await plan([`${newPhone()},Ada,ten,`], id);
    // Between the start and the first step.
    await service.database.query(`update imports set state = 'applying', progress = 0 where id = ?`, made);
    await api.request('PATCH', `/campaigns/${id}`, { status: 'finished' });
    await service.database.query(
      `insert into jobs (workspace_id, kind, subject, due_at, created_at, failures)
       select workspace_id, 'import.applying', id, created_at, created_at, 0 from imports where id = ?`,
      made,
    );
    const { state, totals } = await waitForImport(owner, made);
    assert.deepEqual([state, totals], ['applied', { create: 1, created: 1 }]);
  });
});
