import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { campaignApi, makeActiveCampaign } from '../kit/fixtures/campaigns.ts';
import { markDeployed } from '../kit/fixtures/deploy-version.ts';
import { fillContacts } from '../kit/fixtures/large-workspace.ts';
import { databaseFor, serviceFor } from '../kit/service/scoped-resources.ts';

const WORKSPACE = 1;
/** As many as the check examines. */
const EXAMINED = 20_000;

describe('Start check of a large campaign', () => {
  for (const engine of ['sqlite', 'postgres'] as const)
    it(`The check says whether it has examined all contacts, on ${engine}`, async (test) => {
      const database = await databaseFor(test, engine);
      const service = await serviceFor(test, database);
      const api = await campaignApi(service);
      const { id, agent } = await makeActiveCampaign(service, api, 0);
      await service.patch(`/v1/agents/${agent.id}`, {
        instructions: 'Ask {{first_name}} about {{company}}.',
      });
      await markDeployed(database, agent.id, 2);
      await fillContacts(database, WORKSPACE, EXAMINED + 1);
      await database.query(
        `insert into enrollments (workspace_id, campaign_id, contact_id, status, enrolled_at, updated_at)
          select workspace_id, ?, id, 'pending', created_at, created_at from contacts`,
        id,
      );
      const check = async () => {
        const { ready, blocked, missing_values } = await api.request('GET', `/campaigns/${id}/start-check`);
        assert.equal(ready, false);
        assert.deepEqual(missing_values, [{ name: 'company', contacts_without_value: EXAMINED }]);
        assert.deepEqual([blocked.count, blocked.contacts.length], [EXAMINED, 100]);
        return blocked.is_complete;
      };
      assert.equal(await check(), false);
      const [last] = await database.query('select max(contact_id) as id from enrollments');
      await database.query('delete from enrollments where contact_id = ?', String(last?.id));
      assert.equal(await check(), true);
    });
});
