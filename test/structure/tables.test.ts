import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { migrations } from '../../src/db/migrations/index.ts';

/** The features in the order of their imports, and the tables of each. Later features have none. */
const TABLES: readonly (readonly [feature: string, ...tables: string[]])[] = [
  [
    'workspaces',
    'workspaces',
    'users',
    'sessions',
    'keys',
    'hooks',
    'seal_checks',
    'sign_in_addresses',
    'sign_in_failures',
    'sign_in_links',
  ],
  ['notices', 'notices', 'notice_reads'],
  ['views', 'saved_views'],
  ['fields', 'contact_fields'],
  [
    'contacts',
    'contacts',
    'contact_tags',
    'contact_field_values',
    'segments',
    'identities',
    'identity_conflicts',
    'merged_contacts',
  ],
  ['duplicates', 'duplicate_dismissals', 'duplicate_followers', 'duplicate_groups', 'duplicate_keys'],
  ['agents', 'agents', 'agent_versions', 'deploys', 'renderings'],
  ['channels', 'channels'],
  ['calls', 'calls', 'call_goals', 'call_sessions', 'call_tags', 'call_texts', 'transcripts'],
  ['campaigns', 'campaigns', 'enrollments'],
  ['integrations', 'integrations'],
  ['imports', 'imports', 'import_rows'],
  ['bulk', 'bulk_jobs', 'bulk_changes'],
  ['merges', 'merges', 'merge_records'],
  ['idempotency', 'retries'],
  ['webhooks', 'webhook_endpoints', 'webhook_deliveries', 'webhook_attempts'],
  ['playground', 'chat_models'],
];

/** The tables of `src/db`, `src/jobs` and `src/records`. */
const SHARED = ['tallies', 'contacts_search', 'jobs', 'audit_entries', 'events', 'contact_changes'];

const placeOf = (feature: string) => {
  const at = TABLES.findIndex(([name]) => name === feature);
  return at === -1 ? TABLES.length : at;
};

const NAMED =
  /\b(?:from|join|into|update)\s+(\w+)|(?:insertInto|selectFrom|updateTable|deleteFrom|table)(?:: |\()'(\w+)'/g;

const named = globSync('src/features/**/*.ts')
  .filter((file) => !file.endsWith('.test.ts'))
  .flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(NAMED)].map((match) => ({ file, table: match[1] ?? match[2] })),
  );

test('Every table has an owner', () => {
  const statements = migrations.flatMap((each) => [...each.statements('sqlite')]);
  const namesIn = (pattern: RegExp) =>
    statements.flatMap((sql) => [...sql.matchAll(pattern)].map(([, table]) => String(table)));
  const renamed = new Set(namesIn(/alter table (\w+) rename to/g));
  const created = new Set(namesIn(/create (?:virtual )?table (\w+)/g)).difference(renamed);
  const owned = new Set([...SHARED, ...TABLES.flatMap(([, ...tables]) => tables)]);
  assert.deepEqual([...created.difference(owned)], []);
});

test('The SQL of a feature names only its own tables and those of features before it', () => {
  assert.ok(named.length > 300);
  const faults = named.filter(({ file, table }) => {
    const owner = TABLES.find(([, ...tables]) => tables.includes(String(table)));
    return owner && placeOf(owner[0]) > placeOf(file.split('/')[2] as string);
  });
  assert.deepEqual(faults, []);
});
