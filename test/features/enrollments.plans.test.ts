import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sqliteCompiler } from '../../src/db/sqlite/dialect.ts';
import { walkSearch, walks } from '../../src/features/contacts/contact.lists.ts';
import { contactList } from '../../src/features/contacts/list.store.ts';
import type { View } from '../../src/records/list.declaration.ts';
import { engines } from '../kit/database/engines.ts';
import { startTestService, type TestService } from '../kit/service/test-service.ts';

/** PostgreSQL's plans depend on the number of rows, SQLite's only on the statement. */
describe('Query plans of selections on SQLite', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService(await engines.sqlite());
  });
  after(async () => {
    await service.stop();
    await service.database.drop();
  });

  // test/db/plans.lists.test.ts has the plans of filters.
  const planOf = (filters: Record<string, string>) =>
    contactList.plan(
      Object.entries(filters).map(([filter, value]) => ({ filter, value })),
      'oldest',
    );
  const statements = Object.entries(walks).flatMap(([kind, walk]) => {
    const view = walk as View<unknown>;
    const over = (filters: Record<string, string>) =>
      contactList.pageStatement(planOf(filters), view, { isAfter: true });
    const searches = {
      plain: walkSearch(view, planOf({})),
      filtered: walkSearch(view, planOf({ company: 'x' })),
    };
    return [
      { kind, name: 'all', statement: over({}) },
      { kind, name: 'tagged', statement: over({ tag: 'x' }) },
      ...Object.entries(searches).flatMap(([name, { indexed, scanned }]) => [
        { kind, name: `an indexed ${name} search`, statement: indexed },
        { kind, name: `a scanned ${name} search`, statement: scanned },
      ]),
    ];
  });
  assert.equal(statements.length, 12);
  for (const { kind, name, statement } of statements) {
    test(`${kind} of ${name} looks each contact up by its seq and sorts nothing`, async () => {
      const { sql, order } = statement.textFor(sqliteCompiler);
      const steps = await service.database.query(`explain query plan ${sql}`, ...order.map(() => 1));
      const details = steps.map(({ detail }) => String(detail));
      const lookup = /^SEARCH contacts .*\(workspace_id=\? AND seq=\?\)$/;
      const [found, looked] = [
        details.indexOf('SCAN found'),
        details.findLastIndex((step) => lookup.test(step)),
      ];
      assert.ok(found !== -1 && found < looked, details.join('\n'));
      // The search index is read from where the last step ended, in the order of its rowids (64).
      const index = details.find((step) => step.startsWith('SCAN contacts_search'));
      if (name.startsWith('an indexed')) assert.match(index ?? '', /VIRTUAL TABLE INDEX 64:\w+><$/);
      assert.ok(!details.slice(0, found).some((step) => /TEMP B-TREE/.test(step)), details.join('\n'));
    });
  }
});
