import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { blockCounts } from '../../src/db/deep-pagination.ts';
import { sqliteCompiler } from '../../src/db/sqlite/dialect.ts';
import { phrase } from '../../src/db/sqlite/search/planner.ts';
import { plannedStatements } from '../../src/db/sqlite/search/statements.ts';
import type { Statement, Value } from '../../src/db/statement.ts';
import { findAgent, listAgentRows } from '../../src/features/agents/agent.store.ts';
import { selectCallsOfContactsForUpdate } from '../../src/features/calls/call.store.ts';
import { deleteOfContacts } from '../../src/features/campaigns/enrollment.store.ts';
import * as lists from '../../src/features/contacts/contact.lists.ts';
import * as contacts from '../../src/features/contacts/contact.store.ts';
import { holdersOf } from '../../src/features/contacts/identity.store.ts';
import { contactList } from '../../src/features/contacts/list.store.ts';
import * as importRows from '../../src/features/imports/row.store.ts';
import { findKeyByHash } from '../../src/features/workspaces/key.store.ts';
import type { TestDatabase } from '../kit/database/engines.ts';
import { largeDatabases } from '../kit/fixtures/large-workspace.ts';

const searches = {
  plain: lists.searchOf(contactList.plan([], 'newest')),
  tagged: lists.searchOf(contactList.plan([{ filter: 'tag', value: 'rare' }], 'newest')),
};

type Values = Record<string, Value>;
// biome-ignore lint/suspicious/noExplicitAny: whatever a statement takes
type AnyStatement = Statement<any, unknown>;

const page = { limit: 20, offset: 0 };
const needle = (text: string, phone: string | null = null) => {
  const query = `{text} : ${phrase(text)}${phone === null ? '' : ` OR {phone} : ${phrase(phone)}`}`;
  return { text: query, phone: null };
};

describe('Query plans on SQLite', () => {
  let database: TestDatabase;
  let workspace: number;
  before(async () => {
    ({ database, workspace } = await largeDatabases.sqlite());
  });
  after(() => database?.drop());

  const planOf = async (statement: AnyStatement, values: Values): Promise<string[]> => {
    const { sql, order } = statement.textFor(sqliteCompiler);
    const args: Values = { workspace, ...values };
    const rows = await database.query(
      `explain query plan ${sql}`,
      ...order.map((name) => args[name] as Value),
    );
    return rows.map(({ detail }) => String(detail));
  };

  /** The steps that read tables. Asserts that none scans a whole table. */
  const tableSteps = (plan: readonly string[]): string[] => {
    const steps = plan.filter((step) => /^(SEARCH|SCAN) /.test(step));
    for (const step of steps) {
      assert.match(
        step,
        /^SEARCH |^SCAN (CONSTANT ROW$|page$|found$|tagged$|scanned$|indexed$|every$|contacts_search VIRTUAL)/,
        plan.join('\n'),
      );
    }
    return steps.filter(
      (step) => !/^SCAN (CONSTANT ROW|page|found|tagged|scanned|indexed|every)$/.test(step),
    );
  };
  const sorts = (plan: readonly string[]) => plan.filter((step) => /TEMP B-TREE/.test(step));

  const COUNTER_LOOKUP = 'SEARCH tallies USING PRIMARY KEY (workspace_id=? AND list=?)';
  const BY_SEQ =
    /^SEARCH (contacts) USING INDEX sqlite_autoindex_contacts_\d \(workspace_id=\? AND seq=\?\)$/;

  it('The first page scans the list backwards without a sort', async () => {
    const plan = await planOf(lists.listAll, { ...page, below: 15_000, list: 'contacts' });
    const [total, rows, ...rest] = tableSteps(plan);
    assert.equal(total, COUNTER_LOOKUP);
    assert.match(
      String(rows),
      /^SEARCH contacts USING INDEX sqlite_autoindex_contacts_2 \(workspace_id=\? AND seq<\?\)$/,
    );
    assert.deepEqual(rest, []);
    assert.deepEqual(sorts(plan), []);
  });

  it('Position blocks are one range scan of the counters', async () => {
    const plan = await planOf(blockCounts, { prefix: 'contacts#0/', end: 'contacts#00', length: 11 });
    assert.deepEqual(plan, ['SEARCH tallies USING PRIMARY KEY (workspace_id=? AND list>? AND list<?)']);
  });

  it('A tag page scans that tag and looks up each of its contacts', async () => {
    const plan = await planOf(lists.listTagged, { ...page, tag: 'rare', list: 'contacts:rare' });
    const [total, tags, rows, ...rest] = tableSteps(plan);
    assert.equal(total, COUNTER_LOOKUP);
    assert.equal(tags, 'SEARCH contact_tags USING PRIMARY KEY (workspace_id=? AND tag=?)');
    assert.match(String(rows), BY_SEQ);
    assert.deepEqual(rest, []);
    assert.deepEqual(sorts(plan), []);
  });

  it('A search of three characters or more uses the trigram index', async () => {
    for (const [text, phone] of [
      ['unique777', null],
      ['777', '777'],
    ] as const) {
      const plan = await planOf(searches.plain.indexed, {
        ...page,
        ...needle(text, phone),
      });
      const steps = tableSteps(plan);
      assert.equal(
        steps.filter((step) => /^SCAN contacts_search VIRTUAL TABLE INDEX \d+:.*M/.test(step)).length,
        2,
      );
      assert.equal(steps.filter((step) => BY_SEQ.test(step)).length, 1);
      assert.equal(steps.length, 3);
    }
  });

  it('A search with a tag looks up each match among the tags', async () => {
    const plan = await planOf(searches.tagged.indexed, {
      ...page,
      ...needle('unique777'),
      tag: 'rare',
    });
    const steps = tableSteps(plan);
    assert.equal(steps.filter((step) => /^SCAN contacts_search VIRTUAL/.test(step)).length, 2);
    const tags = steps.filter((step) => /contact_tags/.test(step));
    assert.ok(tags.length >= 1);
    for (const step of tags) assert.match(step, /PRIMARY KEY \(workspace_id=\? AND tag=\? AND seq=\?\)$/);
  });

  it('A short search reads only the rows of its workspace', async () => {
    const plan = await planOf(searches.plain.scanned, { ...page, text: 'ad', phone: null });
    for (const step of tableSteps(plan)) assert.match(step, /^SEARCH contacts .*\(workspace_id=\?/);
  });

  it('A search by a rare n-gram looks up each match of the index', async () => {
    const plan = await planOf(plannedStatements(searches.plain).narrowed, {
      ...page,
      text: 'unique777',
      phone: null,
      query: '{text} : "777"',
    });
    const steps = tableSteps(plan);
    assert.equal(
      steps.filter((step) => /^SCAN contacts_search VIRTUAL TABLE INDEX \d+:.*M/.test(step)).length,
      1,
    );
    const rows = steps.filter((step) => /contacts USING/.test(step));
    assert.ok(rows.length >= 1);
    for (const step of rows) assert.match(step, BY_SEQ);
  });

  it('A search by counted n-grams scans from the end and reads the contacts added since', async () => {
    const counted = {
      ...page,
      text: 'ad',
      phone: null,
      query: '{text} : "ada"',
      count: 1,
      countedUpTo: 9,
      above: 9,
    };
    for (const [statement, asks] of [
      [plannedStatements(searches.plain).countedByScan, 0],
      [plannedStatements(searches.plain).countedByIndex, 1],
    ] as const) {
      const steps = tableSteps(await planOf(statement, counted));
      const isAsking = (step: string) => /^SCAN contacts_search VIRTUAL TABLE INDEX \d+:.*M/.test(step);
      assert.equal(steps.filter(isAsking).length, asks);
      const above = steps.filter((step) => /\(workspace_id=\? AND seq>\?\)$/.test(step));
      assert.equal(above.length, 2, 'the page and the total');
      assert.equal(steps.filter((step) => BY_SEQ.test(step)).length, 1);
      assert.equal(steps.length, 3 + asks);
    }
  });

  it('Single records are found by a complete key', async () => {
    const id = 'contact_0';
    const expected: [AnyStatement, Values, RegExp][] = [
      [contacts.findContact, { id }, /^SEARCH contacts .*\(workspace_id=\? AND id=\?\)$/],
      [contacts.selectContactForUpdate, { id }, /^SEARCH contacts .*\(workspace_id=\? AND id=\?\)$/],
      [
        contacts.findContactByIdentity,
        { identity: '+1' },
        /^SEARCH contacts .*\(workspace_id=\? AND phone_identity=\?\)$/,
      ],
      [findKeyByHash, { hash: '0' }, /^SEARCH keys .*\(workspace_id=\? AND hash=\?\)$/],
    ];
    for (const [statement, values, step] of expected) {
      const steps = tableSteps(await planOf(statement, values));
      assert.equal(steps.length, 1);
      assert.match(String(steps[0]), step);
    }
    for (const step of tableSteps(await planOf(findAgent, { id }))) {
      assert.match(step, /^SEARCH (a|d|v) .*\(workspace_id=\? AND (id|agent_id)=\?/);
    }
  });

  it('The agent list scans agents that are not deleted without a sort', async () => {
    const plan = await planOf(listAgentRows, { ...page, list: 'agents' });
    const [total, rows, ...rest] = tableSteps(plan);
    assert.equal(total, COUNTER_LOOKUP);
    assert.equal(rows, 'SEARCH agents USING INDEX agents_listed (workspace_id=?)');
    assert.deepEqual(rest, []);
    assert.deepEqual(sorts(plan), []);
  });

  it('Several contacts are looked up one by one by their keys', async () => {
    const looked = async (statement: AnyStatement) =>
      (await planOf(statement, { keys: '["a"]' })).filter((step) => /^(SEARCH|SCAN) contacts\b/.test(step));
    for (const [statement, found] of [
      [contacts.selectByIdsForUpdate, /_contacts_1 \(workspace_id=\? AND id=\?\)$/],
      [holdersOf, /_contacts_3 \(workspace_id=\? AND phone_identity=\?\)$/],
      [contacts.idsOfDisplayed, /contacts_without_identity \(workspace_id=\? AND phone_number=\?\)$/],
    ] as const) {
      const [step = '', ...rest] = await looked(statement);
      assert.match(step, found);
      assert.deepEqual(rest, []);
    }
  });

  it('Calls and enrollments of deleted contacts are found by contact and number', async () => {
    const keys = { contacts: '["a"]', identities: '["b"]' };
    for (const [statement, ranges] of [
      [selectCallsOfContactsForUpdate, ['id', 'contact_id', 'number_identity']],
      [deleteOfContacts, ['contact_id']],
    ] as const) {
      const plan = await planOf(statement, keys);
      const found = plan.flatMap((step) => /\(workspace_id=\?(?: AND (\w+)=\?)?\)$/.exec(step)?.[1] ?? []);
      assert.deepEqual(found, ranges, plan.join('\n'));
      assert.equal(plan.filter((step) => /^SEARCH /.test(step)).length, ranges.length, plan.join('\n'));
    }
  });

  it('Import rows are found by row number, identity and contact', async () => {
    const row = { id: 'import', before: 5, keys: '["a"]' };
    for (const [statement, index] of [
      [importRows.importedByIdentity, 'import_rows_by_identity'],
      [importRows.importedByContact, 'import_rows_of_contact'],
      [importRows.importedByCrmId, 'import_rows_by_crm_id'],
      [importRows.numbersOfContacts, 'import_rows_of_contact'],
      [importRows.importsOfNumbers, 'import_rows_by_identity'],
      [importRows.eraseNumber, 'import_rows_by_identity'],
      [importRows.listings.reason, 'import_rows_by_code'],
      [importRows.nextReportRows.reason, 'import_rows_by_code'],
      [importRows.nextReportRows.verdict, 'import_rows_by_verdict'],
    ] as const) {
      const plan = await planOf(statement, row);
      assert.ok(
        plan.some((step) => step.startsWith(`SEARCH import_rows USING INDEX ${index} `)),
        plan.join(),
      );
    }
    const [step = ''] = await planOf(importRows.nextToApply, { id: 'import', after: 5, until: 10 });
    assert.match(step, /import_rows_1 \(workspace_id=\? AND import_id=\? AND number>\? AND number<\?\)$/);
  });
});
