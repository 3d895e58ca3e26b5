import assert from 'node:assert/strict';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { waitForBulkJob } from '../kit/fixtures/bulk-jobs.ts';
import { type CampaignApi, campaignApi } from '../kit/fixtures/campaigns.ts';
import { applyImport, planCsv, undoImport } from '../kit/imports/imports.ts';
import { Random } from '../kit/random.ts';
import { comparableRecords, EventMirror, type MirroredKind } from '../kit/service/event-mirror.ts';
import { followEvents } from '../kit/service/event-reader.ts';
import type { Json, Reply, TestService } from '../kit/service/test-service.ts';
import { sendEvent } from '../kit/webhooks/channel-hooks.ts';

interface World {
  readonly service: TestService;
  readonly owner: CheckedUser;
  readonly dialer: CampaignApi;
  readonly random: Random;
  /** Ids of records, also of deleted ones. Channels have their secrets. */
  readonly contacts: string[];
  readonly agents: string[];
  readonly campaigns: string[];
  readonly merges: string[];
  readonly channels: Json[];
  readonly claims: { campaign: string; contact: string; claim_id: string }[];
  readonly integration: Json;
}

type Step = (world: World) => Promise<readonly Reply[]>;

/** Few numbers, so that calls, imports and contacts meet. */
const phone = ({ random }: World): string => `+1415555${String(100 + random.below(60)).padStart(4, '0')}`;
const word = ({ random }: World): string => random.letters(5);
const one = (reply: Reply, into?: string[]): Reply[] => {
  if (into && reply.status === 201) into.push(reply.body.data.id);
  return [reply];
};

const STEPS: readonly (readonly [weight: number, step: Step])[] = [
  [
    8,
    async (world) =>
      one(
        await world.owner.call('POST', '/contacts', {
          phone_number: phone(world),
          tags: [world.random.pick(['a', 'b'])],
        }),
        world.contacts,
      ),
  ],
  [
    6,
    async (world) =>
      one(
        await world.owner.call('PATCH', `/contacts/${world.random.pick(world.contacts)}`, {
          first_name: word(world),
          ...(world.random.chance(0.2) && { phone_number: phone(world) }),
        }),
      ),
  ],
  [
    3,
    async ({ owner, random, contacts }) =>
      one(await owner.call('DELETE', `/contacts/${random.pick(contacts)}`)),
  ],
  [
    2,
    async (world) =>
      one(
        await world.service.post(
          `/hooks/contacts/${world.integration.id}`,
          { phone_number: phone(world), crm_ids: { hubspot: word(world) } },
          { key: world.integration.secret },
        ),
      ),
  ],
  [
    2,
    async ({ owner, random, contacts }) => {
      const ids = [random.pick(contacts), random.pick(contacts)];
      const job = { action: 'tag', selection: { ids }, add: [random.pick(['c', 'd'])] };
      const reply = await owner.call('POST', '/bulk-jobs', job);
      if (reply.status === 201) await waitForBulkJob(owner, reply.body.data.id);
      return one(reply);
    },
  ],
  [
    3,
    async ({ owner, random, contacts, merges }) => {
      const ids = { survivor_id: random.pick(contacts), other_ids: [random.pick(contacts)] };
      const plan = await owner.call('POST', '/merges', { ...ids, dry_run: true });
      if (plan.status !== 200) return one(plan);
      return one(
        await owner.call('POST', '/merges', { ...ids, plan_token: plan.body.data.plan_token }),
        merges,
      );
    },
  ],
  [
    2,
    async ({ owner, random, merges }) =>
      merges.length === 0 ? [] : one(await owner.call('POST', `/merges/${random.pick(merges)}/undo`)),
  ],
  [
    3,
    async (world) =>
      one(
        await world.owner.call('POST', '/agents', { name: word(world), instructions: word(world) }),
        world.agents,
      ),
  ],
  [
    5,
    async (world) =>
      one(
        await world.owner.call('PATCH', `/agents/${world.random.pick(world.agents)}`, {
          ...(world.random.chance(0.5) && { name: word(world) }),
          ...(world.random.chance(0.7) && { instructions: word(world) }),
        }),
      ),
  ],
  [
    5,
    async ({ owner, random, agents }) =>
      one(
        await owner.call(
          'POST',
          `/agents/${random.pick(agents)}/versions/v${1 + random.below(3)}/deploy`,
          {},
        ),
      ),
  ],
  [1, async ({ owner, random, agents }) => one(await owner.call('DELETE', `/agents/${random.pick(agents)}`))],
  [
    2,
    async (world) => {
      const reply = await world.owner.call('POST', '/channels', {
        kind: 'phone',
        name: word(world),
        address: '+14155559999',
      });
      world.channels.push(reply.body.data);
      return [reply];
    },
  ],
  [
    4,
    async ({ owner, random, channels, agents }) =>
      one(
        await owner.call('PUT', `/channels/${random.pick(channels).id}/agent`, {
          agent_id: random.pick(agents),
        }),
      ),
  ],
  [
    2,
    async (world) =>
      one(
        await world.owner.call('PATCH', `/channels/${world.random.pick(world.channels).id}`, {
          name: word(world),
        }),
      ),
  ],
  [
    1,
    async ({ owner, random, channels }) =>
      one(await owner.call('DELETE', `/channels/${random.pick(channels).id}/agent`)),
  ],
  [
    0.3,
    async ({ owner, random, channels }) =>
      one(await owner.call('DELETE', `/channels/${random.pick(channels).id}`)),
  ],
  [
    12,
    async (world) =>
      one(
        await sendEvent(world.service, world.random.pick(world.channels), {
          type: 'call',
          provider_id: `call ${world.random.below(40)}`,
          direction: world.random.pick(['inbound', 'outbound']),
          number: phone(world),
          status: world.random.pick(['ringing', 'in_progress', 'completed']),
        }),
      ),
  ],
  [
    3,
    async (world) =>
      one(
        await world.owner.call('POST', '/campaigns', {
          name: word(world),
          agent_id: world.random.pick(world.agents),
          status: 'active',
        }),
        world.campaigns,
      ),
  ],
  [
    3,
    async (world) =>
      one(
        await world.owner.call('PATCH', `/campaigns/${world.random.pick(world.campaigns)}`, {
          status: world.random.pick(['active', 'active', 'paused']),
          ...(world.random.chance(0.3) && { agent_id: world.random.pick(world.agents) }),
        }),
      ),
  ],
  [
    5,
    async ({ owner, random, campaigns, contacts }) =>
      one(
        await owner.call(
          'POST',
          `/campaigns/${random.pick(campaigns)}/enrollments`,
          random.chance(0.5)
            ? { tag: random.pick(['a', 'b', 'c']) }
            : { contact_ids: [random.pick(contacts)] },
        ),
      ),
  ],
  [
    6,
    async ({ dialer, random, campaigns, claims }) => {
      const campaign = random.pick(campaigns);
      const reply = await dialer.claim(campaign, { limit: 1 + random.below(3) });
      for (const { claim_id, contact } of reply.body.data?.claims ?? []) {
        claims.push({ campaign, contact: contact.id, claim_id });
      }
      return [reply];
    },
  ],
  [
    6,
    async ({ dialer, random, claims }) => {
      const claim = random.pick(claims);
      if (!claim) return [];
      const { campaign, contact, claim_id } = claim;
      const status = random.pick(['completed', 'failed', 'pending']);
      return [await dialer.report(campaign, contact, { claim_id, status, outcome: random.letters(3) })];
    },
  ],
  [
    2,
    async ({ owner, random, campaigns, contacts }) =>
      one(
        await owner.call(
          'DELETE',
          `/campaigns/${random.pick(campaigns)}/enrollments/${random.pick(contacts)}`,
        ),
      ),
  ],
  [
    0.5,
    async (world) => {
      const rows = Array.from({ length: 5 }, () => `${phone(world)},${word(world)}`);
      const { id } = await planCsv(world.owner, ['Phone,First name', ...rows].join('\n'), {
        on_existing: 'overwrite',
      });
      await applyImport(world.owner, id);
      if (world.random.chance(0.5)) await undoImport(world.owner, id);
      return [];
    },
  ],
];

const TOTAL = STEPS.reduce((sum, [weight]) => sum + weight, 0);

const pickStep = (random: Random): Step => {
  let rest = random.next() * TOTAL;
  for (const [weight, step] of STEPS) {
    rest -= weight;
    if (rest < 0) return step;
  }
  return pickStep(random);
};

/** All records, as the API returns them. */
const readRecords = async ({ request }: CheckedUser): Promise<Record<MirroredKind, Json[]>> => {
  const list = async (path: string): Promise<Json[]> => {
    const all: Json[] = [];
    for (;;) {
      const page = await request('GET', `${path}?limit=100&offset=${all.length}`);
      all.push(...page);
      if (page.length < 100) return all;
    }
  };
  const each = async (path: string) =>
    Promise.all((await list(path)).map(({ id }) => request('GET', `${path}/${id}`)));
  const campaign = await each('/campaigns');
  const enrollment: Json[] = [];
  for (const { id } of campaign) enrollment.push(...(await list(`/campaigns/${id}/enrollments`)));
  return {
    contact: await each('/contacts'),
    agent: await each('/agents'),
    channel: await each('/channels'),
    call: await each('/calls'),
    campaign,
    enrollment,
  };
};

/** Makes random changes while a mirror follows the feed, and compares the mirror with the service at the end. A second mirror
 *  reads the feed from its beginning, when snapshots of deleted contacts are erased. */
export const compareMirror = async (
  service: TestService,
  { operations, seed }: { operations: number; seed: string },
): Promise<Record<string, number>> => {
  const random = new Random(seed);
  const owner = await checkedUser(service, await signedInUser(service));
  const mirror = new EventMirror();
  const follower = await followEvents(owner, 7);
  const world: World = {
    service,
    owner,
    dialer: await campaignApi(service),
    random,
    contacts: [],
    agents: [],
    campaigns: [],
    channels: [],
    claims: [],
    merges: [],
    integration: await owner.request('POST', '/integrations', { name: 'CRM' }, 201),
  };
  // One record of each kind, so that every step has one to work on.
  world.contacts.push((await owner.request('POST', '/contacts', { phone_number: phone(world) }, 201)).id);
  world.agents.push((await owner.request('POST', '/agents', { name: 'Ann', instructions: 'Hi.' }, 201)).id);
  await owner.request('POST', `/agents/${world.agents[0]}/versions/v1/deploy`, {});
  const channel = { kind: 'phone', name: 'Line', address: '+14155559999' };
  world.channels.push(await owner.request('POST', '/channels', channel, 201));
  const campaign = { name: 'Spring', agent_id: world.agents[0], status: 'active' };
  world.campaigns.push((await owner.request('POST', '/campaigns', campaign, 201)).id);
  for (let count = 0; count < operations; count++) {
    for (const reply of await pickStep(random)(world)) assert.ok(reply.status < 500, reply.text);
    if (count % 20 === 0) for (const event of await follower.next()) mirror.apply(event);
  }
  for (const event of await follower.next()) mirror.apply(event);
  const late = new EventMirror();
  for (let after = ''; ; ) {
    const page = await owner.request('GET', `/events?limit=500${after && `&after=${after}`}`);
    for (const event of page.events) late.apply(event);
    after = page.after;
    if (!page.has_more) break;
  }
  const records = await readRecords(owner);
  for (const [kind, found] of Object.entries(records) as [MirroredKind, Json[]][]) {
    const expected = comparableRecords(kind, found);
    assert.deepEqual(mirror.all(kind), expected, `${kind}, seed ${seed}`);
    assert.deepEqual(late.all(kind), expected, `${kind} from the beginning, seed ${seed}`);
  }
  return Object.fromEntries(Object.entries(records).map(([kind, found]) => [kind, found.length]));
};
