import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type CallWindow, weekdays } from '../../src/features/campaigns/call-window.ts';
import { localTime } from '../../src/lib/time-zone.ts';
import { type CampaignApi, campaignApi, makeActiveCampaign } from '../kit/fixtures/campaigns.ts';
import { enrollmentCounts } from '../kit/fixtures/enrollment-counts.ts';
import { assertError } from '../kit/http/assertions.ts';
import { assertConsistent } from '../kit/load/acknowledged-writes.ts';
import { type Json, onEveryEngine, startTestService } from '../kit/service/test-service.ts';

/** Numbers of fiction in zones that are far apart. */
const AREAS = {
  'America/New_York': '+1212555',
  'America/Los_Angeles': '+1415555',
  'Pacific/Honolulu': '+1808555',
  'Australia/Sydney': '+6125550',
} as const;
type Zone = keyof typeof AREAS;
let made = 0;
const phoneIn = (zone: Zone): string => `${AREAS[zone]}${String(++made).padStart(4, '0')}`;

const minutesIn = (zone: Zone): number => {
  const local = localTime(zone, Date.now());
  return Number(local.slice(11, 13)) * 60 + Number(local.slice(14, 16));
};
const timeOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** Two zones whose local times are at least two hours apart and not near midnight, so that no window crosses it. */
const zones = (Object.keys(AREAS) as Zone[]).filter(
  (zone) => minutesIn(zone) > 120 && minutesIn(zone) < 1_320,
);
const here = zones[0] as Zone;
const away = zones.find((zone) => Math.abs(minutesIn(zone) - minutesIn(here)) > 115) as Zone;

/** Open for an hour around the local time of `zone`. */
const windowAround = (zone: Zone, { from = -30, to = 30 } = {}): CallWindow => ({
  days: [...weekdays],
  from: timeOf(minutesIn(zone) + from),
  to: timeOf(minutesIn(zone) + to),
});

const contactOf = ({ contact }: Json): string => contact.id;
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

onEveryEngine('Call windows and attempts', (service) => {
  let api: CampaignApi;
  before(async () => {
    api = await campaignApi(service);
  });
  const addContact = async (zone: Zone): Promise<string> =>
    (await service.post('/v1/contacts', { phone_number: phoneIn(zone) })).body.data.id;
  const put = (id: string, body: object): Promise<Json> =>
    api.request('PUT', `/campaigns/${id}/schedule`, body);
  const enrollIn = (id: string, ...contact_ids: string[]) =>
    api.request('POST', `/campaigns/${id}/enrollments`, { contact_ids });
  const opening = async (id: string): Promise<string | null> =>
    (await api.request('GET', `/campaigns/${id}/progress?days=1`)).window_opens_at;
  const waitForZones = async (id: string) => {
    const pending = () =>
      service.database.query('select id from campaigns where id = ? and zones_after is not null', id);
    for (const until = Date.now() + 10_000; (await pending()).length > 0; await sleep(30))
      assert.ok(Date.now() < until, 'the zones of the contacts are stored');
  };
  const expireAll = (id: string) =>
    service.database.query(
      "update enrollments set available_at = '2020-01-01T00:00:00.000Z' where campaign_id = ? and available_at > ''",
      id,
    );

  test('A claim returns only contacts whose local time is inside the window', async () => {
    const { id } = await makeActiveCampaign(service, api, 0);
    const before = [await addContact(away), await addContact(here)] as const;
    await enrollIn(id, ...before);
    await put(id, { call_window: windowAround(here) });
    await waitForZones(id);
    const later = [await addContact(away), await addContact(here)] as const;
    await enrollIn(id, ...later);
    const reply = await api.claim(id, { limit: 10 });
    assert.deepEqual(reply.body.data.claims.map(contactOf).sort(), [before[1], later[1]].sort());
    assert.equal(reply.headers.get('retry-after'), null);
    const none = await api.claim(id, { limit: 10 });
    assert.deepEqual(none.body.data.claims, []);
    assert.equal(none.status, 200);
    const seconds = Number(none.headers.get('retry-after'));
    const minutes = (minutesIn(here) - 30 - minutesIn(away) + 2_880) % 1_440;
    assert.ok(Math.abs(seconds / 60 - minutes) <= 2 || seconds <= 300, `${seconds} s, ${minutes} min`);
    await put(id, {});
    assert.deepEqual(
      (await api.claims(id, { limit: 10 })).map(contactOf).sort(),
      [before[0], later[0]].sort(),
      'without a window all contacts are claimed',
    );
  });

  test('Retry-After says when the first window opens', async () => {
    const { id } = await makeActiveCampaign(service, api, 0);
    await enrollIn(id, await addContact(here));
    await put(id, { call_window: windowAround(here, { from: 10, to: 60 }) });
    await waitForZones(id);
    const seconds = Number((await api.claim(id)).headers.get('retry-after'));
    assert.ok(seconds > 8 * 60 && seconds <= 10 * 60, `${seconds}`);
    const opensIn = Date.parse((await opening(id)) ?? '') - Date.now();
    assert.ok(Math.abs(opensIn / 1_000 - seconds) < 10, `${opensIn}`);
    await put(id, { call_window: windowAround(here) });
    assert.equal(await opening(id), null, 'the window is open');
    await put(id, {});
    assert.equal(await opening(id), null, 'there is no window');
    const closedDays = weekdays.filter((_, at) => at !== new Date().getUTCDay());
    await put(id, { call_window: { ...windowAround(here), days: [closedDays.at(0)] } });
    const { headers } = await api.claim(id);
    assert.ok(headers.get('retry-after') === null || Number(headers.get('retry-after')) > 0);
  });

  test('A retry key gets the same Retry-After response without a second claim', async () => {
    const { id } = await makeActiveCampaign(service, api, 0);
    await enrollIn(id, await addContact(here));
    await put(id, { call_window: windowAround(here, { from: 10, to: 60 }) });
    await waitForZones(id);
    const options = { headers: { 'Idempotency-Key': 'window' } };
    const [first, again] = [await api.claim(id, {}, options), await api.claim(id, {}, options)];
    assert.deepEqual(again.body.data, first.body.data);
    assert.ok(Number(again.headers.get('retry-after')) > 0);
  });

  test('A contact whose number has changed is called in the zone of its new number', async () => {
    const { id } = await makeActiveCampaign(service, api, 0);
    const contact = await addContact(here);
    await enrollIn(id, contact);
    await put(id, { call_window: windowAround(here) });
    await waitForZones(id);
    const moved = await service.patch(`/v1/contacts/${contact}`, { phone_number: phoneIn(away) });
    assert.equal(moved.status, 200, moved.text);
    assert.deepEqual(await api.claims(id), []);
    await put(id, { call_window: windowAround(away) });
    assert.deepEqual((await api.claims(id)).map(contactOf), [contact]);
  });

  test('Parallel callers on two instances claim every contact inside the window exactly once', async () => {
    const { id } = await makeActiveCampaign(service, api, 0);
    const inside = await Promise.all(Array.from({ length: 60 }, () => addContact(here)));
    const outside = await Promise.all(Array.from({ length: 20 }, () => addContact(away)));
    await put(id, { call_window: windowAround(here) });
    await enrollIn(id, ...inside, ...outside);
    const second = await startTestService(service.database);
    try {
      const apis = [api, await campaignApi(second)];
      const claimed: string[] = [];
      const worker = async (number: number) => {
        for (;;) {
          const claims = await (apis[number % 2] as CampaignApi).claims(id, { limit: 1 + (number % 4) });
          if (claims.length === 0) return;
          claimed.push(...claims.map(contactOf));
        }
      };
      await Promise.all(Array.from({ length: 8 }, (_, number) => worker(number)));
      await worker(0);
      assert.deepEqual(claimed.sort(), inside.sort());
    } finally {
      await second.stop();
    }
  });

  test('A contact is handed out at most as often as the campaign allows', async () => {
    const { id, contacts } = await makeActiveCampaign(service, api, 2);
    const [reported, silent] = contacts as [string, string];
    await put(id, { max_attempts: 2 });
    const report = async (claim: Json) =>
      (
        await api.report(id, claim.contact.id, {
          claim_id: claim.claim_id,
          status: 'pending',
          outcome: 'busy',
        })
      ).body.data;
    const [first, other] = await api.claims(id, { limit: 2 });
    assert.deepEqual([contactOf(first), contactOf(other)], [reported, silent]);
    assert.equal((await report(first)).status, 'pending');
    await expireAll(id);
    const again = await api.claims(id, { limit: 5 });
    assert.deepEqual(
      again.map(({ attempt }) => attempt),
      [2, 2],
    );
    const last = again.find((claim) => contactOf(claim) === reported) as Json;
    const ended = await report(last);
    assert.deepEqual(
      [ended.status, ended.outcome, ended.attempts, ended.retry_at],
      ['failed', 'busy', 2, null],
    );
    await expireAll(id);
    assert.deepEqual(await api.claims(id, { limit: 5 }), [], 'the second lease has expired');
    const { enrolled } = await api.request('GET', `/campaigns/${id}`);
    assert.deepEqual(enrolled, enrollmentCounts({ failed: 2 }));
    const back = await api.report(id, silent, { status: 'pending' });
    assert.match(assertError(back, 409, 'CONFLICT').message, /used 2 of 2 attempts/);
    await put(id, { max_attempts: 3 });
    assert.equal((await api.report(id, silent, { status: 'pending' })).status, 200);
    assert.deepEqual(
      (await api.claims(id, { limit: 5 })).map(({ attempt }) => attempt),
      [3],
    );
  });

  test('The minimum time between attempts holds for reports, leases and retry times', async () => {
    const { id, contacts } = await makeActiveCampaign(service, api, 1);
    const [contact] = contacts as [string];
    await put(id, { min_retry_minutes: 60 });
    const earliest = new Date(Date.now() + 59 * 60_000).toISOString();
    const [claim] = await api.claims(id, { lease_seconds: 60 });
    assert.ok(claim.lease_expires_at > earliest, 'a lost dialer does not shorten it');
    const extended = await api.report(id, contact, { claim_id: claim.claim_id, lease_seconds: 10 });
    assert.ok(extended.body.data.lease_expires_at > earliest);
    const soon = new Date(Date.now() + 60_000).toISOString();
    const returned = await api.report(id, contact, {
      claim_id: claim.claim_id,
      status: 'pending',
      retry_at: soon,
    });
    assert.ok(returned.body.data.retry_at > earliest, returned.text);
    const late = new Date(Date.now() + 7_200_000).toISOString();
    const postponed = await api.report(id, contact, { status: 'pending', retry_at: late });
    assert.equal(postponed.body.data.retry_at, late);
    await assertConsistent(service.database);
  });
});
