import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { MAX_UNFINISHED } from '../../src/features/bulk/bulk.service.ts';
import { auditReader } from '../kit/dashboard/audit.ts';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { createBulkJob, runBulkJob, waitForBulkJob } from '../kit/fixtures/bulk-jobs.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const UNKNOWN_ID = 'contact_01h455vb4pex5vsknk084sn02q';
const UNKNOWN_JOB = 'bulk_job_01h455vb4pex5vsknk084sn02q';

onEveryEngine('Bulk jobs', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await signedInOwner(service);
  });
  const make = (tags: string[], fields: object = {}) => makeContact(service, { tags, ...fields });
  const makeMany = (count: number, tags: string[]) =>
    Promise.all(Array.from({ length: count }, () => make(tags)));
  const tagsOf = async ({ id }: Json) => (await service.get(`/v1/contacts/${id}`)).body.data.tags;
  const totalOf = async (tag: string) =>
    (await service.get(`/v1/contacts?tag=${encodeURIComponent(tag)}`)).body.pagination.total;
  const counts = ({ status, total, processed, changed, unchanged, missing, blocked }: Json) => ({
    status,
    total,
    processed,
    changed,
    unchanged,
    missing,
    blocked,
  });
  const done = { status: 'done', unchanged: 0, missing: 0, blocked: 0 };
  const allOf = (tag: string, except: Json[] = []) => ({
    filter: { tag },
    except: except.map(({ id }) => id),
  });
  const makeCampaign = async (): Promise<Json> => {
    const agent = await owner.request('POST', '/agents', { name: 'Agent', instructions: 'Text.' }, 201);
    return owner.request('POST', '/campaigns', { name: 'Bulk', agent_id: agent.id, status: 'active' }, 201);
  };

  test('A job tags all contacts that match a filter except some, and records each of them', async () => {
    const contacts = await makeMany(7, ['first', 'old']);
    const left = contacts.slice(2, 5);
    const job = await createBulkJob(owner, {
      action: 'tag',
      selection: allOf('first', left),
      add: ['new'],
      remove: ['old'],
    });
    assert.equal(job.total, 4);
    assert.deepEqual([job.excluded, job.filter, job.add], [3, { tag: 'first' }, ['new']]);
    const ended = await waitForBulkJob(owner, job.id);
    assert.deepEqual(counts(ended), { ...done, total: 4, processed: 4, changed: 4 });
    assert.ok(ended.started_at >= ended.created_at && ended.finished_at >= ended.started_at);
    assert.deepEqual(await tagsOf(contacts[0]), ['first', 'new']);
    assert.deepEqual(await tagsOf(contacts[3]), ['first', 'old']);
    assert.deepEqual([await totalOf('new'), await totalOf('old')], [4, 3]);
    const [entry] = await auditReader(owner)();
    assert.equal(entry.action, 'contact.updated');
    assert.deepEqual([entry.fields, entry.counts], [['tags'], { changed: 4 }]);
    const user = await owner.request('GET', '/session');
    const { notices } = await owner.request('GET', '/notices');
    const { kind, subject, name, counts: noticed, read } = notices[0];
    assert.deepEqual([kind, subject, name, noticed], ['job.finished', job.id, 'tag', { changed: 4 }]);
    assert.equal(read, true, 'the user has just created it');
    assert.deepEqual([ended.created_by, ended.created_by_email], [user.id, user.email]);
  });

  test('A job by ids counts unknown, unchanged and blocked contacts', async () => {
    const full = await make(Array.from({ length: 50 }, (_, at) => `t${at}`));
    const [has, lacks] = [await make(['k']), await make([])];
    const ended = await runBulkJob(owner, {
      action: 'tag',
      selection: { ids: [has.id, lacks.id, full.id, UNKNOWN_ID] },
      add: ['k'],
    });
    assert.deepEqual(counts(ended), {
      status: 'done',
      total: 4,
      processed: 4,
      changed: 1,
      unchanged: 1,
      missing: 1,
      blocked: 1,
    });
    assert.deepEqual(ended.blocked_contacts, [
      { id: full.id, reason: 'The contact would have 51 tags; the maximum is 50.' },
    ]);
    assert.equal(ended.filter, null);
  });

  test('A job deletes contacts by the rules of a single delete', async () => {
    const contacts = await makeMany(5, ['doomed']);
    const [kept] = contacts as [Json];
    const campaign = await makeCampaign();
    await owner.request('POST', `/campaigns/${campaign.id}/enrollments`, { tag: 'doomed' });
    const ended = await runBulkJob(owner, { action: 'delete', selection: allOf('doomed', [kept]) });
    assert.deepEqual(counts(ended), { ...done, total: 4, processed: 4, changed: 4 });
    assert.equal(await totalOf('doomed'), 1);
    assert.equal((await service.get(`/v1/contacts/${kept.id}`)).status, 200);
    const { enrolled } = await owner.request('GET', `/campaigns/${campaign.id}`);
    assert.equal(enrolled.pending, 1);
  });

  test('A job enrolls contacts and counts those that are already enrolled', async () => {
    const contacts = await makeMany(4, ['callable']);
    const campaign = await makeCampaign();
    const [first] = contacts as [Json];
    await owner.request('POST', `/campaigns/${campaign.id}/enrollments`, { contact_ids: [first.id] });
    const ended = await runBulkJob(owner, {
      action: 'enroll',
      selection: allOf('callable'),
      campaign_id: campaign.id,
    });
    assert.deepEqual(counts(ended), { ...done, total: 4, processed: 4, changed: 3, unchanged: 1 });
    assert.equal(ended.campaign_id, campaign.id);
    const [entry] = await auditReader(owner)();
    assert.deepEqual([entry.action, entry.counts], ['enrollment.created', { enrolled: 3 }]);
  });

  test('A finished campaign refuses the job, and ends one that is running', async () => {
    const campaign = await makeCampaign();
    const contact = await make(['late']);
    const body = { action: 'enroll', selection: { ids: [contact.id] }, campaign_id: campaign.id };
    const job = await createBulkJob(owner, body);
    await waitForBulkJob(owner, job.id);
    await owner.request('PATCH', `/campaigns/${campaign.id}`, { status: 'finished' });
    const reply = await owner.call('POST', '/bulk-jobs', body);
    assertError(reply, 409, 'CONFLICT');
    // The state of a job whose campaign finishes before its next step.
    const { database } = service;
    await database.query(`update bulk_jobs set status = 'queued', progress = 0 where id = ?`, job.id);
    await database.query(
      `insert into jobs (workspace_id, kind, subject, created_at, due_at, failures)
       select workspace_id, 'bulk.running', id, created_at, created_at, 0 from bulk_jobs where id = ?`,
      job.id,
    );
    const failed = await waitForBulkJob(owner, job.id);
    assert.equal(failed.status, 'failed');
    assert.equal(failed.error, 'This campaign has finished; contacts can no longer be enrolled.');
  });

  test('A job beyond the limit of unfinished ones is rejected until one has finished or is canceled', async () => {
    const contact = await make(['limited']);
    const body = { action: 'tag', selection: { ids: [contact.id] }, add: ['x'] };
    const { query } = service.database;
    for (let count = 0; count < MAX_UNFINISHED; count++) {
      await query(
        `insert into jobs (workspace_id, kind, subject, created_at, due_at, failures)
         select min(id), 'bulk.running', ?, ?, '9999-01-01T00:00:00.000Z', 0 from workspaces`,
        `waiting ${count}`,
        contact.created_at,
      );
    }
    for (const call of [owner.call, (_: string, path: string) => service.post(`/v1${path}`, body)]) {
      const { message } = assertError(await call('POST', '/bulk-jobs', body), 409, 'CONFLICT');
      assert.match(message, /Wait for one to finish, or cancel one/);
    }
    const retry = () => service.post('/v1/bulk-jobs', body, { headers: { 'idempotency-key': 'limited' } });
    assert.equal((await retry()).headers.get('retry-after'), '5');
    await query(`delete from jobs where subject = 'waiting 0'`);
    const retried = await retry();
    assert.equal(retried.status, 201, 'the key does not keep the rejection');
    await waitForBulkJob(owner, retried.body.data.id);
    assert.equal((await runBulkJob(owner, body)).status, 'done');
    await query(`delete from jobs where subject like 'waiting %'`);
  });

  test('Renaming a tag keeps its position, and renaming it to an existing one merges both', async () => {
    const [plain, both] = [await make(['a', 'Vip', 'z']), await make(['vip', 'b', 'Vip'])];
    const ended = await runBulkJob(owner, { action: 'rename_tag', tag: 'Vip', to: 'vip' });
    assert.deepEqual(counts(ended), { ...done, total: 2, processed: 2, changed: 2 });
    assert.deepEqual(
      [await tagsOf(plain), await tagsOf(both)],
      [
        ['a', 'vip', 'z'],
        ['vip', 'b'],
      ],
    );
    assert.deepEqual([await totalOf('Vip'), await totalOf('vip')], [0, 2]);
  });

  test('An export downloads the selection as it is now, without later contacts', async () => {
    const contacts = await makeMany(4, ['exported']);
    const [gone, left] = contacts as [Json, Json];
    const job = await createBulkJob(owner, { action: 'export', selection: allOf('exported', [left]) });
    assert.deepEqual([job.status, job.total], ['done', 3]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await make(['exported']);
    const lines = async (query = '') =>
      (await owner.call('GET', `/bulk-jobs/${job.id}/export${query}`)).text.trim().split('\n');
    assert.equal((await lines()).length, 1 + 3);
    const ids = (await lines('?format=jsonl')).map((line) => JSON.parse(line).id);
    assert.deepEqual(
      ids.sort(),
      contacts
        .filter((each) => each !== left)
        .map(({ id }) => id)
        .sort(),
    );
    await service.delete(`/v1/contacts/${gone.id}`);
    assert.equal((await lines()).length, 1 + 2, 'nothing is stored');
    const byIds = await createBulkJob(owner, {
      action: 'export',
      selection: { ids: [left.id, UNKNOWN_ID] },
    });
    const file = await owner.call('GET', `/bulk-jobs/${byIds.id}/export?format=jsonl`);
    assert.equal(JSON.parse(file.text).id, left.id);
    const tagging = await runBulkJob(owner, {
      action: 'tag',
      selection: { ids: [left.id] },
      add: ['more'],
    });
    assertError(await owner.call('GET', `/bulk-jobs/${tagging.id}/export`), 409, 'CONFLICT');
  });

  test('A canceled job keeps what it has done, and an ended job cannot be canceled', async () => {
    const contact = await make(['cancel']);
    const job = await runBulkJob(owner, { action: 'tag', selection: { ids: [contact.id] }, add: ['done'] });
    assertError(await owner.call('POST', `/bulk-jobs/${job.id}/cancel`), 409, 'CONFLICT');
    await service.database.query(`update bulk_jobs set status = 'running' where id = ?`, job.id);
    const canceled = await owner.request('POST', `/bulk-jobs/${job.id}/cancel`);
    assert.equal(canceled.status, 'canceled');
    assert.deepEqual(await tagsOf(contact), ['cancel', 'done']);
    const [entry] = await auditReader(owner)();
    assert.deepEqual([entry.action, entry.subject?.id ?? entry.subject], ['bulk_job.canceled', job.id]);
    await service.database.query(`update bulk_jobs set status = 'running' where id = ?`, job.id);
    const writer = await createScopedKey(service.database, 'contacts:write');
    const hidden = (await service.post(`/v1/bulk-jobs/${job.id}/cancel`, undefined, { key: writer })).body
      .data;
    assert.deepEqual([hidden.status, hidden.total, hidden.changed], ['canceled', null, null]);
  });

  test('A filter with search and company, or with search and conditions, selects what the list shows', async () => {
    await make(['found'], { first_name: 'Zora', last_name: 'Quill', company: 'Acme' });
    await make(['found'], { first_name: 'Zora', last_name: 'Quill', company: 'Other' });
    const acme = { attribute: 'company', op: 'eq', value: 'Acme' };
    for (const [tag, also] of Object.entries({ matched: { company: 'Acme' }, met: { filter: acme } })) {
      const filter = { search: 'quill zora', ...also };
      const created = await createBulkJob(owner, { action: 'tag', selection: { filter }, add: [tag] });
      assert.deepEqual(created.filter, filter);
      const ended = await waitForBulkJob(owner, created.id);
      assert.deepEqual(counts(ended), { ...done, total: 1, processed: 1, changed: 1 });
      assert.equal(await totalOf(tag), 1);
    }
  });

  test('A job accepts every filter of the list', async () => {
    const fields = { email: 'a@example.com', first_name: 'Ada' };
    const [with_, without] = [await make(['one', 'two'], fields), await make(['one', 'two'])];
    const filter = { has_tag: ['one', 'two'], has_tag_match: 'all', source: 'api', has_email: false };
    const selection = { filter: { ...filter, has_name: false, created_since: '2026-01-01T00:00:00Z' } };
    const ended = await runBulkJob(owner, { action: 'tag', selection, add: ['three'] });
    assert.deepEqual(counts(ended), { ...done, total: 1, processed: 1, changed: 1 });
    assert.deepEqual(
      [await tagsOf(with_), await tagsOf(without)].map((tags) => tags.length),
      [2, 3],
    );
    const file = await createBulkJob(owner, { action: 'export', selection });
    const { text } = await owner.call('GET', `/bulk-jobs/${file.id}/export?format=jsonl`);
    assert.equal(JSON.parse(text).id, without.id);
  });

  test('A selection with created_until leaves out contacts that were created later', async () => {
    const first = await make(['timed']);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await make(['timed']);
    const ended = await runBulkJob(owner, {
      action: 'tag',
      selection: { ...allOf('timed'), created_until: first.created_at },
      add: ['early'],
    });
    assert.deepEqual(counts(ended), { ...done, total: 1, processed: 1, changed: 1 });
    assert.deepEqual(await tagsOf(first), ['timed', 'early']);
  });

  test('Members see the jobs of their workspace, newest first, and no other workspace does', async () => {
    const first = await createBulkJob(owner, { action: 'export', selection: { filter: {} } });
    const second = await createBulkJob(owner, { action: 'export', selection: { filter: {} } });
    const list = await owner.call('GET', '/bulk-jobs?limit=2');
    assert.deepEqual(
      list.body.data.map(({ id }: Json) => id),
      [second.id, first.id],
    );
    assert.ok(list.body.pagination.total > 2);
    const { owner: other } = await makeOtherWorkspace(service);
    assert.equal((await other.call('GET', '/bulk-jobs')).body.pagination.total, 0);
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/export'],
      ['POST', '/cancel'],
    ] as const) {
      const foreign = await other.call(method, `/bulk-jobs/${first.id}${path}`);
      const unknown = await other.call(method, `/bulk-jobs/${UNKNOWN_JOB}${path}`);
      assertError(foreign, 404, 'NOT_FOUND');
      assert.equal(foreign.body.error.message, unknown.body.error.message);
    }
    const contact = await make(['ours']);
    const theirs = await runBulkJob(other, {
      action: 'delete',
      selection: { ids: [contact.id] },
    });
    assert.deepEqual([theirs.changed, theirs.missing], [0, 1]);
    assert.equal(await totalOf('ours'), 1);
    const campaign = await makeCampaign();
    const enroll = { action: 'enroll', selection: { ids: [contact.id] }, campaign_id: campaign.id };
    assertError(await other.call('POST', '/bulk-jobs', enroll), 404, 'NOT_FOUND');
  });

  test('An export by ids says how many of them do not exist', async () => {
    const [one, gone] = await makeMany(2, ['truthful']);
    await service.delete(`/v1/contacts/${gone.id}`);
    const ids = [one.id, gone.id, UNKNOWN_ID];
    const job = await createBulkJob(owner, { action: 'export', selection: { ids } });
    assert.deepEqual(counts(job), { ...done, total: 3, processed: 3, changed: 0, unchanged: 1, missing: 2 });
    const [entry] = await auditReader(owner)();
    assert.deepEqual([entry.action, entry.counts], ['contact.exported', { exported: 1 }]);
    const filtered = await createBulkJob(owner, {
      action: 'export',
      selection: { filter: { tag: 'truthful' }, except: [gone.id, UNKNOWN_ID] },
    });
    assert.deepEqual(counts(filtered), { ...done, total: 1, processed: 1, changed: 0, unchanged: 1 });
  });

  /** Puts a job that has ended back into the queue, as it was before its steps. */
  const requeue = async (id: string) => {
    const { query } = service.database;
    await query(`update bulk_jobs set status = 'queued', progress = 0, processed = 0 where id = ?`, id);
    await query(
      `insert into jobs (workspace_id, kind, subject, created_at, due_at, failures)
       select workspace_id, 'bulk.running', id, created_at, created_at, 0 from bulk_jobs where id = ?`,
      id,
    );
  };

  test('A job ends as failed once its API key was revoked or has expired, or its user was removed', async () => {
    const contact = await make(['guarded']);
    const body = { action: 'tag', selection: { ids: [contact.id] }, add: ['changed'] };
    const byKey = async () => {
      const { id, key } = await owner.request(
        'POST',
        '/keys',
        { name: 'bulk', scopes: ['contacts:write', 'contacts:read'] },
        201,
      );
      const created = await service.post('/v1/bulk-jobs', body, { key });
      assert.equal(created.status, 201, created.text);
      await waitForBulkJob(owner, created.body.data.id);
      return { key: id, job: created.body.data.id };
    };
    const assertFails = async (job: string, error: string) => {
      await service.patch(`/v1/contacts/${contact.id}`, { tags: ['guarded'] });
      await requeue(job);
      const ended = await waitForBulkJob(owner, job);
      assert.deepEqual([ended.status, ended.error, ended.processed], ['failed', error, 0]);
      assert.deepEqual(await tagsOf(contact), ['guarded']);
    };
    const revoked = await byKey();
    await owner.request('DELETE', `/keys/${revoked.key}`);
    await assertFails(revoked.job, 'The API key that created this job was revoked.');
    const { notices } = await owner.request('GET', '/notices');
    assert.deepEqual([notices[0].kind, notices[0].subject], ['job.failed', revoked.job]);
    const expired = await byKey();
    await service.database.query(
      `update keys set expires_at = '2026-01-01T00:00:00.000Z' where id = ?`,
      expired.key,
    );
    await assertFails(expired.job, 'The API key that created this job has expired.');
    const member = await checkedUser(service, await signedInUser(service, 'bulk@example.com', 'member'));
    const { id: user } = await member.request('GET', '/session');
    const { id: job } = await createBulkJob(member, body);
    await waitForBulkJob(owner, job);
    await owner.request('DELETE', `/users/${user}`);
    await assertFails(job, 'The user who created this job was removed.');
  });

  test('Typed texts of a filter are removed when the job ends, and exports expire after one day', async () => {
    const { query } = service.database;
    const stored = async (id: string) => {
      const [row] = await query('select filter, ids from bulk_jobs where id = ?', id);
      return [row?.filter, row?.ids];
    };
    const person = { first_name: 'Erasmus', email: 'erasmus@example.com', company: 'Erasmus Ltd' };
    for (const [name, value] of Object.entries({
      search: 'erasmus',
      email: person.email,
      company: person.company,
    })) {
      const contact = await make(['typed'], person);
      const body = { action: 'delete', selection: { filter: { [name]: value, tag: 'typed' } } };
      const created = await createBulkJob(owner, body);
      assert.deepEqual(created.filter, { [name]: value, tag: 'typed' });
      const ended = await waitForBulkJob(owner, created.id);
      assert.deepEqual([ended.status, ended.changed, ended.filter], ['done', 1, null]);
      assert.equal((await service.get(`/v1/contacts/${contact.id}`)).status, 404);
      assert.deepEqual(await stored(ended.id), [null, '[]']);
    }
    const plain = await runBulkJob(owner, { action: 'delete', selection: { filter: { tag: 'typed' } } });
    assert.deepEqual(plain.filter, { tag: 'typed' });
    const selection = { filter: { search: 'erasmus' } };
    const canceled = await runBulkJob(owner, { action: 'tag', selection, add: ['x'] });
    await query(
      `update bulk_jobs set status = 'running', filter = ? where id = ?`,
      JSON.stringify(selection.filter),
      canceled.id,
    );
    assert.equal((await owner.request('POST', `/bulk-jobs/${canceled.id}/cancel`)).filter, null);
    const { id } = await createBulkJob(owner, { action: 'export', selection });
    const [expiry] = await query(`select due_at from jobs where kind = 'bulk.expiring' and subject = ?`, id);
    const days = (Date.parse(String(expiry?.due_at)) - Date.now()) / 86_400_000;
    assert.ok(days > 0.9 && days <= 1, String(days));
  });

  test('A request that is not valid names the problem and creates no job', async () => {
    const before = (await owner.call('GET', '/bulk-jobs')).body.pagination.total;
    const selection = { filter: {} };
    const cases: [Json, string][] = [
      [{}, 'action'],
      [{ action: 'merge', selection }, 'action'],
      [{ action: 'delete' }, 'selection'],
      [{ action: 'delete', selection: {} }, 'selection'],
      [{ action: 'delete', selection: [] }, 'selection'],
      [{ action: 'delete', selection: { ids: [], filter: {} } }, 'selection'],
      [{ action: 'delete', selection: { ids: [] } }, 'selection.ids'],
      [{ action: 'delete', selection: { ids: ['nobody'] } }, 'selection.ids[0]'],
      [{ action: 'delete', selection: { ids: [UNKNOWN_ID], except: [] } }, 'selection.except'],
      [{ action: 'delete', selection: { filter: { tag: '' } } }, 'selection.filter.tag'],
      [{ action: 'delete', selection: { filter: { tags: 'x' } } }, 'selection.filter.tags'],
      [{ action: 'delete', selection: { filter: null } }, 'selection.filter'],
      [{ action: 'delete', selection: { filter: {}, created_until: 'now' } }, 'selection.created_until'],
      [{ action: 'delete', selection, add: ['x'] }, 'add'],
      [{ action: 'tag', selection }, 'add'],
      [{ action: 'tag', selection, add: ['x'], remove: ['x'] }, 'remove'],
      [{ action: 'rename_tag', tag: 'x', to: 'x' }, 'to'],
      [{ action: 'rename_tag', tag: 'x', to: '' }, 'to'],
      [{ action: 'rename_tag', tag: 'x', to: 'y', selection }, 'selection'],
      [{ action: 'enroll', selection }, 'campaign_id'],
    ];
    for (const [body, field] of cases) assertInvalid(await owner.call('POST', '/bulk-jobs', body), field);
    const unknown = { action: 'enroll', selection, campaign_id: 'campaign_01h455vb4pex5vsknk084sn02q' };
    assertError(await owner.call('POST', '/bulk-jobs', unknown), 404, 'NOT_FOUND');
    assert.equal((await owner.call('GET', '/bulk-jobs')).body.pagination.total, before);
  });

  test('An API key needs contacts:write, and campaigns:write and contacts:read as well to enroll', async () => {
    const contact = await make(['by key']);
    const campaign = await makeCampaign();
    const [reader, writer] = [
      await createScopedKey(service.database, 'contacts:read'),
      await createScopedKey(service.database, 'contacts:read', 'contacts:write'),
    ];
    const selection = { ids: [contact.id] };
    const body = { action: 'tag', selection, add: ['keyed'] };
    assertError(await service.post('/v1/bulk-jobs', body, { key: reader }), 403, 'FORBIDDEN');
    const headers = { 'idempotency-key': 'bulk once' };
    const one = await service.post('/v1/bulk-jobs', body, { key: writer, headers });
    const two = await service.post('/v1/bulk-jobs', body, { key: writer, headers });
    assert.deepEqual([one.status, two.status, two.body.data.id], [201, 201, one.body.data.id]);
    assert.equal(one.body.data.created_by_email, null);
    await waitForBulkJob(owner, one.body.data.id);
    assert.deepEqual(await tagsOf(contact), ['by key', 'keyed']);
    const enroll = { action: 'enroll', selection, campaign_id: campaign.id };
    const refused = await service.post('/v1/bulk-jobs', enroll, { key: writer });
    assertError(refused, 403, 'FORBIDDEN');
    assert.equal(refused.body.error.details.required_scope, 'campaigns:write');
    const blind = await createScopedKey(service.database, 'contacts:write', 'campaigns:write');
    const unseen = await service.post('/v1/bulk-jobs', enroll, { key: blind });
    assert.equal(assertError(unseen, 403, 'FORBIDDEN').details.required_scope, 'contacts:read');
  });

  test('A filter by campaigns or calls needs their scopes to create a job and to download its export', async () => {
    const contacts = ['contacts:read', 'contacts:write'] as const;
    const plain = await createScopedKey(service.database, ...contacts);
    const campaign = await makeCampaign();
    for (const [filter, scope] of [
      [{ campaign: campaign.id }, 'campaigns:read'],
      [{ in_campaign: false }, 'campaigns:read'],
      [{ called: true }, 'calls:read'],
    ] as const) {
      const scoped = await createScopedKey(service.database, ...contacts, scope);
      const body = { action: 'export', selection: { filter } };
      const refused = await service.post('/v1/bulk-jobs', body, { key: plain });
      assertError(refused, 403, 'FORBIDDEN');
      assert.deepEqual(refused.body.error.details, { required_scope: scope });
      const created = await service.post('/v1/bulk-jobs', body, { key: scoped });
      assert.equal(created.status, 201, created.text);
      const path = `/v1/bulk-jobs/${created.body.data.id}/export`;
      const download = await service.get(path, { key: plain });
      assertError(download, 403, 'FORBIDDEN');
      assert.deepEqual(download.body.error.details, { required_scope: scope });
      assert.equal((await service.get(path, { key: scoped })).status, 200);
      await createBulkJob(owner, body);
    }
  });
});
