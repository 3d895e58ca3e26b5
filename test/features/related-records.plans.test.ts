import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sqliteCompiler } from '../../src/db/sqlite/dialect.ts';
import type { Statement } from '../../src/db/statement.ts';
import { deployList, listedDeploys } from '../../src/features/agents/deploy.store.ts';
import { listedVersions, versionList } from '../../src/features/agents/version.store.ts';
import { callGroups, callList, namedCalls } from '../../src/features/calls/call-list.store.ts';
import {
  campaignList,
  enrollmentList,
  listedCampaigns,
  namedEnrollments,
} from '../../src/features/campaigns/campaign.lists.ts';
import {
  findZones,
  selectDueRetries,
  selectDueRetriesOfZone,
  selectNewlyEnrolled,
  selectNewlyEnrolledOfZone,
} from '../../src/features/campaigns/claim.store.ts';
import { startLeases } from '../../src/features/campaigns/enrollment.store.ts';
import { findWorkspaces, listDue } from '../../src/jobs/job.service.ts';
import { equalTo as conditionsOf } from '../../src/records/list.declaration.ts';
import { engines } from '../kit/database/engines.ts';
import { startTestService, type TestService } from '../kit/service/test-service.ts';

const INDEXES = {
  contact_id: 'calls_of_contact',
  channel_id: 'calls_of_channel',
  agent_id: 'calls_of_agent',
  direction: 'calls_by_direction',
};

/** The most selective first. */
const callFilters = ['contact_id', 'channel_id', 'agent_id', 'direction'] as const;
const listingOf = (given: readonly string[]) => {
  const plan = callList.plan(conditionsOf(Object.fromEntries(given.map((name) => [name, 'x']))), 'recorded');
  return { rows: callList.pageStatement(plan, namedCalls), count: callList.countStatement(plan) };
};

const deploysOf = (filters: Record<string, string>) => {
  const plan = deployList.plan(conditionsOf(filters), 'newest');
  return { rows: deployList.pageStatement(plan, listedDeploys), count: deployList.countStatement(plan) };
};

const campaignsBy = (filters: Record<string, string>, sort: string) =>
  campaignList.pageStatement(campaignList.plan(conditionsOf(filters), sort), listedCampaigns);
const enrollmentsOf = (filters: Record<string, string>, sort: string) =>
  enrollmentList.pageStatement(enrollmentList.plan(conditionsOf(filters), sort), namedEnrollments);

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
  /** `found` has the positions of one page. Asserts that no step scans a whole table and that the records are not sorted. */
  const assertLight = (plan: readonly string[]) => {
    for (const step of plan) assert.doesNotMatch(step, /^SCAN (?!c$|d$|e$|v$|found$)/, plan.join('\n'));
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
          assert.match(
            walk,
            new RegExp(
              `${INDEXES[narrowest]}(?:_by_start|_by_time)? \\(workspace_id=\\? AND ${narrowest}=\\?\\)`,
            ),
          );
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

  test('Claiming a job reads due jobs only', async () => {
    for (const [statement, range] of [
      [findWorkspaces, /^SEARCH jobs USING INDEX jobs_by_due \(due_at<\?\)$/],
      [listDue, /^SEARCH jobs USING INDEX jobs_of_workspace \(workspace_id=\? AND due_at<\?\)$/],
    ] as const) {
      const plan = await planOf(statement as Statement<never, unknown>);
      assert.ok(
        plan.some((step) => range.test(step)),
        plan.join('\n'),
      );
      assert.ok(!plan.some((step) => /TEMP B-TREE/.test(step)), plan.join('\n'));
    }
  });

  test('Claiming reads one range of the queue in its order and updates each contact by its key', async () => {
    const ranges = [
      [
        selectDueRetries,
        /enrollments_queue \(workspace_id=\? AND campaign_id=\? AND available_at>\? AND available_at<\?\)/,
      ],
      [selectNewlyEnrolled, /enrollments_queue \(workspace_id=\? AND campaign_id=\? AND available_at=\?\)/],
      [
        selectDueRetriesOfZone,
        /enrollments_queue_by_zone \(workspace_id=\? AND campaign_id=\? AND zone_group=\? AND available_at>\? AND available_at<\?\)/,
      ],
      [
        selectNewlyEnrolledOfZone,
        /enrollments_queue_by_zone \(workspace_id=\? AND campaign_id=\? AND zone_group=\? AND available_at=\?\)/,
      ],
    ] as const;
    for (const [statement, range] of ranges) {
      const plan = await planOf(statement as Statement<never, unknown>);
      assertLight(plan);
      assert.equal(plan.length, 1, plan.join('\n'));
      assert.match(plan[0] ?? '', range);
    }
    const update = await planOf(startLeases as Statement<never, unknown>);
    assert.ok(
      update.some((step) =>
        /SEARCH enrollments .*\(workspace_id=\? AND campaign_id=\? AND contact_id=\?\)/.test(step),
      ),
      update.join('\n'),
    );
  });

  test('Deploys, versions and enrollments of a status are read in index order', async () => {
    const deploys = await planOf(deploysOf({}).rows as Statement<never, unknown>);
    assertLight(deploys);
    assert.ok(
      deploys.some((step) => /deploys_by_time \(workspace_id=\?\)/.test(step)),
      deploys.join('\n'),
    );
    const ofAgent = versionList.plan([{ filter: 'agent', value: 'x' }], 'newest');
    const statement = versionList.pageStatement(ofAgent, listedVersions);
    const versions = await planOf(statement as Statement<never, unknown>);
    assertLight(versions);
    assert.ok(versions.some((step) => /deploys_of_version \(workspace_id=\? AND version_id=\?/.test(step)));
    const { rows, count } = deploysOf({ version: 'x' });
    for (const statement of [rows, count]) {
      const ofVersion = await planOf(statement as Statement<never, unknown>);
      assertLight(ofVersion);
      assert.ok(
        ofVersion.some((step) => /deploys_of_version \(workspace_id=\? AND version_id=\?/.test(step)),
        ofVersion.join('\n'),
      );
    }
    const callsOfVersion = callList.plan(conditionsOf({ version_id: 'x' }), '-started_at');
    const outcomes = await planOf(callList.pageStatement(callsOfVersion, callGroups));
    assertLight(outcomes.filter((step) => step !== 'SCAN found'));
    assert.ok(
      outcomes.some((step) => /calls_of_version_by_start \(workspace_id=\? AND version_id=\?\)/.test(step)),
      outcomes.join('\n'),
    );
    const zones = await planOf(findZones as Statement<never, unknown>);
    for (const step of zones.filter((each) => /enrollments/.test(each)))
      assert.match(step, /enrollments_queue_by_zone \(workspace_id=\? AND campaign_id=\?/, zones.join('\n'));
    const queue = await planOf(
      enrollmentsOf({ campaign_id: 'x', queued: 'x' }, 'next_attempt') as Statement<never, unknown>,
    );
    assert.ok(queue.some((step) => /enrollments_queue \(workspace_id=\? AND campaign_id=\?\)/.test(step)));
    for (const sort of ['name', '-updated_at'] as const) {
      const plan = await planOf(campaignsBy({}, sort) as Statement<never, unknown>);
      assert.ok(
        plan.some((step) => /campaigns_by_(name|change) \(workspace_id=\?\)/.test(step)),
        plan.join('\n'),
      );
      assert.ok(!plan.some((step) => /TEMP B-TREE/.test(step)), plan.join('\n'));
    }
    const byStatus = await planOf(campaignsBy({ status: 'x' }, '-created_at') as Statement<never, unknown>);
    assert.ok(byStatus.some((step) => /campaigns_by_status \(workspace_id=\? AND status=\?\)/.test(step)));
    const enrollments = await planOf(
      enrollmentsOf({ campaign_id: 'x', status: 'x' }, '-contact') as Statement<never, unknown>,
    );
    assertLight(enrollments);
    assert.ok(
      enrollments.some((step) =>
        /enrollments_by_status \(workspace_id=\? AND campaign_id=\? AND status=\?\)/.test(step),
      ),
      enrollments.join('\n'),
    );
  });
});
