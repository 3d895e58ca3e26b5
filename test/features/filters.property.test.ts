import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Storage } from '../../src/db/storage.ts';
import { createAgent } from '../../src/features/agents/agent.service.ts';
import { createCampaign } from '../../src/features/campaigns/campaign.service.ts';
import { enrollContacts } from '../../src/features/campaigns/enrollment.service.ts';
import { tagCounter } from '../../src/features/contacts/contact.derived.ts';
import { walkContacts } from '../../src/features/contacts/contact.export.ts';
import {
  type ContactQuery,
  type FilterQuery,
  listSorts,
} from '../../src/features/contacts/contact.schema.ts';
import { filterTree } from '../../src/features/contacts/filter.tree.ts';
import { filterContacts, listSorted } from '../../src/features/contacts/list.service.ts';
import type { Principal } from '../../src/features/workspaces/principal.ts';
import type { Problem } from '../../src/lib/errors.ts';
import { makeWorkspace, openTestStorage } from '../kit/database/workspaces.ts';
import { type Askable, type FilteredContact, matches, randomFrom, randomTree } from '../kit/filters.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

/** `npm run test:long -- filters` tries 100,000 on each engine. */
const COUNT = Number(process.env.RANDOM_FILTERS ?? 200);
const CONTACTS = 90;
/** Copies of each of the first two contacts. Together they are more than the 2,000 up to which contacts are found by an index, and
 *  those of one are fewer. */
const COPIES = 1_100;
const zone = 'America/St_Johns';
/** Also the days on which clocks change there, around midnight and at the time of the change. */
const NOWS = [
  '2026-03-08T05:29:59.999Z',
  '2026-03-08T12:00:00.000Z',
  '2026-11-01T03:30:00.001Z',
  '2026-11-01T04:45:00.000Z',
  '2026-11-18T02:15:00.500Z',
];

const texts = [
  'Acme',
  'acme',
  'ACME GmbH',
  'Zoë',
  'ZOË',
  'zoe',
  '',
  '100%',
  'a_b',
  'ab',
  'x\\y',
  "O'Brien",
  '李',
  '😀 ok',
  'é',
];
const DAYS = [
  '2026-10-31',
  '2026-11-01',
  '2026-11-18',
  '2026-12-18',
  '2027-01-02',
  '2025-11-18',
  '0001-01-01',
  '9999-12-31',
];
const TIMES = [
  ...NOWS,
  '2026-11-02T04:30:00.000Z',
  '2026-10-31T03:30:00.001Z',
  '9999-12-31T23:59:59.999Z',
  '2026-11-18T02:15:00.501Z',
];
/** No call is later than the last contact. */
const LATER = '2026-11-30T00:00:00.000Z';
const NUMBERS = [0, -0, -1, 1, 12.5, -12.5, 1e15, -1e15, 0.1, 1e-7, 1234567];

const FIELDS = {
  plan: 'enum',
  city: 'text',
  site: 'url',
  score: 'number',
  active: 'boolean',
  renewal: 'date',
  seen: 'datetime',
  fresh: 'text',
} as const;
const OPTIONS = ['gold', 'silver', 'Gold'];
const LONG = 'x'.repeat(1_990);

const askable: Askable = {
  phone_number: ['text', ['+1415555', '+442079460018']],
  phone_country: ['choice', ['US', 'GB', 'DE']],
  ...Object.fromEntries(
    ['name', 'first_name', 'last_name', 'display_name', 'company', 'notes'].map(
      (name) => [name, ['text', texts.filter(Boolean)]] as const,
    ),
  ),
  email: [
    'text',
    ['ada@example.com', 'ADA@Example.com', 'bob@example.com', 'é@example.com', 'É@example.com'],
  ],
  tag: ['choice', ['vip', 'odd', 'VIP', 'none']],
  source: ['choice', ['api', 'import']],
  created_at: ['datetime', TIMES.slice(0, 7)],
  updated_at: ['datetime', TIMES.slice(0, 7)],
  first_contact_at: ['datetime', TIMES.slice(0, 7)],
  last_contact_at: ['datetime', TIMES.slice(0, 7)],
  last_activity_at: ['datetime', TIMES.slice(0, 7)],
  has_email: ['flag', [true, false]],
  has_name: ['flag', [true, false]],
  called: ['flag', [true, false]],
  in_campaign: ['flag', [true, false]],
  call_status: ['choice', ['completed', 'failed']],
  'fields.plan': ['choice', OPTIONS],
  'fields.city': ['text', [...texts.filter(Boolean), `${LONG}a`, `${LONG}b`]],
  'fields.site': ['text', ['https://example.com/a', 'https://example.com/B']],
  'fields.score': ['number', NUMBERS],
  'fields.active': ['boolean', [true, false]],
  'fields.renewal': ['date', DAYS],
  'fields.seen': ['datetime', TIMES],
  'fields.fresh': ['text', texts.filter(Boolean)],
};

onEveryEngine('Random filters of contacts', (service) => {
  let storage: Storage;
  let principal: Principal;
  let contacts: FilteredContact[];
  /** One contact for all copies of each. */
  let copied: FilteredContact[];
  let campaign: string;
  const seed = Number(process.env.SEED ?? Date.now() % 1e9);
  const random = randomFrom(seed);
  const pick = <T>(some: readonly T[]): T => some[random(some.length)] as T;
  const maybe = <T>(some: readonly T[]): T | null => (random(4) === 0 ? null : pick(some));

  before(async () => {
    storage = await openTestStorage(service.database);
    const workspace = await makeWorkspace(storage);
    ({ principal } = workspace);
    const { query } = service.database;
    await query(`update workspaces set time_zone = '${zone}' where id = ${principal.workspace}`);
    for (const [key, type] of Object.entries(FIELDS))
      await query(
        `insert into contact_fields (workspace_id, key, label, type, options, filterable, indexed, created_at, updated_at)
          values (?, ?, ?, ?, ?, 1, ?, '', '')`,
        principal.workspace,
        key,
        key,
        type,
        type === 'enum' ? JSON.stringify(OPTIONS) : null,
        key === 'fresh' ? 0 : 1,
      );
    const valuesOf = {
      plan: OPTIONS,
      city: [...texts, `${LONG}a`, `${LONG}b`],
      site: ['https://example.com/a', 'https://example.com/B'],
      score: NUMBERS,
      active: [true, false],
      renewal: DAYS,
      seen: TIMES,
      fresh: texts,
    };
    const operations = Array.from({ length: CONTACTS }, (_, at) => ({
      op: 'create',
      phone_number: at === 0 ? '+442079460018' : newPhone(),
      ...Object.fromEntries(
        ['first_name', 'last_name', 'display_name', 'company', 'notes'].map((name) => [name, maybe(texts)]),
      ),
      email: maybe(['ada@example.com', 'ADA@example.com', 'bob@example.com', 'é@example.com']),
      tags: at < 2 ? ['vip'] : [...new Set([maybe(['vip', 'odd']), maybe(['VIP', 'odd'])])].filter(Boolean),
      fields: {
        ...Object.fromEntries(
          Object.entries(valuesOf).flatMap(([key, some]) =>
            random(3) === 0 ? [] : [[key, pick<unknown>(some)]],
          ),
        ),
        ...(at < 2 && { plan: 'gold' }),
      },
    }));
    const reply = await service.post('/v1/contacts/batch', { operations }, { key: workspace.key });
    assert.equal(reply.body.data?.created, CONTACTS, reply.text);
    const ids: string[] = reply.body.data.results.map(({ id }: Json) => id);
    let calledTimes = 0;
    for (const id of ids) {
      await query(
        `update contacts set created_at = ?, updated_at = ?, first_contact_at = ?, last_contact_at = ?, source = ? where id = ?`,
        ...[
          pick(TIMES.slice(0, 7)),
          pick(TIMES.slice(0, 7)),
          pick(TIMES.slice(0, 7)),
          LATER,
          pick(['api', 'import']),
          id,
        ],
      );
      for (let call = random(3); call > 0; call--)
        await query(
          `insert into calls (workspace_id, id, seq, channel_id, contact_id, medium, direction, status, provider_id, started_at)
            values (?, ?, ?, 'channel', ?, 'call', 'inbound', ?, ?, ?)`,
          ...[
            principal.workspace,
            `call_${call}_${id}`,
            1_000_000 + ++calledTimes,
            id,
            pick(['completed', 'failed', 'busy']),
            `${call} ${id}`,
            pick(TIMES.slice(0, 5)),
          ],
        );
    }
    const agent = await storage.run(createAgent, principal, { name: 'A', instructions: 'B' } as never);
    const agentId = (agent as Json).id ?? JSON.parse((agent as Json).json).id;
    const made = (await storage.run(createCampaign, principal, {
      name: 'C',
      agent_id: agentId,
    } as never)) as Json;
    campaign = made.id ?? JSON.parse(made.json).id;
    await storage.run(enrollContacts, principal, { campaign, ids: ids.filter((_, at) => at % 3 === 0) });
    const calls = await query('select contact_id, status, started_at from calls');
    contacts = (
      await query(`select * from contacts where workspace_id = ${principal.workspace} order by seq`)
    ).map((row: Json) => ({
      row,
      fields: JSON.parse(row.fields),
      tags: JSON.parse(row.tags),
      calls: calls.filter((call: Json) => call.contact_id === row.id) as never,
      campaigns: ids.indexOf(row.id) % 3 === 0 ? [campaign] : [],
    }));
    assert.equal(contacts.length, CONTACTS);
    copied = contacts.slice(0, 2).map(({ row, fields, tags }) => {
      const own = { phone_number: '+1415555', phone_identity: null };
      return { row: { ...row, ...own }, fields, tags, calls: [], campaigns: [] };
    });
    for (const [at, { row }] of copied.entries()) await copy(row, at);
    if (service.database.database.engine === 'postgres') await query('analyze');
  });

  const idsOfCopies = [0, 1].map((at) => Array.from({ length: COPIES }, (_, n) => `copy_${at}_${n + 1}`));

  /** Writes the copies of a contact, in its lists as well. A number without an identity may be that of many. */
  const copy = async ({ id, seq, ...row }: Json, at: number) => {
    const { workspace } = principal;
    const { query } = service.database;
    const numbers = `(with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${COPIES})
      select n from numbers) as numbers`;
    const copySeq = `${10_000_000 * (at + 1)} + n`;
    const own = {
      phone_number: "'+1415555'",
      phone_identity: 'null',
      wire: `'{"id":"copy_${at}_' || n || '"}'`,
    };
    const others = Object.keys(row).map((name) => own[name as keyof typeof own] ?? name);
    await query(
      `insert into contacts (id, seq, ${Object.keys(row)}) select 'copy_${at}_' || n, ${copySeq}, ${others}
        from contacts cross join ${numbers} where workspace_id = ${workspace} and id = '${id}'`,
    );
    for (const [table, columns] of [
      ['contact_tags', 'workspace_id, tag'],
      ['contact_field_values', 'workspace_id, field, value'],
    ])
      await query(
        `insert into ${table} (${columns}, seq) select ${columns}, ${copySeq}
          from ${table} cross join ${numbers} where workspace_id = ${workspace} and seq = ${seq}`,
      );
    for (const list of ['contacts', tagCounter('vip')])
      await query(
        `update tallies set count = count + ${COPIES} where workspace_id = ${workspace} and list = ?
          and part = (select min(part) from tallies where workspace_id = ${workspace} and list = ?)`,
        list,
        list,
      );
  };
  after(() => storage?.close());

  /** The first contacts that a filter finds, at most `limit`, and how many there are, on each of the ways to its contacts. */
  const ways: ((filter: {
    filter: never;
    now: string;
  }) => Promise<{ ids: string[]; limit: number; total?: number }>)[] = [
    async (filter) => {
      const sort = maybe([...listSorts, 'last_activity_at', '-last_activity_at']) ?? undefined;
      const { json, total } = await storage.run(filterContacts, principal, {
        ...filter,
        sort,
        limit: 100,
      } as FilterQuery);
      return { ids: JSON.parse(`[${json}]`).map(({ id }: Json) => id), limit: 100, total };
    },
    async (filter) => {
      const query = { ...filter, sort: maybe(listSorts) ?? undefined, limit: 7 + random(60) };
      const ids: string[] = [];
      let cursor: string | undefined;
      let total = 0;
      do {
        const page = await storage.run(listSorted, principal, {
          ...query,
          ...(cursor && { cursor }),
        } as ContactQuery);
        ids.push(...JSON.parse(`[${page.json}]`).map(({ id }: Json) => id));
        cursor = page.next;
        total = page.total;
        assert.equal(page.isCapped, false);
      } while (cursor && ids.length < CONTACTS);
      return { ids, limit: cursor ? ids.length : Number.POSITIVE_INFINITY, total };
    },
    async (filter) => {
      const ids: string[] = [];
      for (let from = 0, limit = 40; ; limit = 1_000) {
        const rows = await storage.run(walkContacts, principal, {
          selection: { filter },
          after: from,
          limit,
        });
        ids.push(...rows.map(({ id }) => id));
        if (rows.length < limit) return { ids, limit: Number.POSITIVE_INFINITY };
        from = Number(rows.at(-1)?.seq);
      }
    },
  ];

  it(`${COUNT} filters find exactly the contacts that a plain evaluation finds`, async () => {
    const all: Askable = { ...askable, campaign: ['choice', [campaign, 'campaign_x']] };
    for (let at = 0; at < COUNT; at++) {
      const written = randomTree(random, all);
      const now = pick(NOWS);
      const problems: Problem[] = [];
      const filter = filterTree.read(written, 'filter', problems) as never;
      const about = `seed ${seed}, filter ${at} at ${now}: ${JSON.stringify(written)}`;
      assert.deepEqual(problems, [], about);
      const isFound = (each: FilteredContact) => matches(written, each, { now, zone });
      const expected = new Set([
        ...contacts.filter(isFound).map(({ row }) => row.id),
        ...copied.flatMap((each, kind) => (isFound(each) ? (idsOfCopies[kind] ?? []) : [])),
      ]);
      const { ids, limit, total } = await pick(ways)({ filter, now });
      assert.deepEqual(
        ids.filter((id) => !expected.has(id)),
        [],
        about,
      );
      assert.equal(new Set(ids).size, ids.length, about);
      assert.equal(ids.length, Math.min(expected.size, limit), about);
      if (total !== undefined) assert.equal(total, expected.size, about);
    }
  });
});
