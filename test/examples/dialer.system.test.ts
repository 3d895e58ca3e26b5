import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { deploy, makeAgentWithVersions, makeChannel, signedInOwner } from '../kit/fixtures/agents.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('The example of a dialer', (service) => {
  let owner: CheckedUser;
  let agent: string;
  let environment: Record<string, string>;

  before(async () => {
    owner = await signedInOwner(service);
    const made = await makeAgentWithVersions(service, 'Remind {{first_name}} of {{slot}}.');
    agent = made.id;
    await owner.request('PUT', `/agents/${agent}/variables`, {
      variables: [{ name: 'slot', example: 'noon' }],
    });
    await deploy(owner, agent, made.versions[0] as string);
    const channel = await makeChannel(owner);
    await owner.request('PUT', `/channels/${channel.id}/agent`, { agent_id: agent });
    environment = {
      ROSTER_URL: service.url,
      ROSTER_KEY: await createScopedKey(service.database, 'campaigns:write'),
      CHANNEL: channel.id,
      CHANNEL_SECRET: channel.secret,
    };
  });

  /** An active campaign with a contact for each first name. */
  const makeCampaign = async (...names: string[]): Promise<{ id: string; numbers: string[] }> => {
    const fields = { name: names.join(), agent_id: agent, status: 'active' };
    const { id } = await owner.request('POST', '/campaigns', fields, 201);
    const numbers: string[] = [];
    for (const first_name of names) {
      const phone_number = newPhone();
      const contact = await owner.request('POST', '/contacts', { phone_number, first_name }, 201);
      const body = { contact_ids: [contact.id], variables: { slot: 'noon' } };
      await owner.request('POST', `/campaigns/${id}/enrollments`, body);
      numbers.push(phone_number);
    }
    return { id, numbers };
  };

  /** Starts the program, with its telephony of the test. */
  const startDialer = (
    campaign: string,
    lines = 1,
    more: Record<string, string> = {},
    telephony = 'test/kit/examples/telephony.ts',
  ) => {
    const child = spawn(
      process.execPath,
      ['--import', './test/kit/sdk/resolve.ts', 'examples/dialer/dialer.ts', campaign, telephony, `${lines}`],
      { env: { ...process.env, ...environment, ...more }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const calls: Json[] = [];
    const errors: string[] = [];
    createInterface(child.stdout).on('line', (line) => calls.push(JSON.parse(line)));
    child.stderr.on('data', (data) => errors.push(String(data)));
    const exited = once(child, 'exit');
    const ended = async (expected = 0): Promise<string> => {
      const [code] = await exited;
      assert.equal(code, expected, errors.join(''));
      return errors.join('');
    };
    return {
      calls,
      errors,
      ended,
      stop: () => {
        child.kill('SIGTERM');
        return ended();
      },
    };
  };

  const until = async (isDone: () => Promise<boolean> | boolean) => {
    for (const end = Date.now() + 30_000; !(await isDone()); ) {
      assert.ok(Date.now() < end, 'it took too long');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };

  const enrollmentsOf = async (campaign: string): Promise<Record<string, Json>> => {
    const rows: Json[] = await owner.request('GET', `/campaigns/${campaign}/enrollments`);
    return Object.fromEntries(rows.map((row) => [row.contact_phone_number, row]));
  };

  test('It calls everyone with their text, and reports calls and results', async () => {
    const { id, numbers } = await makeCampaign('Ada', 'Busy', 'Broken');
    const [ada = '', busy = '', broken = ''] = numbers;
    const dialer = startDialer(id, 2);
    await until(async () => Object.values(await enrollmentsOf(id)).every(({ outcome }) => outcome !== null));
    assert.equal(await dialer.stop(), '');
    const said = Object.fromEntries(dialer.calls.map(({ number, instructions }) => [number, instructions]));
    assert.deepEqual(said, {
      [ada]: 'Remind Ada of noon.',
      [busy]: 'Remind Busy of noon.',
      [broken]: 'Remind Broken of noon.',
    });
    const rows = await enrollmentsOf(id);
    assert.deepEqual(
      numbers.map((number) => [rows[number].status, rows[number].outcome]),
      [
        ['completed', 'completed'],
        ['pending', 'busy'],
        ['failed', 'failed'],
      ],
    );
    assert.ok(Date.parse(rows[busy].retry_at) > Date.now() + 3_000_000, rows[busy].retry_at);

    const calls: Json[] = await owner.request('GET', '/calls?direction=outbound');
    const byNumber = Object.fromEntries(calls.map((call) => [call.number, call]));
    assert.deepEqual(
      numbers.map((number) => [byNumber[number].status, byNumber[number].seconds, byNumber[number].summary]),
      [
        ['completed', 42, 'Confirmed.'],
        ['busy', null, null],
        ['failed', null, 'Error: The trunk is down.'],
      ],
    );
    assert.deepEqual(byNumber[ada].goals, { confirmed: true });
    assert.match(byNumber[ada].session_id, /^session_/);
    const { instructions } = await owner.request('GET', `/calls/${byNumber[ada].id}?include=instructions`);
    assert.equal(instructions.text, 'Remind Ada of noon.');
  });

  test('The retry rules of the campaign decide about a disposition, and otherwise the status of the call', async () => {
    await owner.request('PUT', '/call-settings', {
      dispositions: ['voicemail', 'no_time'].map((key) => ({ key, label: key })),
      field_rules: [],
      transcript_days: null,
    });
    const { id, numbers } = await makeCampaign('Machine', 'Hurried');
    const retry_rules = [{ disposition: 'voicemail', action: 'retry', after_minutes: 240 }];
    await owner.request('PUT', `/campaigns/${id}/schedule`, { retry_rules });
    const dialer = startDialer(id);
    await until(async () => Object.values(await enrollmentsOf(id)).every(({ outcome }) => outcome !== null));
    assert.equal(await dialer.stop(), '');
    const rows = await enrollmentsOf(id);
    assert.deepEqual(
      numbers.map((number) => [rows[number].status, rows[number].outcome]),
      [
        ['pending', 'voicemail'],
        ['completed', 'no_time'],
      ],
    );
    assert.ok(Date.parse(rows[numbers[0] as string].retry_at) > Date.now() + 14_000_000);
  });

  test('It extends the lease of a long call, and after a signal the call ends as usual', async () => {
    const { id, numbers } = await makeCampaign('Long');
    const slow = { LEASE_SECONDS: '10', LONG_CALL_MS: '12000' };
    const dialer = startDialer(id, 1, slow);
    await until(() => dialer.calls.length === 1);
    const other = startDialer(id, 1, slow);
    assert.equal(await dialer.stop(), '');
    await other.stop();
    assert.deepEqual([dialer.calls.length, other.calls.length], [1, 0]);
    const { status, attempts } = (await enrollmentsOf(id))[numbers[0] as string];
    assert.deepEqual([status, attempts], ['completed', 1]);
  });

  test('While the channel has no agent, no contact is claimed, and one that was claimed before is released', async () => {
    const { id, numbers } = await makeCampaign('Long', 'Grace');
    const [, grace = ''] = numbers;
    const connection = `/channels/${environment.CHANNEL}/agent`;
    const first = startDialer(id, 1, { LONG_CALL_MS: '2000' });
    await until(() => first.calls.length === 1);
    await owner.request('DELETE', connection);
    await until(() => first.errors.length > 0);
    await first.stop();
    const released = (await enrollmentsOf(id))[grace];
    assert.equal(released.status, 'pending');
    const second = startDialer(id);
    await until(() => second.errors.length > 0);
    const { status, attempts } = (await enrollmentsOf(id))[grace];
    assert.deepEqual([status, attempts, second.calls.length], ['pending', released.attempts, 0]);
    await owner.request('PUT', connection, { agent_id: agent });
    await until(async () => (await enrollmentsOf(id))[grace].status === 'completed');
    await second.stop();
  });

  test('It ends by itself when the campaign is finished', async () => {
    const { id } = await makeCampaign('Ada');
    await owner.request('PATCH', `/campaigns/${id}`, { status: 'finished' });
    const dialer = startDialer(id);
    assert.equal(await dialer.ended(), '');
    assert.deepEqual(dialer.calls, []);
  });

  test('What repeating does not repair ends it with one message, and no contact is claimed', async () => {
    const { id, numbers } = await makeCampaign('Ada');
    const reader = await createScopedKey(service.database, 'campaigns:read');
    const ends = async (expected: RegExp, ...args: Parameters<typeof startDialer>) => {
      const text = await startDialer(...args).ended(1);
      assert.match(text, expected);
      assert.equal(text.trim().split('\n').length, 1, text);
    };
    await ends(/^No such campaign in this workspace\./, 'campaign_00000000000000000000000000', 2);
    await ends(/does not have the scope campaigns:write/, id, 2, { ROSTER_KEY: reader });
    await ends(/^Send a valid API key in the header/, id, 2, { ROSTER_KEY: 'rk_1_wrong' });
    await ends(/^Send the secret of this channel/, id, 2, {
      CHANNEL_SECRET: `whsec_${btoa('another secret of the channel...')}`,
    });
    await ends(/^Set ROSTER_URL, ROSTER_KEY, CHANNEL/, id, 1, { CHANNEL: '' });
    await ends(/must export a function named dial/, id, 1, {}, 'test/kit/sdk/resolve.ts');
    await ends(/^Cannot find module/, id, 1, {}, 'missing.ts');
    await ends(/^Usage: /, id, 0);
    assert.equal((await enrollmentsOf(id))[numbers[0] as string].attempts, 0);
  });
});
