import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { KeyScope } from '../../src/lib/scopes.ts';
import { auditReader } from '../kit/dashboard/audit.ts';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { createBulkJob, runBulkJob, waitForBulkJob } from '../kit/fixtures/bulk-jobs.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { makeField } from '../kit/fixtures/fields.ts';
import { assertError } from '../kit/http/assertions.ts';
import { assertCounts } from '../kit/imports/assertions.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const waitFor = async (isTrue: () => Promise<boolean>) => {
  const until = performance.now() + 20_000;
  while (!(await isTrue())) {
    assert.ok(performance.now() < until, String(isTrue));
    await pause(20);
  }
};

onEveryEngine('Undoing bulk jobs', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await signedInOwner(service);
  });
  const make = (tags: string[] = [], fields: object = {}) => makeContact(service, { tags, fields });
  const get = async ({ id }: Json) => (await service.get(`/v1/contacts/${id}?include=fields`)).body.data;
  const tagsOf = async (contact: Json) => (await get(contact)).tags;
  const idsOf = (...contacts: Json[]) => ({ ids: contacts.map(({ id }) => id) });
  const patch = (contact: Json, body: object) => service.patch(`/v1/contacts/${contact.id}`, body);
  const storedOf = async ({ id }: Json) =>
    Number(
      (await service.database.query('select count(*) as n from bulk_changes where job_id = ?', id))[0]?.n,
    );
  const startUndo = async (job: Json): Promise<Json> => {
    const reply = await owner.call('POST', `/bulk-jobs/${job.id}/undo`);
    assert.equal(reply.status, 201, reply.text);
    assert.ok(reply.headers.get('location')?.endsWith(`/v1/bulk-jobs/${reply.body.data.id}`));
    return reply.body.data;
  };
  const undo = async (job: Json) => {
    const ended = await waitForBulkJob(owner, (await startUndo(job)).id);
    const { status, total, processed, changed, blocked, missing } = ended;
    assert.deepEqual([status, total], ['done', processed]);
    assert.equal(await storedOf(job), 0, 'nothing is stored after an undo');
    await assertCounts(service.database);
    return { restored: changed, changed: blocked, deleted: missing };
  };

  test('An undo of a tag job restores tags at their positions and leaves tags that were there before', async () => {
    const [a, b, c] = [await make(['x', 'old', 'y']), await make(['new', 'z']), await make(['old', 'new'])];
    const selection = idsOf(a, b, c);
    const job = await runBulkJob(owner, { action: 'tag', selection, add: ['new'], remove: ['old'] });
    assert.deepEqual([job.changed, job.unchanged], [2, 1]);
    assert.deepEqual([job.undone_by, job.undoes], [null, null]);
    assert.equal(Date.parse(job.undo_until) - Date.parse(job.finished_at), 30 * 86_400_000);
    assert.deepEqual(await tagsOf(a), ['x', 'y', 'new']);
    assert.deepEqual(await undo(job), { restored: 2, changed: 0, deleted: 0 });
    const now = await Promise.all([a, b, c].map(tagsOf));
    assert.deepEqual(now, [
      ['x', 'old', 'y'],
      ['new', 'z'],
      ['old', 'new'],
    ]);
    const ended = await owner.request('GET', `/bulk-jobs/${job.id}`);
    assert.equal(ended.undo_until, null);
    const record = await owner.request('GET', `/bulk-jobs/${ended.undone_by}`);
    assert.deepEqual([record.action, record.undoes, record.undo_until], ['undo', job.id, null]);
    const [entry] = await auditReader(owner)();
    assert.deepEqual([entry.action, entry.counts], ['bulk_job.undone', { restored: 2 }]);
    const found = await owner.request('GET', `/audit?subject=${job.id}`);
    assert.deepEqual(
      found.map(({ action }: Json) => action),
      ['bulk_job.undone', 'contact.updated'],
    );
  });

  test('An undo leaves what was changed since, and counts it', async () => {
    const [readded, removed, edited, gone, moved] = [
      await make(['old']),
      await make(['old']),
      await make(['old', 'x']),
      await make(['old']),
      await make(['old', 'x']),
    ];
    const selection = idsOf(readded, removed, edited, gone, moved);
    const job = await runBulkJob(owner, { action: 'tag', selection, add: ['new'], remove: ['old'] });
    await patch(readded, { tags: ['new', 'old'] });
    await patch(removed, { tags: [] });
    await patch(edited, { tags: ['x', 'new', 'later'], first_name: 'Changed' });
    await patch(moved, { tags: [] });
    await patch(moved, { tags: ['new', 'x'] });
    assert.equal(await storedOf(job), 5);
    await service.delete(`/v1/contacts/${gone.id}`);
    assert.equal(await storedOf(job), 4, 'a deleted contact leaves nothing');
    assert.deepEqual(await undo(job), { restored: 2, changed: 2, deleted: 1 });
    const now = await Promise.all([readded, removed, edited, moved].map(tagsOf));
    assert.deepEqual(now, [['old'], ['old'], ['old', 'x', 'later'], ['old', 'x']]);
    assert.equal((await get(edited)).first_name, 'Changed');
    const { undone_by } = await owner.request('GET', `/bulk-jobs/${job.id}`);
    const { blocked_contacts } = await owner.request('GET', `/bulk-jobs/${undone_by}`);
    const reason = 'The contact was changed since. Only what was not changed is restored.';
    assert.deepEqual(blocked_contacts, [
      { id: readded.id, reason },
      { id: removed.id, reason },
    ]);
  });

  test('An undo of a rename restores the order of tags, also where the new name was there, and segments', async () => {
    const [a, b, c] = [
      await make(['p', 'was', 'q']),
      await make(['was', 'q', 'is']),
      await make(['is', 'was']),
    ];
    const tagged = (value: string[]) => ({ attribute: 'tag', op: 'in', value });
    const saved = (name: string, value: string[]) =>
      owner.request('POST', '/segments', { name, filter: tagged(value) }, 201);
    const [one, both, edited] = [
      await saved('One', ['was']),
      await saved('Both', ['was', 'is']),
      await saved('Edited', ['was', 'q']),
    ];
    const job = await runBulkJob(owner, { action: 'rename_tag', tag: 'was', to: 'is' });
    assert.deepEqual(await tagsOf(b), ['is', 'q']);
    await owner.request('PATCH', `/segments/${edited.id}`, { filter: tagged(['is', 'p']) });
    assert.deepEqual(await undo(job), { restored: 3, changed: 0, deleted: 0 });
    const now = await Promise.all([a, b, c].map(tagsOf));
    assert.deepEqual(now, [
      ['p', 'was', 'q'],
      ['was', 'q', 'is'],
      ['is', 'was'],
    ]);
    const filters = await Promise.all(
      [one, both, edited].map(async ({ id }) => (await owner.request('GET', `/segments/${id}`)).filter),
    );
    // Which of both names the second one had is not known.
    assert.deepEqual(filters, [tagged(['was']), tagged(['is']), tagged(['is', 'p'])]);
  });

  test('An undo restores former values of fields, and not those of a field that was erased since', async () => {
    await makeField(service, 'plan', 'text');
    await makeField(service, 'seats', 'number');
    await makeField(service, 'short', 'text');
    const [a, b, c] = [
      await make([], { plan: 'gold', seats: 3, short: 'lost' }),
      await make([], { seats: 9 }),
      await make([], { plan: 'tin' }),
    ];
    const selection = idsOf(a, b, c);
    const fields = { plan: 'basic', seats: null, short: 'new' };
    const job = await runBulkJob(owner, { action: 'set_fields', selection, fields });
    assert.equal(job.changed, 3);
    await patch(c, { fields: { plan: 'own' } });
    await owner.request('PATCH', '/fields/short', { archived: true });
    assert.deepEqual(await undo(job), { restored: 0, changed: 3, deleted: 0 });
    await owner.request('PATCH', '/fields/short', { archived: false });
    const now = await Promise.all([a, b, c].map(async (each) => (await get(each)).fields));
    assert.deepEqual(now, [
      { plan: 'gold', seats: 3, short: 'new' },
      { seats: 9, short: 'new' },
      { plan: 'own', short: 'new' },
    ]);
    const other = await runBulkJob(owner, { action: 'set_fields', selection, fields: { seats: 1 } });
    assert.deepEqual(await undo(other), { restored: 3, changed: 0, deleted: 0 });
    assert.equal((await get(a)).fields.seats, 3);
    const last = await runBulkJob(owner, { action: 'set_fields', selection, fields: { plan: null } });
    await owner.request('DELETE', '/fields/plan');
    await waitFor(async () => (await owner.call('GET', '/fields/plan')).status === 404);
    await owner.request('POST', '/fields', { key: 'plan', label: 'Plan', type: 'text' }, 201);
    assert.equal(last.changed, 2);
    assert.deepEqual(await undo(last), { restored: 0, changed: 2, deleted: 0 });
    assert.equal((await get(a)).fields.plan, undefined);
  });

  test('An undo removes the enrollments of a job, except those that were there, claimed or removed', async () => {
    const agent = await owner.request('POST', '/agents', { name: 'Agent', instructions: 'Text.' }, 201);
    const body = { name: 'Undone', agent_id: agent.id, status: 'active' };
    const campaign = await owner.request('POST', '/campaigns', body, 201);
    const enrollments = `/campaigns/${campaign.id}/enrollments`;
    const [was, claimed, removed, plain] = [await make(), await make(), await make(), await make()];
    await owner.request('POST', enrollments, { contact_ids: [was.id] });
    const selection = idsOf(was, claimed, removed, plain);
    const job = await runBulkJob(owner, { action: 'enroll', selection, campaign_id: campaign.id });
    assert.deepEqual([job.changed, job.unchanged], [3, 1]);
    await owner.request('PATCH', `${enrollments}/${claimed.id}`, { status: 'in_progress' });
    await owner.request('DELETE', `${enrollments}/${removed.id}`);
    assert.deepEqual(await undo(job), { restored: 1, changed: 2, deleted: 0 });
    const left = await owner.request('GET', enrollments);
    assert.deepEqual(left.map((each: Json) => each.contact_id).sort(), [was.id, claimed.id].sort());
  });

  test('A job is undone once; an undo that was canceled continues; deletes and undos stay', async () => {
    const contacts = await Promise.all(Array.from({ length: 5 }, () => make(['again'])));
    const job = await runBulkJob(owner, { action: 'tag', selection: idsOf(...contacts), add: ['more'] });
    const running = await createBulkJob(owner, {
      action: 'tag',
      selection: idsOf(...contacts),
      add: ['most'],
    });
    await waitForBulkJob(owner, running.id);
    await service.database.query(
      `update bulk_jobs set status = 'running', finished_at = null where id = ?`,
      running.id,
    );
    const early = assertError(await owner.call('POST', `/bulk-jobs/${running.id}/undo`), 409, 'CONFLICT');
    assert.match(early.message, /^This job is running\. Wait/);
    await owner.request('POST', `/bulk-jobs/${running.id}/cancel`);
    assert.deepEqual(await undo(running), { restored: 5, changed: 0, deleted: 0 });

    // As if the undo had been canceled after two contacts.
    const { query } = service.database;
    const first = await startUndo(job);
    await waitForBulkJob(owner, first.id);
    const again = assertError(await owner.call('POST', `/bulk-jobs/${job.id}/undo`), 409, 'CONFLICT');
    assert.match(again.message, new RegExp(first.id));
    await query(
      `update bulk_jobs set status = 'canceled', processed = 2, changed = 2, total = 5 where id = ?`,
      first.id,
    );
    const [gone, ...others] = contacts.slice(2);
    await patch(gone as Json, { tags: ['again', 'more'] });
    await query(
      `insert into bulk_changes (workspace_id, job_id, position, contact_id, former)
       select workspace_id, id, 3, ?, '{"added":["more"],"removed":[]}' from bulk_jobs where id = ?`,
      (gone as Json).id,
      job.id,
    );
    assert.deepEqual(await undo(job), { restored: 1, changed: 0, deleted: others.length });
    assert.deepEqual(await tagsOf(gone as Json), ['again']);
    assertError(await owner.call('POST', `/bulk-jobs/${first.id}/undo`), 409, 'CONFLICT');
    const deletion = await runBulkJob(owner, { action: 'delete', selection: idsOf(...contacts) });
    assert.equal(deletion.undo_until, null);
    assertError(await owner.call('POST', `/bulk-jobs/${deletion.id}/undo`), 409, 'CONFLICT');
  });

  test('Two undos at the same moment start one job', async () => {
    const contact = await make(['twice']);
    const job = await runBulkJob(owner, { action: 'tag', selection: idsOf(contact), remove: ['twice'] });
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => owner.call('POST', `/bulk-jobs/${job.id}/undo`)),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409, 409, 409]);
    const started = replies.find(({ status }) => status === 201);
    await waitForBulkJob(owner, started?.body.data.id);
    assert.deepEqual(await tagsOf(contact), ['twice']);
  });

  test('Writes that meet an undo lose nothing', async () => {
    const contacts = await Promise.all(Array.from({ length: 40 }, () => make(['busy'])));
    const job = await runBulkJob(owner, {
      action: 'tag',
      selection: { filter: { tag: 'busy' } },
      add: ['job'],
    });
    const { id } = await startUndo(job);
    await Promise.all(
      contacts.map((each, at) =>
        at % 4 === 0 ? service.delete(`/v1/contacts/${each.id}`) : patch(each, { first_name: `Name ${at}` }),
      ),
    );
    const ended = await waitForBulkJob(owner, id);
    assert.deepEqual([ended.status, ended.processed, ended.blocked], ['done', 40, 0]);
    const left = contacts.filter((_, at) => at % 4 !== 0);
    const now = await Promise.all(left.map(get));
    assert.deepEqual(
      now.map(({ first_name, tags }) => [first_name, tags.join()]),
      contacts.flatMap((_, at) => (at % 4 === 0 ? [] : [[`Name ${at}`, 'busy']])),
    );
    assert.equal(await storedOf(job), 0);
    await assertCounts(service.database);
  });

  test('An undo needs the scopes of the job, and a job of another workspace is unknown', async () => {
    const contact = await make(['scoped']);
    const filtered = { filter: { tag: 'scoped', called: false } };
    const job = await runBulkJob(owner, { action: 'tag', selection: filtered, add: ['seen'] });
    const keyWith = (...scopes: KeyScope[]) => createScopedKey(service.database, ...scopes);
    const send = async (key: string) => service.post(`/v1/bulk-jobs/${job.id}/undo`, undefined, { key });
    const writer = await keyWith('contacts:write');
    assert.equal(assertError(await send(writer), 403, 'FORBIDDEN').details.required_scope, 'contacts:read');
    const reader = await keyWith('contacts:write', 'contacts:read');
    assert.equal(assertError(await send(reader), 403, 'FORBIDDEN').details.required_scope, 'calls:read');
    const { owner: other } = await makeOtherWorkspace(service);
    assertError(await other.call('POST', `/bulk-jobs/${job.id}/undo`), 404, 'NOT_FOUND');
    assert.deepEqual(await tagsOf(contact), ['scoped', 'seen']);
    const all = await send(await keyWith('contacts:write', 'contacts:read', 'calls:read'));
    assert.equal(all.status, 201, all.text);
    await waitForBulkJob(owner, all.body.data.id);
    assert.deepEqual(await tagsOf(contact), ['scoped']);
    const byId = await runBulkJob(owner, { action: 'tag', selection: idsOf(contact), add: ['seen'] });
    const hidden = await service.post(`/v1/bulk-jobs/${byId.id}/undo`, undefined, { key: writer });
    assert.deepEqual([hidden.status, hidden.body.data.total, hidden.body.data.changed], [201, null, null]);
  });

  test('What a job has changed is deleted when the job expires, but not while an undo runs', async () => {
    const { query } = service.database;
    const contact = await make(['kept']);
    const job = await runBulkJob(owner, { action: 'tag', selection: idsOf(contact), remove: ['kept'] });
    const expire = () =>
      query(`update jobs set due_at = created_at where kind = 'bulk.expiring' and subject = ?`, job.id);
    const waitForCount = (sql: string, wanted: number) =>
      waitFor(async () => Number((await query(sql, job.id))[0]?.n) === wanted);
    await query(
      `insert into bulk_jobs (workspace_id, id, seq, action, status, ids, excluded, parameters, until_seq, progress, total,
         processed, changed, unchanged, missing, blocked, reasons, created_by, created_at)
       select workspace_id, 'bulk_job_undoing', seq + 1000, 'undo', 'running', '[]', 0, '{}', 0, 0, 0, 0, 0, 0, 0, 0, '[]', created_by,
         created_at from bulk_jobs where id = ?`,
      job.id,
    );
    await query(`update bulk_jobs set undone_by = 'bulk_job_undoing' where id = ?`, job.id);
    await expire();
    const postponed = `select count(*) as n from jobs where kind = 'bulk.expiring' and subject = ? and due_at > '${new Date().toISOString()}'`;
    await waitForCount(postponed, 1);
    assert.equal(await storedOf(job), 1);
    await query(`delete from bulk_jobs where id = 'bulk_job_undoing'`);
    await expire();
    await waitForCount('select count(*) as n from bulk_jobs where id = ?', 0);
    assert.equal(await storedOf(job), 0);
  });
});
