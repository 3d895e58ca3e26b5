import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertMatches, createNamer } from './compare.ts';
import { anchorsOf, linksOf, stepsOf } from './markdown.ts';

const id = (digit: string) => `contact_${digit.repeat(26)}`;
const json = (value: unknown) => ({ language: 'json', text: JSON.stringify(value, null, 2) });

const compare = (shown: unknown, output: unknown) =>
  assertMatches(json(shown), JSON.stringify(output), createNamer(), createNamer());

test('Outputs match when only identifiers, times and request ids differ', () => {
  compare(
    { id: id('0'), at: '2026-01-01T00:00:00.000Z', request_id: 'req_0123456789000001' },
    { id: id('1'), at: '2027-02-02T10:20:30.456Z', request_id: 'req_abcdefabcd0000zz' },
  );
});

test('A different value, a missing field and an additional field are reported', () => {
  assert.throws(() => compare({ total: 1 }, { total: 2 }));
  assert.throws(() => compare({ total: 1, limit: 20 }, { total: 1 }));
  assert.throws(() => compare({ total: 1 }, { total: 1, limit: 20 }));
  assert.throws(() => compare({ at: '2026-01-01T00:00:00.000Z' }, { at: null }));
});

test('An identifier that replaces two others, or two that replace one, is reported', () => {
  compare({ a: id('0'), b: id('0') }, { a: id('1'), b: id('1') });
  assert.throws(() => compare({ a: id('0'), b: id('0') }, { a: id('1'), b: id('2') }));
  assert.throws(() => compare({ a: id('0'), b: id('1') }, { a: id('2'), b: id('2') }));
});

test('Every header that a document shows must be in the response', () => {
  const shown = { language: 'http', text: 'HTTP/1.1 401 Unauthorized\nWWW-Authenticate: Bearer\n\n{}\n' };
  const answer = (header: string) => `HTTP/1.1 401 Unauthorized\r\nDate: now\r\n${header}\r\n\r\n{}`;
  assertMatches(shown, answer('WWW-Authenticate: Bearer'), createNamer(), createNamer());
  assert.throws(() => assertMatches(shown, answer('WWW-Authenticate: Basic'), createNamer(), createNamer()));
});

test('The block below a command is its output unless it is another command', () => {
  const steps = stepsOf('```sh\na\n```\n\ntext\n\n```json\n{}\n```\n\n```sh\nb\n```\n\n```sh\nc\n```\n');
  assert.deepEqual(steps, [
    { command: 'a\n', shown: { language: 'json', text: '{}\n' } },
    { command: 'b\n', shown: undefined },
    { command: 'c\n', shown: undefined },
  ]);
});

test('Links are found in Markdown and HTML, but not in code blocks or to other hosts', () => {
  const text = '[a](b.md#c) [d](#e) [f](https://example.com)\n<img src="g.png">\n```sh\n[h](i.md)\n```\n';
  assert.deepEqual(linksOf(text), [
    { path: 'b.md', anchor: 'c' },
    { path: '', anchor: 'e' },
    { path: 'g.png', anchor: undefined },
  ]);
});

test('Anchors follow the rules of GitHub', () => {
  const text = '# What a `409` says\n## Back up, restore\n## [A](b.md) link\n## A link\n';
  assert.deepEqual([...anchorsOf(text)], ['what-a-409-says', 'back-up-restore', 'a-link', 'a-link-1']);
});
