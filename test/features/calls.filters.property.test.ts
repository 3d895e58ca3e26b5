import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { fold } from '../../src/lib/text.ts';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { makeDeployedAgent, makePhoneChannel, recordCall } from '../kit/fixtures/calls.ts';
import { assertInvalid } from '../kit/http/assertions.ts';
import { seededRandom } from '../kit/random.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import type { TestChannel } from '../kit/webhooks/channel-hooks.ts';

/** Random combinations on each engine. */
const COUNT = Number(process.env.RANDOM_FILTERS ?? 120);
const CALLS = 70;

const DISPOSITIONS = ['booked', 'no_interest', 'voicemail'];
const GOALS = ['booked', 'paid', 'rare'];
const SUMMARIES = [
  'Booked for Tuesday.',
  'Zoë ASKED about 100% of it',
  'zoe wrote a_b, not ab',
  'O\'Brien said "x\\y"',
  'İstanbul, 李 😀',
  'x',
];
const SEARCHES = [
  'zoe',
  'ZOË',
  '100%',
  '%',
  '_',
  'a_b',
  "'",
  '"',
  '\\',
  '李',
  '😀',
  'istanbul',
  'x',
  'nothing',
  ' ',
];
const NUMBERS = ['+14155550101', '+14155550102', '+14155550103', '12345', 'anonymous'];
const ASKED_NUMBERS = [
  ...NUMBERS,
  '+1 (415) 555-0101',
  '0014155550102',
  ' 14155550103',
  '99999',
  '+14155550104',
];
const TIMES = [
  '2026-01-10T10:00:00.000Z',
  '2026-01-10T10:00:00.001Z',
  '2026-01-11T00:00:00.000Z',
  '2026-02-01T12:00:00.000Z',
];

/** The number that a filter stands for. */
const identityOf = (text: string): string =>
  /^[ +]?(?:00)?1\D*415/.test(text) ? `+${text.replace(/\D/g, '').replace(/^00/, '')}` : text;

/** Whether a call meets the filters, as the documentation describes them. */
const meets = (call: Json, query: Json): boolean => {
  const { number, disposition, goal, seconds_min, seconds_max, search } = query;
  const reached = !goal?.startsWith('-');
  return (
    ['version_id', 'channel_id', 'contact_id', 'status', 'direction', 'type', 'disposition'].every(
      (name) => query[name] === undefined || call[name] === query[name],
    ) &&
    (number === undefined || call.number === identityOf(number)) &&
    (disposition === undefined || call.disposition === disposition) &&
    (goal === undefined || call.goals[reached ? goal : goal.slice(1)] === reached) &&
    (seconds_min === undefined || (call.seconds !== null && call.seconds >= seconds_min)) &&
    (seconds_max === undefined || (call.seconds !== null && call.seconds <= seconds_max)) &&
    (search === undefined || (call.summary !== null && fold(call.summary).includes(fold(search)))) &&
    (query.started_since === undefined || call.started_at >= query.started_since) &&
    (query.started_before === undefined || call.started_at < query.started_before)
  );
};

onEveryEngine('Filters of calls', (service) => {
  let owner: CheckedUser;
  let line: TestChannel;
  /** As they were recorded. */
  const calls: Json[] = [];
  const random = seededRandom(33);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const maybe = (share: number, fields: () => object) => (random() < share ? fields() : {});
  const list = async (query: object): Promise<Json> =>
    (
      await owner.call(
        'GET',
        `/calls?${new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]))}`,
      )
    ).body;

  before(async () => {
    ({ owner } = await makeOtherWorkspace(service));
    const { owner: other } = await makeOtherWorkspace(service);
    const dispositions = DISPOSITIONS.map((key) => ({ key, label: key }));
    const settings = { dispositions, field_rules: [], transcript_days: null };
    for (const { request } of [owner, other]) await request('PUT', '/call-settings', settings);
    const agent = await makeDeployedAgent(owner);
    const channels = [await makePhoneChannel(owner, agent), await makePhoneChannel(owner)];
    line = channels[0] as TestChannel;
    const result = () => ({
      ...maybe(0.5, () => ({ disposition: pick(DISPOSITIONS) })),
      ...maybe(0.6, () => ({
        goals: Object.fromEntries([
          [pick(GOALS), random() < 0.5],
          [pick(GOALS), random() < 0.5],
        ]),
      })),
      ...maybe(0.6, () => ({ summary: pick(SUMMARIES) })),
    });
    for (let at = 0; at < CALLS; at++) {
      const channel = pick(channels);
      const number = pick(NUMBERS);
      const fields = {
        provider_id: `call ${at}`,
        type: random() < 0.8 ? 'call' : 'message',
        direction: pick(['inbound', 'outbound']),
        started_at: pick(TIMES),
        status: pick(['completed', 'failed', 'busy']),
        ...maybe(0.7, () => ({ seconds: pick([0, 1, 59, 60, 600]) })),
      };
      const { id } = await recordCall(service, channel, number, { ...fields, ...result() });
      // A later report replaces some of the result.
      if (random() < 0.5) await recordCall(service, channel, number, { ...fields, ...result() });
      calls.push({ id });
    }
    const foreign = await makePhoneChannel(other);
    await recordCall(service, foreign, NUMBERS[0] as string, {
      goals: { booked: true },
      summary: 'x',
      disposition: 'booked',
    });
    for (const [at, { id }] of calls.entries()) calls[at] = await owner.request('GET', `/calls/${id}`);
  });

  const randomQuery = (): Json => {
    const { contact_id, channel_id, version_id } = pick(calls);
    return {
      ...maybe(0.2, () => ({ number: pick(ASKED_NUMBERS) })),
      ...maybe(0.3, () => ({ disposition: pick([...DISPOSITIONS, 'unknown']) })),
      ...maybe(0.3, () => ({ goal: `${random() < 0.5 ? '-' : ''}${pick([...GOALS, 'unknown'])}` })),
      ...maybe(0.25, () => ({ seconds_min: pick([0, 1, 60, 601]) })),
      ...maybe(0.25, () => ({ seconds_max: pick([0, 59, 60, 600]) })),
      ...maybe(0.3, () => ({ search: pick(SEARCHES) })),
      ...maybe(0.1, () => contact_id && { contact_id }),
      ...maybe(0.1, () => ({ channel_id })),
      ...maybe(0.1, () => version_id && { version_id }),
      ...maybe(0.1, () => ({ status: pick(['completed', 'failed']) })),
      ...maybe(0.1, () => ({ type: pick(['call', 'message']) })),
      ...maybe(0.1, () => ({ direction: 'inbound' })),
      ...maybe(0.2, () => ({ started_since: pick(TIMES) })),
      ...maybe(0.2, () => ({ started_before: pick(TIMES) })),
    };
  };

  test('The list, the export and the statistics have the calls that meet every filter, in every order', async () => {
    let found = 0;
    for (let at = 0; at < COUNT; at++) {
      const query = randomQuery();
      const sort = pick(['started_at', '-started_at']);
      const expected = calls
        .filter((call) => meets(call, query))
        .map((call) => ({ call, key: `${call.started_at} ${String(calls.indexOf(call)).padStart(3, '0')}` }))
        .sort((a, b) => (a.key < b.key ? -1 : 1) * (sort === 'started_at' ? 1 : -1))
        .map(({ call }) => call.id);
      found += expected.length;
      const title = JSON.stringify({ ...query, sort });
      const { data, pagination } = await list({ ...query, sort, limit: 100 });
      assert.deepEqual(
        data.map(({ id }: Json) => id),
        expected,
        title,
      );
      assert.equal(pagination.total, expected.length, title);
      assert.equal(pagination.total_is_capped, false, title);
      const offset = Math.floor(random() * (expected.length + 1));
      const part = (await list({ ...query, sort, limit: 3, offset })).data;
      assert.deepEqual(
        part.map(({ id }: Json) => id),
        expected.slice(offset, offset + 3),
        title,
      );
      if (at % 10 > 0) continue;
      const filters = new URLSearchParams({
        started_since: '2026-01-01T00:00:00Z',
        started_before: '2026-03-01T00:00:00Z',
        ...query,
      });
      const statistics = await owner.request('GET', `/calls/statistics?${filters}`);
      assert.deepEqual([statistics.calls, statistics.is_complete], [expected.length, true], title);
      const { text } = await owner.call('GET', `/calls/export?${new URLSearchParams(query)}`);
      const latestFirst = sort === 'started_at' ? expected.toReversed() : expected;
      const exported = latestFirst.filter((id) => text.includes(id));
      assert.deepEqual(
        [exported.length, text.match(/call_[0-7][0-9a-z]{25}/g)?.length ?? 0],
        [expected.length, expected.length],
        title,
      );
    }
    assert.ok(found > COUNT, `${found} calls were found`);
  });

  test('A filter that cannot be is rejected with the name of its field, and an empty one counts as absent', async () => {
    for (const query of [
      'goal=Booked',
      'goal=--booked',
      'goal=-',
      'seconds_min=-1',
      'seconds_max=1.5',
      'seconds_min=x',
      `disposition=${'x'.repeat(41)}`,
      `number=${'1'.repeat(65)}`,
    ])
      for (const path of ['/calls', '/calls/export', '/calls/statistics'])
        assertInvalid(await owner.call('GET', `${path}?${query}`), query.split('=')[0] as string);
    const empty = await list({
      number: '',
      disposition: '',
      goal: '',
      seconds_min: '',
      seconds_max: '',
      search: '',
    });
    assert.equal(empty.pagination.total, CALLS);
  });

  test('A search reads the latest 100,000 summaries, and says that there are earlier ones', async () => {
    const [{ workspace_id }] = (await service.database.query(
      'select workspace_id from calls where id = ?',
      calls[0]?.id,
    )) as [Json];
    await service.database.query(`insert into call_texts (workspace_id, started_at, seq, size, text, transcript)
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 100001)
      select ${workspace_id}, '2026-05-01T00:00:00.000Z', 1000000 + n, 0, 'many', '' from numbers`);
    // As the service does with tables that have grown.
    await service.database.query('analyze call_texts');
    const { pagination, data } = await list({ search: 'zoe' });
    assert.deepEqual(
      [pagination.total, pagination.total_is_capped, pagination.has_more, data.length],
      [0, true, false, 0],
    );
    const expected = calls.filter((call) => meets(call, { search: 'zoe' })).length;
    const earlier = await list({ search: 'zoe', started_before: '2026-05-01T00:00:00Z' });
    assert.deepEqual([earlier.pagination.total, earlier.pagination.total_is_capped], [expected, false]);
    const ofNumber = await list({ search: 'zoe', number: NUMBERS[0] });
    const [first] = [calls.filter((call) => meets(call, { search: 'zoe', number: NUMBERS[0] }))];
    assert.deepEqual(
      [ofNumber.pagination.total, ofNumber.pagination.total_is_capped],
      [first?.length, false],
    );
    const period = {
      started_since: '2026-01-01T00:00:00Z',
      started_before: '2026-06-01T00:00:00Z',
      search: 'zoe',
    };
    const statistics = await owner.request('GET', `/calls/statistics?${new URLSearchParams(period)}`);
    assert.deepEqual(
      [statistics.calls, statistics.is_complete, statistics.days[0].day],
      [0, false, '2026-05-01'],
    );
    await service.database.query('delete from call_texts where seq > 1000000');
  });

  test('Deleting a contact erases the searchable text of its calls', async () => {
    const phone = '+14155550177';
    const { id } = (await owner.call('POST', '/contacts', { phone_number: phone })).body.data;
    await recordCall(service, line, phone, { summary: 'Secretly Canadian', goals: { paid: true } });
    assert.equal((await list({ search: 'secretly' })).pagination.total, 1);
    assert.equal((await owner.call('DELETE', `/contacts/${id}`)).status, 200);
    assert.equal((await list({ search: 'secretly' })).pagination.total, 0);
    assert.equal((await list({ number: phone })).pagination.total, 0);
    const rows = await service.database.query("select text from call_texts where text like '%secretly%'");
    assert.deepEqual(rows, []);
  });
});
