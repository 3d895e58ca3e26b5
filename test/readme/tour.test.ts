import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { assertMatches, createNamer } from './compare.ts';
import { blocksOf, sectionOf, stepsOf } from './markdown.ts';
import { hasCurl, ROOT, type Session, startSession } from './session.ts';

const read = (document: string) => readFileSync(join(ROOT, document), 'utf8');
const readme = read('README.md');
const tour = read('docs/tour.md');
const guides = globSync('docs/*.md', { cwd: ROOT }).map(read);

/** Replaces the placeholders in the first block of the tour with the address and key of this run. */
const withSession = (command: string, { url, key }: Session): string => {
  const own = command
    .replace('ROSTER_URL=http://127.0.0.1:3000', `ROSTER_URL=${url}`)
    .replace("ROSTER_KEY='paste the key here'", `ROSTER_KEY='${key}'`);
  assert.ok(own.includes(url) && own.includes(key), 'the first block sets ROSTER_URL and ROSTER_KEY');
  return own;
};

/** The output of a first start, without the values that differ from machine to machine. */
const anonymous = (startupOutput: string) =>
  createNamer()(startupOutput.trim())
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, '<url>')
    .replace(/^( +Data +)\S+$/m, '$1<path>')
    .replace(/#rl_1_[\w-]{32}$/m, '#<token>');

const follow = (session: Session) => {
  test('A first start prints what the tour shows', () => {
    const [shown] = blocksOf(sectionOf(tour, 'Start')).filter(({ language }) => language === 'text');
    assert.ok(shown);
    assert.equal(anonymous(session.startupOutput), anonymous(shown.text));
  });

  test('Every command of the tour runs and prints what the tour shows', async () => {
    const [first, ...steps] = stepsOf(sectionOf(tour, 'The API'));
    assert.ok(first && steps.length >= 12, 'the tour has at least 12 commands');
    assert.ok(steps.filter(({ shown }) => shown).length >= 10, 'at least 10 commands show their output');
    const outputs = await session.run([
      withSession(first.command, session),
      ...steps.map(({ command }) => command),
    ]);
    const [inDocument, inOutput] = [createNamer(), createNamer()];
    steps.forEach(({ command, shown }, at) => {
      if (!shown) return;
      try {
        assertMatches(shown, outputs[at + 1] ?? '', inDocument, inOutput);
      } catch (error) {
        throw new Error(`docs/tour.md shows a different output for:\n${command}`, { cause: error });
      }
    });
  });

  test('The request in the README gets the response that the README shows', async () => {
    const [step, ...more] = stepsOf(sectionOf(readme, 'Your first request'));
    assert.ok(step?.shown && more.length === 0, 'the section has one request and its response');
    const request = step.command.replace('http://127.0.0.1:3000', session.url);
    assert.notEqual(request, step.command);
    const [output = ''] = await session.run([`export ROSTER_KEY='${session.key}'\n${request}`]);
    assertMatches(step.shown, output, createNamer(), createNamer());
  });

  test('Every local URL in the documents responds', async () => {
    const named = [readme, ...guides].flatMap((text) =>
      [...text.matchAll(/http:\/\/127\.0\.0\.1:3000(\/(?!v1)[\w./]+)/g)].map(([, path = '']) => path),
    );
    const paths = [...new Set(named)].sort();
    assert.deepEqual(paths, [
      '/dashboard/openapi.json',
      '/docs',
      '/healthz',
      '/mcp',
      '/metrics',
      '/openapi.json',
      '/readyz',
      '/welcome',
    ]);
    for (const path of paths) {
      const response = await fetch(session.url + path, {
        redirect: 'manual',
        headers: { accept: 'text/html' },
      });
      // The MCP endpoint has no page.
      assert.equal(response.status, path === '/mcp' ? 405 : 200, path);
      assert.ok((await response.text()).length > 0, path);
    }
  });
};

describe(`Documents followed with ${hasCurl ? 'curl' : 'a replacement for curl'}`, () => {
  const session = {} as Session;
  before(async () => {
    Object.assign(session, await startSession({ replaceCurl: !hasCurl }));
  });
  after(async () => {
    await session.stop?.();
  });
  follow(session);
});
