import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Storage } from '../../src/db/storage.ts';
import { expireNotices, noticeExpiringKeys } from '../../src/features/notices/notice.service.ts';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { openTestStorage } from '../kit/database/workspaces.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { applyImport, planCsv } from '../kit/imports/imports.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const WORKSPACE = 1;

onEveryEngine('Notices', (service) => {
  let owner: CheckedUser;
  let member: CheckedUser;
  before(async () => {
    owner = await checkedUser(service, await signedInUser(service));
    member = await checkedUser(service, await signedInUser(service, 'member@example.com', 'member'));
  });

  const listOf = (user: CheckedUser): Promise<{ unread: number; notices: Json[] }> =>
    user.request('GET', '/notices');

  const withStorage = async <T>(work: (storage: Storage) => Promise<T>): Promise<T> => {
    const storage = await openTestStorage(service.database);
    try {
      return await work(storage);
    } finally {
      await storage.close();
    }
  };

  it('An applied import and its undo write a notice with the counts', async () => {
    const plan = await planCsv(owner, `Phone,First name\n${newPhone()},Ada\n${newPhone()},Bob\n`, {
      name: 'people.csv',
    });
    await applyImport(owner, plan.id);
    const unread = (await listOf(owner)).unread;
    assert.equal((await listOf(owner)).notices[0]?.read, true, 'the owner has just applied it');
    const [notice] = (await listOf(member)).notices;
    assert.partialDeepStrictEqual(notice, {
      kind: 'import.applied',
      subject: plan.id,
      name: plan.name,
      counts: { created: 2 },
      read: false,
    });
    const undo = await owner.call('POST', `/imports/${plan.id}/undo`);
    assert.equal(undo.status, 200);
    for (let tries = 0; (await listOf(owner)).notices[0].kind !== 'import.undone'; tries++)
      assert.ok(tries < 500);
    assert.deepEqual((await listOf(owner)).notices[0].counts, { removed: 2 });
    assert.equal((await listOf(owner)).unread, unread);
    assert.equal((await listOf(member)).unread, 2);
  });

  it('An import whose steps fail again and again writes one notice', async () => {
    const { query } = service.database;
    const { id, name } = await planCsv(owner, `Phone,First name\n${newPhone()},Ada\n`, {
      name: 'broken.csv',
    });
    const [stored] = await query('select merged from import_rows where import_id = ?', id);
    await query(`update import_rows set merged = 'no JSON' where import_id = ?`, id);
    assert.equal((await owner.call('POST', `/imports/${id}/apply`)).status, 200);
    const failures = async () =>
      Number(
        (await query(`select failures from jobs where subject = ? and kind = 'import.applying'`, id))[0]
          ?.failures,
      );
    const waitForFailures = async (count: number) => {
      for (const until = Date.now() + 20_000; (await failures()) < count; await pause(20))
        assert.ok(Date.now() < until, 'the step does not fail');
    };
    const retryAfter = (count: number) =>
      query(`update jobs set failures = ?, due_at = '2020-01-01T00:00:00.000Z' where subject = ?`, count, id);
    const notices = async () => (await listOf(member)).notices.filter(({ subject }) => subject === id);
    await waitForFailures(1);
    assert.deepEqual(await notices(), []);
    for (const count of [4, 5]) {
      await retryAfter(count);
      await waitForFailures(count + 1);
    }
    const [notice, ...others] = await notices();
    assert.partialDeepStrictEqual(notice, { kind: 'import.failed', name, counts: null, detail: null });
    assert.deepEqual(others, []);
    // The work ends long after it was started.
    await query(
      `update import_rows set merged = ? where import_id = ?`,
      (stored?.merged ?? null) as string | null,
      id,
    );
    await query(`update jobs set created_at = '2020-01-01T00:00:00.000Z' where subject = ?`, id);
    await retryAfter(1);
    const ended = async () => (await listOf(owner)).notices.find((each) => each.subject === id);
    for (const until = Date.now() + 20_000; (await ended())?.kind !== 'import.applied'; await pause(20))
      assert.ok(Date.now() < until, 'the import is not applied');
    assert.equal((await ended())?.read, false, 'the owner may have left');
  });

  it('Finishing a campaign writes one notice, and renaming the finished one writes none', async () => {
    const agent = await owner.request('POST', '/agents', { name: 'Ada', instructions: 'Hello.' }, 201);
    const campaign = await owner.request('POST', '/campaigns', { name: 'Spring', agent_id: agent.id }, 201);
    await owner.request('PATCH', `/campaigns/${campaign.id}`, { status: 'finished' });
    await owner.request('PATCH', `/campaigns/${campaign.id}`, { name: 'Autumn' });
    const about = (await listOf(owner)).notices.filter(({ subject }) => subject === campaign.id);
    assert.equal(about.length, 1);
    assert.partialDeepStrictEqual(about[0], {
      kind: 'campaign.finished',
      name: 'Spring',
      counts: {},
      read: true,
    });
    const theirs = (await listOf(member)).notices.find(({ subject }) => subject === campaign.id);
    assert.equal(theirs?.read, false);
  });

  it('A key that expires within a week gets one notice, which only owners see', async () => {
    const { query } = service.database;
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const make = async (name: string, expires: number | null) =>
      owner.request('POST', '/keys', { name, expires_at: expires && inDays(expires) }, 201);
    const soon = await make('soon', 3);
    const revoked = await make('revoked', 3);
    await make('later', 8);
    await make('never', null);
    await query('update keys set created_at = ? where workspace_id = 1', inDays(-20));
    await make('new', 3);
    await owner.request('DELETE', `/keys/${revoked.id}`);
    await withStorage(async (storage) => {
      for (let run = 0; run < 2; run++)
        assert.equal(await storage.run(noticeExpiringKeys, null, { workspace: WORKSPACE }), 0);
    });
    const about = (await listOf(owner)).notices.filter(({ kind }) => kind === 'key.expiring');
    assert.deepEqual(
      about.map(({ subject, name, detail }) => ({ subject, name, detail })),
      [{ subject: soon.id, name: 'soon', detail: soon.expires_at }],
    );
    assert.ok((await listOf(member)).notices.every(({ kind }) => kind !== 'key.expiring'));
  });

  it('Each user marks notices as read alone, and a notice from the future does not count', async () => {
    const before = await listOf(owner);
    assert.ok(before.unread > 1);
    const [, second] = before.notices;
    assert.equal((await owner.request('PUT', '/notices/read', { until: second.id })).unread, 1);
    const later = await owner.request('PUT', '/notices/read', { until: `notice_7${'z'.repeat(25)}` });
    assert.equal(later.unread, 0);
    assert.ok(later.notices.every(({ read }: Json) => read));
    assert.equal((await owner.request('PUT', '/notices/read', { until: second.id })).unread, 0);
    assert.ok((await listOf(member)).unread > 1);
    const bad = await owner.call('PUT', '/notices/read', { until: 'yesterday' });
    assert.equal(bad.status, 400);
    assert.match(bad.text, /must be the id of a notice/);
  });

  it('A notice with a recipient is visible to that user alone', async () => {
    const { id } = await member.request('GET', '/session');
    await service.database.query(
      `insert into notices (workspace_id, id, at, kind, audience, recipient, subject, name)
       values (1, 'notice_7ydummy', ?, 'job.finished', 'member', ?, 'job', 'Tag contacts')`,
      new Date().toISOString(),
      id,
    );
    const has = async (user: CheckedUser) =>
      (await listOf(user)).notices.some(({ name }) => name === 'Tag contacts');
    assert.deepEqual([await has(member), await has(owner)], [true, false]);
    await service.database.query(`delete from notices where subject = 'job'`);
  });

  it('A user who joins later has no unread notices', async () => {
    const late = await checkedUser(service, await signedInUser(service, 'late@example.com', 'member'));
    const { unread, notices } = await listOf(late);
    assert.equal(unread, 0);
    assert.ok(notices.length > 0);
  });

  it('Old notices are deleted', async () => {
    const { notices } = await listOf(member);
    const last = notices.at(-1);
    await service.database.query(
      'update notices set at = ? where id = ?',
      '2020-01-01T00:00:00.000Z',
      last.id,
    );
    const times = { before: '2020-01-02T00:00:00.000Z', ahead: '2999-01-01T00:00:00.000Z' };
    await withStorage(async (storage) => {
      assert.equal(await storage.run(expireNotices, null, { workspace: WORKSPACE, ...times }), 1);
      assert.equal(await storage.run(expireNotices, null, { workspace: WORKSPACE, ...times }), 0);
    });
    assert.ok((await listOf(member)).notices.every(({ id }) => id !== last.id));
  });

  it('A deleted user leaves no read position', async () => {
    const gone = await checkedUser(service, await signedInUser(service, 'gone@example.com', 'member'));
    const { notices } = await listOf(gone);
    await gone.request('PUT', '/notices/read', { until: notices[0].id });
    const { id } = await gone.request('GET', '/session');
    const count = async () =>
      (await service.database.query('select * from notice_reads where user_id = ?', id)).length;
    assert.equal(await count(), 1);
    await owner.request('DELETE', `/users/${id}`);
    assert.equal(await count(), 0);
  });
});
