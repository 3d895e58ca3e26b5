import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sqliteCompiler } from '../../src/db/sqlite/dialect.ts';
import type { Statement } from '../../src/db/statement.ts';
import { listRecent, listVersionRows } from '../../src/features/agents/deploy.store.ts';
import { callFilters, listingOf } from '../../src/features/calls/call.store.ts';
import { listsOfCampaign } from '../../src/features/campaigns/campaign.store.ts';
import { engines } from '../kit/database/engines.ts';
import { startTestService, type TestService } from '../kit/service/test-service.ts';

const INDEXES = {
  contact_id: 'calls_of_contact',
  channel_id: 'calls_of_channel',
  agent_id: 'calls_of_agent',
  direction: 'calls_by_direction',
};

/** PostgreSQL's plans depend on the number of rows, SQLite's only on the statement. */
describe('Query plans of lists on SQLite', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService(await engines.sqlite());
  });
  after(async () => {
    await service.stop();
    await service.database.drop();
  });
  const planOf = async (statement: Statement<never, unknown>) => {
    const { sql, order } = statement.textFor(sqliteCompiler);
    const steps = await service.database.query(`explain query plan ${sql}`, ...order.map(() => 1));
    return steps.map(({ detail }) => String(detail));
  };
  /** Asserts that no step scans a whole table and that the records are not sorted. */
  const assertLight = (plan: readonly string[]) => {
    for (const step of plan) assert.doesNotMatch(step, /^SCAN (?!c$|d$|e$|v$)/, plan.join('\n'));
  };

  for (let bits = 0; bits < 2 ** callFilters.length; bits++) {
    const given = callFilters.filter((_, at) => bits & (1 << at));
    test(`calls by ${given.join(', ') || 'nothing'} use the index of the narrowest filter`, async () => {
      const [narrowest] = given;
      const { rows, count } = listingOf(given);
      for (const statement of narrowest ? [rows, count] : [rows]) {
        const plan = await planOf(statement as Statement<never, unknown>);
        assertLight(plan);
        const walk = plan.find((step) => /^SEARCH c USING/.test(step)) ?? '';
        if (narrowest)
          assert.match(walk, new RegExp(`${INDEXES[narrowest]} \\(workspace_id=\\? AND ${narrowest}=\\?\\)`));
        else assert.match(walk, /sqlite_autoindex_calls_\d \(workspace_id=\?\)$/);
      }
    });
  }

  test('The records related to a call are found by their keys', async () => {
    const plan = await planOf(listingOf([]).rows as Statement<never, unknown>);
    for (const table of ['v', 'l', 'a', 'p']) {
      assert.ok(
        plan.some((step) => new RegExp(`^SEARCH ${table} .*\\(workspace_id=\\? AND id=\\?\\)`).test(step)),
        `${table}: ${plan.join('\n')}`,
      );
    }
  });

  test('Deploys, versions and enrollments of a status are read in index order', async () => {
    const deploys = await planOf(listRecent as Statement<never, unknown>);
    assertLight(deploys);
    assert.ok(
      deploys.some((step) => /deploys_by_time \(workspace_id=\?\)/.test(step)),
      deploys.join('\n'),
    );
    const versions = await planOf(listVersionRows as Statement<never, unknown>);
    assertLight(versions);
    assert.ok(versions.some((step) => /deploys_of_version \(workspace_id=\? AND version_id=\?/.test(step)));
    const enrollments = await planOf(listsOfCampaign.status as Statement<never, unknown>);
    assertLight(enrollments);
    assert.ok(
      enrollments.some((step) =>
        /enrollments_by_status \(workspace_id=\? AND campaign_id=\? AND status=\?\)/.test(step),
      ),
      enrollments.join('\n'),
    );
  });
});
