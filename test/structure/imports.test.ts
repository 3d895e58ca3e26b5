import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

/** The parts that each part of `src` may import in addition to itself: all parts before it, or only the listed ones. */
const ORDER: readonly (readonly [part: string, only?: readonly string[]])[] = [
  ['lib', []],
  ['db', ['lib']],
  ['db/migrations', ['lib', 'db']],
  ['db/sqlite', ['lib', 'db', 'db/migrations']],
  ['db/postgres', ['lib', 'db', 'db/migrations']],
  ['db/open', ['lib', 'db', 'db/migrations', 'db/sqlite', 'db/postgres']],
  ['http/pipeline', ['lib']],
  ['http/openapi', ['lib', 'http/pipeline']],
  ['http/server', ['lib', 'http/pipeline']],
  ['files', ['lib']],
  ['jobs', ['lib', 'db']],
  ['records', ['lib', 'db', 'jobs']],
  ['move', ['lib', 'db', 'db/migrations', 'db/sqlite', 'db/postgres', 'db/open']],
  ['features/workspaces'],
  ['features/notices'],
  ['features/views'],
  ['features/events'],
  ['features/fields'],
  ['features/contacts'],
  ['features/duplicates'],
  ['features/agents'],
  ['features/channels'],
  ['features/calls'],
  ['features/adapters'],
  ['features/campaigns'],
  ['features/integrations'],
  ['features/imports'],
  ['features/bulk'],
  ['features/merges'],
  ['features/idempotency'],
  ['features/webhooks'],
  ['features/playground'],
  ['features/audit-log'],
  ['features/timeline'],
  ['features/figures'],
  ['features/mcp'],
  ['features/demo'],
  ['features/verify'],
  ['backups'],
  ['config'],
  ['threads'],
  ['wiring'],
  ['entry'],
  ['cli'],
  ['cli.js'],
];

/** The same for the dashboard. */
const DASHBOARD_ORDER = ['texts', 'lib', 'api', 'ui', 'app', 'records', 'pages', 'router.tsx', 'main.tsx'];

const files = globSync(['src/**/*.{ts,js}', 'bench/**/*.ts', 'dashboard/src/**/*.{ts,tsx}', 'test/**/*.ts'])
  .filter((file) => !/\.(?:d|gen)\.ts$/.test(file))
  .sort();

/** Every relative import of a file, type-only and dynamic ones included. */
const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)]
    .map(([, path]) => join(dirname(file), path as string))
    .filter((path) => known.has(path));

const known = new Set(files);
const graph = new Map(files.map((file) => [file, [...new Set(importsOf(file))]]));

const partOf = (file: string): string => {
  const [, ...path] = file.replace('dashboard/src/', 'dashboard/').split('/');
  const isDivided = /^(?:db|http|features)$/.test(path[0] as string) && path.length > 2;
  return isDivided ? path.slice(0, 2).join('/') : (path[0] as string);
};

/** The folder of a resource's pages. */
const pageOf = (file: string) => file.split('/')[3];

const isTest = (file: string) => file.endsWith('.test.ts') || file.startsWith('test/');

/** The rule that an import violates, if any. */
const faultOf = (from: string, to: string): string | undefined => {
  const [one, other] = [partOf(from), partOf(to)];
  const [root, target] = [from, to].map((file) => file.split('/')[0]);
  if (isTest(from)) return undefined;
  if (root !== target) return root === 'bench' ? undefined : `${root} must not import ${target}`;
  if (root === 'dashboard' && one === 'pages' && one === other)
    return pageOf(from) === pageOf(to) ? undefined : 'pages import records, not each other';
  if (root === 'bench' || one === other) return undefined;
  if (root === 'dashboard')
    return DASHBOARD_ORDER.indexOf(other) < DASHBOARD_ORDER.indexOf(one)
      ? undefined
      : `${one} comes before ${other}`;
  const at = ORDER.findIndex(([part]) => part === one);
  const allowed = ORDER[at]?.[1] ?? ORDER.slice(0, at).map(([part]) => part);
  return allowed.includes(other) ? undefined : `${one} may not import ${other}`;
};

const edges = [...graph].flatMap(([from, targets]) => targets.map((to) => [from, to] as const));

/** The files on a path of imports from one file to another, if there is one. */
const pathBetween = (from: string, to: string): string[] | undefined => {
  const before = new Map<string, string>([[from, '']]);
  for (const file of before.keys())
    for (const next of graph.get(file) ?? []) if (!before.has(next)) before.set(next, file);
  if (!before.has(to)) return undefined;
  const chain = [to];
  for (let file = before.get(to); file; file = before.get(file)) chain.unshift(file);
  return chain;
};

test('The imports of src, bench, dashboard and test are found', () => {
  assert.ok(files.length > 500 && edges.length > 2_000, `${files.length} files, ${edges.length} imports`);
  for (const root of ['src', 'bench', 'dashboard', 'test'])
    assert.ok(
      edges.some(([from]) => from.startsWith(`${root}/`)),
      `none of ${root}`,
    );
});

test('Every folder and root file of src and of the dashboard has a place in the import order', () => {
  const partsOf = (root: string) =>
    new Set(files.filter((file) => file.startsWith(root) && !isTest(file)).map(partOf));
  const listed = new Set(ORDER.map(([part]) => part));
  assert.deepEqual([...partsOf('src/').difference(listed)], [], 'add them to ORDER');
  assert.deepEqual([...listed.difference(partsOf('src/'))], [], 'remove them from ORDER');
  assert.deepEqual([...partsOf('dashboard/src/').difference(new Set(DASHBOARD_ORDER))], []);
});

test('No import violates the import order', () => {
  const faults = edges.flatMap((edge) => {
    const fault = faultOf(...edge);
    return fault ? [`${edge.join(' -> ')}: ${fault}`] : [];
  });
  assert.deepEqual(faults, []);
});

test('No files import each other in a cycle, type-only imports included', () => {
  const cycles = edges.flatMap(([from, to]) => {
    const chain = pathBetween(to, from);
    return chain ? [[from, ...chain].join(' -> ')] : [];
  });
  assert.deepEqual(cycles, []);
});

test('Only src/lib/node-http.ts loads node:http, because an import takes 17 MB in each thread', () => {
  const importing = files.filter(
    (file) =>
      file.startsWith('src/') &&
      !file.endsWith('.test.ts') &&
      /^(?:import|export) (?!type )[^;]*?from 'node:http'|import\('node:http'\)/m.test(
        readFileSync(file, 'utf8'),
      ),
  );
  assert.deepEqual(importing, []);
});
