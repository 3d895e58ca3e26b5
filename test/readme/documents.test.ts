import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { variables } from '../../src/config/config.ts';
import { anchorsOf, linksOf, sectionOf } from './markdown.ts';
import { ROOT } from './session.ts';

const documents = [
  '*.md',
  'docs/**/*.md',
  'dashboard/README.md',
  'examples/README.md',
  'sdk/README.md',
  'sdk/n8n/README.md',
  'sdk/python/README.md',
]
  .flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
  .sort();
const read = (document: string) => readFileSync(join(ROOT, document), 'utf8');

test('The main documents exist', () => {
  for (const document of [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'SECURITY.md',
    'docs/README.md',
    'docs/ARCHITECTURE.md',
    'docs/api.md',
    'docs/hooks.md',
  ]) {
    assert.ok(documents.includes(document), document);
  }
  assert.match(readFileSync(join(ROOT, 'LICENSE'), 'utf8'), /^MIT License\n/);
});

test('The index of the documents links to every guide', () => {
  const index = read('docs/README.md');
  for (const document of documents) {
    const [, name] = /^docs\/([^/]+\.md)$/.exec(document) ?? [];
    if (name && name !== 'README.md') assert.ok(index.includes(`](${name})`), name);
  }
});

test('The configuration guide lists every variable in the order of the code', () => {
  const section = sectionOf(read('docs/configuration.md'), 'Environment variables');
  const listed = [...section.matchAll(/^\| `([A-Z0-9_]+)` \|/gm)];
  assert.deepEqual(
    listed.map(([, name]) => name),
    Object.keys(variables),
  );
});

test('The command line guide has a row with the options of every command', () => {
  const help = execFileSync(process.execPath, [join(ROOT, 'src/cli.js'), '--help'], {
    encoding: 'utf8',
  });
  const forms = [...help.matchAll(/^ {2}roster .*(?:\n {4,}\S.*)*/gm)].map(([form]) => form);
  assert.ok(forms.length > 10, help);
  const rows = read('docs/cli.md').split('\n');
  for (const form of forms) {
    const [, name = ''] = /^ *(roster(?: [a-z]+)+)/.exec(form) ?? [];
    const row = rows.filter((each) => new RegExp(`^\\| \`npx ${name}(?![a-z])`).test(each)).join('\n');
    assert.ok(row, `docs/cli.md has no row for ${form}`);
    const isShortened = row.includes('…');
    for (const [option] of form.matchAll(/--[a-z-]+/g)) {
      if (option !== '--json' && !isShortened)
        assert.ok(row.includes(option), `${option} is missing in: ${row}`);
    }
  }
});

test('The operations guide shows the command that npm start runs', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const line = scripts.start.replace('exec ', 'node_modules/.bin/');
  assert.ok(read('docs/operations.md').includes(`\n${line}\n`), line);
});

test('The screenshots of the README are smaller than 300 KB', () => {
  const images = globSync('docs/images/*', { cwd: ROOT });
  assert.ok(images.length > 0);
  for (const image of images) assert.ok(statSync(join(ROOT, image)).size < 300_000, image);
});

for (const document of documents) {
  test(`Every relative link and anchor of ${document} resolves`, () => {
    for (const { path, anchor } of linksOf(read(document))) {
      const target = path === '' ? document : join(dirname(document), path);
      assert.ok(existsSync(join(ROOT, target)), `no file ${target}`);
      if (anchor !== undefined)
        assert.ok(anchorsOf(read(target)).has(anchor), `no heading ${target}#${anchor}`);
    }
  });

  // Paths in dashboard/README.md start at dashboard/, and some of the files are generated.
  if (document === 'dashboard/README.md') continue;
  test(`Every source file that ${document} names exists`, () => {
    const named = [...read(document).matchAll(/`((?:src|test|docs|bench)\/[\w./-]*[\w/])`/g)];
    for (const [, path = ''] of named) assert.ok(existsSync(join(ROOT, path)), `no file ${path}`);
  });
}

/** Words that the glossary replaces with standard terms. */
const AVOIDED_WORDS =
  /\b(nobody|whoever|somebody|anybody|anew|mend(?:s|ed)?|at once|for good|the door|tells? who)\b/i;

test('The documents use plain English instead of the former vocabulary', () => {
  for (const document of documents) {
    const lines = read(document).split('\n');
    assert.deepEqual(
      lines.filter((line) => AVOIDED_WORDS.test(line)),
      [],
      document,
    );
  }
});

const decisions = documents.filter((document) => /^docs\/decisions\/\d/.test(document));

test('Each decision has its own number, and the index links to it', () => {
  const index = read('docs/decisions/README.md');
  assert.ok(decisions.length > 0);
  const names = decisions.map((page) => page.slice('docs/decisions/'.length));
  for (const name of names) assert.ok(index.includes(`(${name}) |`), `the index has no row for ${name}`);
  const numbers = names.map((name) => /^\d{4}(?=-)/.exec(name)?.[0]);
  assert.equal(new Set(numbers).size, names.length, `${numbers}`);
});

test('Each decision has a status line below its title', () => {
  for (const page of decisions) {
    assert.match(read(page), /^# \d{4} .+\n\nStatus: (accepted|superseded by \[\d{4}\])/, page);
  }
});
