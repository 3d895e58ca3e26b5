import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { after, before, test } from 'node:test';
import { sdkDialer, shellDialer } from '../../dashboard/src/pages/campaigns/detail/dialer-code.ts';
import { type CampaignApi, campaignApi, makeActiveCampaign } from '../kit/fixtures/campaigns.ts';
import { createSdkProject, type SdkProject } from '../kit/sdk/project.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onSqlite } from '../kit/service/test-service.ts';

onSqlite('The programs that the page of a campaign offers', (service) => {
  let api: CampaignApi;
  let key: string;
  let project: SdkProject;
  before(async () => {
    api = await campaignApi(service);
    key = await createScopedKey(service.database, 'campaigns:write');
    project = await createSdkProject();
  });
  after(() => project?.remove());

  /** Runs a dialer until both contacts of a new campaign have a result. */
  const enrollmentsAfter = async (start: (campaign: string) => ChildProcess): Promise<Json[]> => {
    const { id } = await makeActiveCampaign(service, api, 2);
    const dialer = start(id);
    let output = '';
    for (const stream of [dialer.stdout, dialer.stderr]) stream?.on('data', (text) => (output += text));
    try {
      for (const until = Date.now() + 30_000; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
        const enrollments: Json = await api.request('GET', `/campaigns/${id}/enrollments`);
        if (enrollments.every(({ outcome }: Json) => outcome !== null)) return enrollments;
        assert.ok(Date.now() < until, output);
      }
    } finally {
      // The loop of the shell has programs of its own.
      process.kill(-(dialer.pid as number));
    }
  };

  const assertReported = (enrollments: Json[]) => {
    assert.deepEqual(
      enrollments.map(({ status, outcome, attempts }) => [status, outcome, attempts]),
      [
        ['pending', 'no answer', 1],
        ['pending', 'no answer', 1],
      ],
    );
    for (const { retry_at } of enrollments)
      assert.ok(Math.abs(Date.parse(retry_at) - Date.now() - 3_600_000) < 60_000, retry_at);
  };

  test('The shell loop claims contacts with a key for claims alone, and reports results', async () => {
    const program = (campaign: string) => shellDialer({ origin: service.url, campaign, key });
    assertReported(
      await enrollmentsAfter((id) => spawn('bash', ['-c', program(id)], { detached: true, stdio: 'pipe' })),
    );
    const called = (campaign: string) =>
      program(campaign).replace('echo "Call $1 here."; return 1;', '[ -n "$1" ] && [ -n "$2" ];');
    const answered = await enrollmentsAfter((id) =>
      spawn('bash', ['-c', called(id)], { detached: true, stdio: 'pipe' }),
    );
    assert.deepEqual(
      answered.map(({ status, outcome }) => [status, outcome]),
      [
        ['completed', 'answered'],
        ['completed', 'answered'],
      ],
    );
  });

  test('The SDK snippet passes the strict type check and does the same', async () => {
    const env = { ...process.env, ROSTER_URL: service.url, ROSTER_KEY: key };
    assertReported(
      await enrollmentsAfter((campaign) => {
        const file = project.compile(campaign, sdkDialer({ origin: service.url, campaign }));
        return spawn(process.execPath, [file], { detached: true, stdio: 'pipe', env });
      }),
    );
  });
});
