import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { createBulkJob, runBulkJob } from '../kit/fixtures/bulk-jobs.ts';
import {
  type CampaignApi,
  campaignApi,
  makeActiveCampaign,
  makeContacts,
} from '../kit/fixtures/campaigns.ts';
import { assertError } from '../kit/http/assertions.ts';
import { onEveryEngine } from '../kit/service/test-service.ts';

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

/** Every time is checked by the requests that depend on it, also if no job runs. Jobs are taken out of the queue here. */
onEveryEngine('Times while the job queue is late', (service) => {
  let api: CampaignApi;
  let owner: CheckedUser;
  before(async () => {
    api = await campaignApi(service);
    owner = await signedInOwner(service);
  });
  const query = (text: string, ...args: string[]) => service.database.query(text, ...args);

  for (const status of ['active', 'paused'] as const) {
    test(`A campaign that is ${status} after its end hands out no contacts and enrolls none`, async () => {
      const { id, contacts } = await makeActiveCampaign(service, api, 2);
      const path = `/campaigns/${id}`;
      await api.request('PUT', `${path}/schedule`, { ends_at: inDays(1) });
      assert.equal((await api.claims(id)).length, 1, 'before the end');
      if (status === 'paused') await api.request('PATCH', path, { status });
      await query('delete from jobs where subject = ?', id);
      await query('update campaigns set ends_at = ? where id = ?', inDays(-1), id);
      const { claims, campaign } = await api.request('POST', `${path}/claims`, { limit: 10 });
      assert.deepEqual([claims, campaign], [[], { id, status: 'finished' }]);
      const [late] = await makeContacts(service, 1, 'late');
      assertError(await api.call('POST', `${path}/enrollments`, { contact_ids: [late] }), 409, 'CONFLICT');
      const selection = { ids: [late] };
      const enroll = { action: 'enroll', selection, campaign_id: id };
      assertError(await owner.call('POST', '/bulk-jobs', enroll), 409, 'CONFLICT');
      assert.equal((await api.request('GET', path)).status, status, 'the job of the end has not run');
      await query('update campaigns set ends_at = ? where id = ?', inDays(1), id);
      if (status === 'active')
        assert.equal((await api.claims(id, { limit: 10 })).length, contacts.length - 1);
    });
  }

  test('A campaign whose start has come hands out no contacts before it is started', async () => {
    const { id } = await makeActiveCampaign(service, api, 1);
    await api.request('PATCH', `/campaigns/${id}`, { status: 'paused' });
    await api.request('PUT', `/campaigns/${id}/schedule`, { starts_at: inDays(1) });
    await query('delete from jobs where subject = ?', id);
    for (const starts_at of [inDays(1), inDays(-1)]) {
      await query('update campaigns set starts_at = ? where id = ?', starts_at, id);
      assert.deepEqual(await api.claims(id), []);
    }
  });

  test('An export that has expired is neither listed nor downloaded', async () => {
    const { id } = await createBulkJob(owner, { action: 'export', selection: { filter: {} } });
    const [contact] = await makeContacts(service, 1, 'tagged');
    const tagged = await runBulkJob(owner, { action: 'tag', selection: { ids: [contact] }, add: ['x'] });
    await query('delete from jobs');
    const list = async () => {
      const { data, pagination } = (await owner.call('GET', '/bulk-jobs')).body;
      const ids = data.map((job: { id: string }) => job.id);
      return { ids, total: pagination.total };
    };
    const all = await list();
    assert.deepEqual(all.ids, [tagged.id, id]);
    const end = (job: string, days: number) =>
      query('update bulk_jobs set finished_at = ? where id = ?', inDays(days), job);
    await end(id, -0.99);
    await end(tagged.id, -29.9);
    assert.deepEqual(await list(), all);
    assert.equal((await service.get(`/v1/bulk-jobs/${id}/export`)).status, 200);
    await end(id, -1.01);
    await end(tagged.id, -30.1);
    assert.deepEqual(await list(), { ids: [], total: 0 });
    for (const job of [id, tagged.id])
      assertError(await owner.call('GET', `/bulk-jobs/${job}`), 404, 'NOT_FOUND');
    assertError(await service.get(`/v1/bulk-jobs/${id}/export`), 404, 'NOT_FOUND');
  });

  test('A notice is not shown after 30 days', async () => {
    const { notices } = await owner.request('GET', '/notices');
    assert.equal(notices.length, 1, 'that of the bulk job');
    await query('update notices set at = ?', inDays(-30.1));
    assert.deepEqual(await owner.request('GET', '/notices'), { unread: 0, notices: [] });
  });
});
