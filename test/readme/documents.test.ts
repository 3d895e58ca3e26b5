import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { variables } from '../../src/config.ts';
import { sectionOf } from './markdown.ts';
import { ROOT } from './session.ts';

const documents = ['*.md', 'docs/**/*.md'].flatMap((pattern) => globSync(pattern, { cwd: ROOT })).sort();
const read = (document: string) => readFileSync(join(ROOT, document), 'utf8');

test('the documents are there', () => {
  for (const document of [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'docs/ARCHITECTURE.md',
    'docs/API.md',
    'docs/HOOKS.md',
  ]) {
    assert.ok(documents.includes(document), document);
  }
  assert.match(readFileSync(join(ROOT, 'LICENSE'), 'utf8'), /^MIT License\n/);
});

test('the README lists every variable of the configuration, in its order', () => {
  const listed = [...sectionOf(read('README.md'), 'Configuration').matchAll(/^\| `([A-Z_]+)` \|/gm)];
  assert.deepEqual(
    listed.map(([, name]) => name),
    Object.keys(variables),
  );
});

test('the README tells a supervisor what npm start runs', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const line = scripts.start.replace('exec ', 'node_modules/.bin/');
  assert.ok(read('README.md').includes(`\n${line}\n`), line);
});

for (const document of documents) {
  test(`${document} names only files that exist`, () => {
    const text = read(document);
    const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, path = '']) =>
      join(dirname(document), path),
    );
    const named = [...text.matchAll(/`((?:src|test|docs|bench)\/[\w./-]*[\w/])`/g)].map(
      ([, path = '']) => path,
    );
    for (const path of [...links, ...named]) assert.ok(existsSync(join(ROOT, path)), `there is no ${path}`);
  });
}

test('each decision has a number of its own, and the index names each', () => {
  const pages = documents.filter((document) => /^docs\/decisions\/\d/.test(document));
  const index = read('docs/decisions/README.md');
  assert.ok(pages.length > 0);
  const names = pages.map((page) => page.slice('docs/decisions/'.length));
  for (const name of names) assert.ok(index.includes(`(${name})`), `the index names ${name}`);
  const numbers = names.map((name) => /^\d{4}(?=-)/.exec(name)?.[0]);
  assert.equal(new Set(numbers).size, names.length, `${numbers}`);
});
