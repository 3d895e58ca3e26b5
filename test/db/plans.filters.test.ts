import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client } from 'pg';
import type { Db } from '../../src/db/db.ts';
import { sqliteCompiler } from '../../src/db/sqlite/dialect.ts';
import type { Arguments, Statement, Value } from '../../src/db/statement.ts';
import type { Storage } from '../../src/db/storage.ts';
import { sortedRows } from '../../src/features/contacts/contact.lists.ts';
import { type ContactQuery, listSorts } from '../../src/features/contacts/contact.schema.ts';
import { conditionsOfTree } from '../../src/features/contacts/filter.conditions.ts';
import {
  countsOf,
  fieldRangesOf,
  foundPlan,
  isByPosition,
  pageByPosition,
  planContacts,
} from '../../src/features/contacts/filter.ranges.ts';
import type { FilterTree } from '../../src/features/contacts/filter.tree.ts';
import { listSorted } from '../../src/features/contacts/list.service.ts';
import { contactList } from '../../src/features/contacts/list.store.ts';
import { COMMAND_LINE } from '../../src/records/change.ts';
import { registerContributions } from '../../src/wiring/handlers.ts';
import type { TestDatabase } from '../kit/database/engines.ts';
import { explainPostgres } from '../kit/database/plans.ts';
import { openTestStorage } from '../kit/database/workspaces.ts';
import { largeDatabases } from '../kit/fixtures/large-workspace.ts';
import type { Json } from '../kit/service/test-service.ts';

registerContributions();

/** Every contact has a plan: one of 500 is `rare`. */
const fillFields = async ({ query }: TestDatabase, workspace: number) => {
  await query(`insert into contact_fields (workspace_id, key, label, type, filterable, indexed, created_at, updated_at)
    values (${workspace}, 'plan', 'Plan', 'text', 1, 1, '', '')`);
  const plan = `case when seq % 500 = 0 then 'rare' else 'common' end`;
  await query(
    `update contacts set fields = '{"plan":"' || ${plan} || '"}' where workspace_id = ${workspace}`,
  );
  await query(`insert into contact_field_values (workspace_id, field, value, seq)
    select workspace_id, 'plan', ${plan}, seq from contacts where workspace_id = ${workspace}`);
};

const is = (attribute: string, op: string, value: unknown) => ({ attribute, op, value }) as FilterTree;
const rare = is('fields.plan', 'eq', 'rare');
const trees: Record<string, FilterTree> = {
  'a value': rare,
  'some values': is('fields.plan', 'in', ['rare', 'other']),
  'some numbers': is('fields.score', 'in', [7, 8.5]),
  'a range of numbers': { all: [is('fields.score', 'gt', 7), is('fields.score', 'lte', 8)] },
  'days from today': is('fields.renewal', 'within_next', 'P30D'),
  'a value and a tag': { all: [rare, is('tag', 'eq', 'x')] },
  'a value and a country': { all: [rare, is('phone_country', 'eq', 'GB')] },
  'a value and no recent call': { all: [rare, { not: is('last_activity_at', 'within_last', 'P7D') }] },
  'a country': is('phone_country', 'eq', 'GB'),
  'a value or a country': { any: [rare, is('phone_country', 'in', ['GB', 'DE'])] },
  'two fields': { all: [rare, is('fields.score', 'gte', 7)] },
  'a value with a tag or days': {
    any: [{ all: [rare, is('tag', 'eq', 'x')] }, is('fields.renewal', 'within_next', 'P30D')],
  },
  'one of two fields': { any: [rare, is('fields.renewal', 'within_next', 'P30D')] },
};
const definition = { label: '', options: null, filterable: true, indexed: true, archived_at: null };
const times = { created_at: '', updated_at: '' };
const fields = new Map(
  (['text', 'number', 'date'] as const).map((type) => {
    const key = { text: 'plan', number: 'score', date: 'renewal' }[type];
    return [key, { ...definition, ...times, key, type }] as const;
  }),
);
const orders = ['newest', 'oldest', ...listSorts];
const plans = Object.entries(trees).flatMap(([name, tree]) => {
  const conditions = conditionsOfTree(tree, { fields, now: '2026-11-18T12:00:00.000Z', zone: 'UTC' });
  const tags = conditions.filter((each) => 'filter' in each && each.filter === 'tag');
  const ranges = [
    ...fieldRangesOf(conditions, fields),
    ...tags.map((tag) => ({ found: tag, applied: [tag] })),
  ];
  const chosen = name === 'a value' ? orders : ['newest', 'name'];
  return chosen.map((order) => [`${name}, ${order}`, foundPlan(conditions, order, ranges)] as const);
});
const statements: (readonly [string, Statement<never, unknown>, Arguments])[] = plans.flatMap(
  ([name, plan]) => [
    ...(isByPosition(plan)
      ? [[`page by position of ${name}`, pageByPosition(plan), plan.args]]
      : [
          [`page of ${name}`, contactList.pageStatement(plan, sortedRows), plan.args],
          [`next page of ${name}`, contactList.pageStatement(plan, sortedRows, { isAfter: true }), plan.args],
        ]),
    [`bounded count of ${name}`, countsOf(plan), plan.args],
  ],
) as never;

const hasValues = (name: string) => !/of a country/.test(name);

const argsOf = (workspace: number, args: Arguments): Record<string, Value> => ({
  ...{ workspace, key: 'z', seq: 10_000, limit: 101, offset: 0, few: 2_000 },
  ...args,
});

/** Walks a list and returns its contacts and the headers' totals. */
const walk = async (storage: Storage, workspace: number, query: object) => {
  const found: Json[] = [];
  const pages: { total: number; isCapped: boolean }[] = [];
  let cursor: string | undefined;
  do {
    const page = await storage.run(listSorted, { workspace, actor: COMMAND_LINE }, {
      ...query,
      limit: 100,
      ...(cursor && { cursor }),
    } as ContactQuery);
    found.push(...JSON.parse(`[${page.json}]`));
    pages.push({ total: page.total, isCapped: page.isCapped });
    cursor = page.next;
  } while (cursor);
  return { found, pages };
};

it('Named contacts are read by their ids, whatever filter they must meet', async () => {
  const tree = { all: [rare, is('tag', 'eq', 'x')] };
  const matching = conditionsOfTree(tree, { fields, now: '2026-11-18T12:00:00.000Z', zone: 'UTC' });
  const conditions = [{ filter: 'ids', value: '["con_1"]' }, ...matching];
  const list = { conditions, ranges: fieldRangesOf(matching, fields), order: 'oldest' };
  const unused = undefined as unknown as Db;
  const { range, others } = await planContacts(unused, 1, list);
  assert.deepEqual([range.by, others.length], ['ids', 2]);
});

it('The pages of a list have one order, whichever of its ranges have few contacts', () => {
  const context = { fields, now: '2026-11-18T12:00:00.000Z', zone: 'UTC' };
  const tree = { all: [rare, is('tag', 'eq', 'x'), is('source', 'eq', 'api')] };
  const conditions = conditionsOfTree(tree, context);
  const [tag] = conditions.filter((each) => 'filter' in each && each.filter === 'tag');
  assert.ok(tag);
  const ranges = [...fieldRangesOf(conditions, fields), { found: tag, applied: [tag] }];
  const both = foundPlan(conditions, 'newest', ranges);
  const one = foundPlan(conditions, 'newest', ranges.slice(0, 1));
  assert.deepEqual([both.range.keys, one.range.keys], [undefined, undefined]);
  assert.deepEqual([both.others.length, one.others.length], [1, 2]);
});

for (const engine of ['sqlite', 'postgres'] as const)
  describe(`Lists by the values of a field on ${engine}`, () => {
    let database: TestDatabase;
    let workspace: number;
    let client: Client | undefined;
    let storage: Storage;
    before(async () => {
      ({ database, workspace } = await largeDatabases[engine]());
      await fillFields(database, workspace);
      storage = await openTestStorage(database);
      if (engine === 'sqlite') return;
      client = new Client({ connectionString: database.url });
      await client.connect();
      await client.query('vacuum analyze contacts');
      await client.query('vacuum analyze contact_field_values');
    });
    after(async () => {
      await client?.end();
      await storage?.close();
      await database?.drop();
    });

    for (const [name, statement, args] of statements)
      it(`The ${name} reads ranges of values, and contacts by their position`, async () => {
        const values = argsOf(workspace, args);
        if (client) {
          for (const { nodes, text } of await explainPostgres(client, statement as never, values)) {
            const isRead = (index: string, column: RegExp) =>
              nodes.some((node) => node['Index Name'] === index && column.test(String(node['Index Cond'])));
            assert.equal(isRead('contact_field_values_pkey', /value/), hasValues(name), text);
            assert.equal(
              isRead('contacts_by_number', /phone_identity >= .*phone_identity </),
              /country/.test(name),
              text,
            );
            for (const node of nodes)
              if (node['Relation Name'] === 'contacts' && node['Index Name'] !== 'contacts_by_number') {
                assert.equal(node['Index Name'], 'contacts_workspace_id_seq_key', text);
                assert.match(String(node['Index Cond']), /seq = /, text);
              }
          }
          return;
        }
        const { sql, order } = statement.textFor(sqliteCompiler);
        const rows = await database.query(
          `explain query plan ${sql}`,
          ...order.map((each) => values[each] as Value),
        );
        const text = rows.map(({ detail }) => String(detail)).join('\n');
        for (const line of text.split('\n'))
          if (line.includes('contact_field_values'))
            assert.match(line, /SEARCH .* USING PRIMARY KEY \(workspace_id=\? AND field=\? AND value[>=]/);
          else if (/phone_identity/.test(line))
            assert.match(
              line,
              /^SEARCH contacts .*\(workspace_id=\? AND phone_identity>\? AND phone_identity<\?\)/,
            );
          else if (/contacts/.test(line))
            assert.match(line, /^SEARCH contacts .*\(workspace_id=\? AND seq=\?\)/);
        assert.equal(/contact_field_values/.test(text), hasValues(name), text);
        assert.equal(/phone_identity/.test(text), /country/.test(name), text);
        // Conditions that the indexes meet read no contact besides those of the page.
        const reads = text.split('\n').filter((line) => /^SEARCH contacts .*seq=/.test(line));
        if (name.startsWith('page by position')) assert.equal(reads.length, 1, text);
      });

    it('A list of a rare and of a common value has every contact once, and says whether its total is exact', async () => {
      const [{ count }] = (await database.query(
        `select count(*) as count from contacts where workspace_id = ${workspace}`,
      )) as [Json];
      const [{ rare }] = (await database.query(
        `select count(*) as rare from contacts where workspace_id = ${workspace} and seq % 500 = 0`,
      )) as [Json];
      for (const sort of [undefined, 'name', '-updated_at']) {
        const few = await walk(storage, workspace, {
          sort,
          filter: { attribute: 'fields.plan', op: 'eq', value: 'rare' },
        });
        assert.equal(new Set(few.found.map(({ id }) => id)).size, Number(rare));
        assert.equal(few.found.length, Number(rare));
        for (const page of few.pages) assert.deepEqual(page, { total: Number(rare), isCapped: false });
      }
      const many = await walk(storage, workspace, {
        filter: { attribute: 'fields.plan', op: 'ne', value: 'rare' },
      });
      assert.equal(many.found.length, Number(count) - Number(rare));
      for (const { total, isCapped } of many.pages) {
        assert.equal(isCapped, Number(count) > 10_000);
        assert.ok(isCapped ? total < many.found.length : total === many.found.length);
      }
    });
  });
