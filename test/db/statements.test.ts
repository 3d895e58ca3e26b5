import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { postgresCompiler } from '../../src/db/postgres/dialect.ts';
import { sqliteCompiler } from '../../src/db/sqlite/dialect.ts';
import '../../src/wiring/routes.ts';
import '../../src/wiring/operations.ts';
import type { Engine } from '../../src/db/dialect.ts';
import { migrations } from '../../src/db/migrations/index.ts';
import { allStatements as definedStatements } from '../../src/db/statement.ts';
import { searchOf } from '../../src/features/contacts/contact.lists.ts';
import { contactList } from '../../src/features/contacts/list.store.ts';
import { allLists } from '../../src/records/list.ts';
import { registerContributions } from '../../src/wiring/handlers.ts';

registerContributions();

/** Each list in each order: all records, those of each filter, and those of all filters. */
const listStatements = allLists.flatMap((list) => {
  const leaves = list.filters.map((filter) => ({ filter, value: '' }));
  const conditions = [[], leaves, [{ any: leaves }], ...leaves.flatMap((leaf) => [[leaf], [{ not: leaf }]])];
  return list.orders.flatMap((order) =>
    conditions.flatMap((some) => {
      const plan = list.plan(some, order);
      const keys = plan.range.keys ?? plan.order.keys ?? ['seq'];
      const isLimited = list.declaration.table === 'contacts';
      const pages = list.views.flatMap((view) => [
        list.pageStatement(plan, view),
        ...(keys.length > 2 ? [] : [list.pageStatement(plan, view, { isAfter: true, isLimited })]),
      ]);
      return [...pages, list.countStatement(plan), list.countStatement(plan, { isLimited, isCapped: true })];
    }),
  );
});
/** The engines search all contacts in other ways than those of a filter. */
const searches = [[], [{ filter: 'tag', value: '' }]].flatMap((some) => {
  const { indexed, scanned } = searchOf(contactList.plan(some, 'newest'));
  return [indexed, scanned];
});
const allStatements = [...new Set([...definedStatements(), ...listStatements, ...searches])] as ReturnType<
  typeof definedStatements
>;

/** The tables that map callers to workspaces, and the job queue for all workspaces. */
const DIRECTORY = ['workspaces', 'users', 'hooks', 'sign_in_failures', 'seal_checks', 'jobs'];

const MIGRATIONS = migrations.flatMap(({ statements }) => [...statements('sqlite')]);
/** The names of tables until they replace another one. */
const RENAMED = MIGRATIONS.flatMap((sql) => /alter table (\w+) rename to/.exec(sql)?.[1] ?? []);
/** Every table that a migration creates. */
const TABLES = MIGRATIONS.flatMap((sql) =>
  [...sql.matchAll(/create (?:virtual )?table (\w+)/g)].map(([, name]) => String(name)),
).filter((table) => !RENAMED.includes(table));
const RECORDS = TABLES.filter((table) => !DIRECTORY.includes(table));

const TABLE = /\b(?:from|join|into|update)\s+"?(\w+)"?/g;
/** A condition on the workspace of an argument, or on its range of the search index. */
const BY_WORKSPACE =
  /"?workspace_id"? = (\$\d+|\?|"?\w+"?\."?workspace_id"?)|\browid between (\$\d+|\?) << 40 (?:\| \? )?and/g;
const INSERTED = /insert into "?\w+"? \("?workspace_id"?,/g;

/** The tables of a statement, and the number of its workspace conditions. */
const check = (sql: string) => {
  const named = [...sql.matchAll(TABLE)].map(([, table]) => String(table));
  return {
    tables: named.filter((table) => [...RECORDS, ...DIRECTORY].includes(table)),
    records: named.filter((table) => RECORDS.includes(table)),
    mentions: [...sql.matchAll(BY_WORKSPACE), ...sql.matchAll(INSERTED)].length,
  };
};

/** Statements that look for the work of all workspaces. They name the workspace of an endpoint for every other table. */
const IN_EVERY_WORKSPACE = /\bfrom webhook_endpoints as every\b/;

describe('SQL statements', () => {
  it('No statement has a bare parameter as its limit, which SQLite would prepare again', () => {
    const limited = allStatements
      .map((each) => each.textFor(sqliteCompiler).sql)
      .filter((sql) => /\blimit\b/i.test(sql));
    assert.ok(limited.length > 20);
    for (const sql of limited) assert.doesNotMatch(sql, /\blimit\s*\(*\s*\?/i);
  });

  it('Every statement locks rows in a materialized CTE, never in a subquery', () => {
    // PostgreSQL may run a subquery of `in` for every row: with stale statistics a delete then takes minutes.
    const LOCKED_SUBQUERY = /\bin \(\s*select(?:[^()]|\([^()]*\))*\bfor update/i;
    assert.match('where id in (select id from t where (a = 1) for update)', LOCKED_SUBQUERY);
    for (const statement of allStatements) {
      const { sql } = statement.textFor(postgresCompiler);
      assert.doesNotMatch(sql, LOCKED_SUBQUERY);
    }
  });

  it('No update or delete reads a JSON argument in its condition', () => {
    // Citus would run it on every shard as soon as it reuses the plan. A materialized CTE reads it.
    for (const statement of allStatements) {
      const { sql } = statement.textFor(postgresCompiler);
      assert.doesNotMatch(sql, /^\s*(?:update|delete)\b[\s\S]*\bjsonb_(?:array|each)/i);
    }
  });

  it('Every statement that names a derived table declares that it reads it', () => {
    const DERIVED = /\b(tallies|contact_tags|contact_field_values|contacts_search|audit_entries|events)\b/;
    const naming = allStatements
      .flatMap((each) => [each.textFor(sqliteCompiler), each.textFor(postgresCompiler)])
      .filter(({ sql }) => DERIVED.test(sql));
    assert.ok(naming.length > 20);
    for (const { sql, readsDerived } of naming) assert.ok(readsDerived, sql);
  });

  it('The checked statements cover all tables', () => {
    assert.ok(RECORDS.length > 10 && allStatements.length > 60);
    const named = new Set(
      allStatements.flatMap((statement) => check(statement.textFor(sqliteCompiler).sql).tables),
    );
    assert.deepEqual(
      TABLES.filter((table) => !named.has(table)),
      [],
    );
  });

  for (const engine of ['sqlite', 'postgres'] satisfies Engine[]) {
    it(`Every statement names the workspace once for each record table, on ${engine}`, () => {
      for (const statement of allStatements) {
        const { sql } = statement.textFor(engine === 'sqlite' ? sqliteCompiler : postgresCompiler);
        const { tables, records, mentions } = check(sql);
        const isPlaces = /\bnextval\('\w+_seq_seq'\)/.test(sql);
        const isLock = / as locked$/.test(sql);
        assert.ok(tables.length > 0 || isPlaces || isLock, sql);
        const named = IN_EVERY_WORKSPACE.test(sql) ? records.length - 1 : records.length;
        assert.ok(mentions >= named, `${mentions} for ${records.join(', ')}: ${sql}`);
      }
    });

    it(`Every statement takes the workspace from the argument of that name, on ${engine}`, () => {
      for (const statement of allStatements) {
        const { sql, order } = statement.textFor(engine === 'sqlite' ? sqliteCompiler : postgresCompiler);
        if (check(sql).records.length === 0) continue;
        // The argument of each condition on workspace_id is the workspace.
        const places = [...sql.matchAll(/\$\d+|\?/g)].map(({ index }) => index);
        for (const match of sql.matchAll(BY_WORKSPACE)) {
          if (!/\$\d+|\?/.test(match[0])) continue; // joined to a row of the workspace
          const mark = match.index + match[0].search(/\$\d+|\?/);
          assert.match(String(order[places.indexOf(mark)]), /^workspace(_id)?$/, sql);
        }
        // An insert from a select copies the workspace from the selected rows.
        const isOwn = sql.search(INSERTED) !== -1 && !/select workspace_id,/.test(sql);
        if (isOwn) assert.match(String(order[0]), /^workspace(_id)?$/, sql);
      }
    });
  }
});
