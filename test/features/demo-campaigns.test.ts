import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkedUser } from '../kit/dashboard/checked-client.ts';
import { createDemoWorkspace } from '../kit/fixtures/demo-data.ts';
import { enrollmentCounts } from '../kit/fixtures/enrollment-counts.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('Campaigns of the sample data', (service) => {
  test('Whoever was called has attempts, and an outcome unless the first one is in progress', async () => {
    const user = await checkedUser(service, await createDemoWorkspace(service));
    const campaigns: Json[] = await user.request('GET', '/campaigns');
    const found = campaigns.map(({ name, enrolled }) => [name, enrolled]);
    assert.deepEqual(Object.fromEntries(found), {
      'Grinder check-up': enrollmentCounts({ completed: 41, failed: 7 }),
      'New season tasting': enrollmentCounts({ pending: 62, in_progress: 11, completed: 53, failed: 14 }),
      'Repair plan renewal': enrollmentCounts({ pending: 18, completed: 7, failed: 1 }),
      'Office starter boxes': enrollmentCounts({}),
    });
    for (const { id, name } of campaigns) {
      const called: Json[] = [];
      for (const status of ['in_progress', 'completed', 'failed'])
        called.push(
          ...(await user.request('GET', `/campaigns/${id}/enrollments?limit=100&status=${status}`)),
        );
      for (const { status, attempts, outcome } of called) {
        assert.ok(attempts === 1 || attempts === 2, name);
        assert.equal(outcome === null, status === 'in_progress' && attempts === 1, name);
      }
      assert.equal(
        called.some(({ attempts }) => attempts === 2),
        called.length > 0,
        name,
      );
    }
  });
});
