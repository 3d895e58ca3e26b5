import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { assertShown, createNamer } from './compare.ts';
import { blocksOf, sectionOf, stepsOf } from './markdown.ts';
import { hasCurl, ROOT, type Session, startSession } from './session.ts';

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** Puts this run's address and key where the tour's first block has those of the reader. */
const withOwn = (command: string, { url, key }: Session): string => {
  const own = command
    .replace('ROSTER_URL=http://127.0.0.1:3000', `ROSTER_URL=${url}`)
    .replace("ROSTER_KEY='paste the key here'", `ROSTER_KEY='${key}'`);
  assert.ok(own.includes(url) && own.includes(key), 'the first block sets ROSTER_URL and ROSTER_KEY');
  return own;
};

/** What a first start prints, without what differs from machine to machine. */
const anonymous = (greeting: string) =>
  createNamer()(greeting.trim())
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, '<url>')
    .replace(/^( +Data +)\S+$/m, '$1<path>')
    .replace(/#rl_1_[\w-]{32}$/m, '#<token>');

const follow = (session: Session) => {
  test('a first start prints what the README shows', () => {
    const [shown] = blocksOf(sectionOf(readme, 'Start')).filter(({ language }) => language === 'text');
    assert.ok(shown);
    assert.equal(anonymous(session.greeting), anonymous(shown.text));
  });

  test('every block of the tour runs and answers as shown', async () => {
    const [first, ...steps] = stepsOf(sectionOf(readme, 'A tour in five minutes'));
    assert.ok(first && steps.length >= 12, 'the tour is there');
    assert.ok(steps.filter(({ shown }) => shown).length >= 10, 'most blocks show their answer');
    const outputs = await session.run([
      withOwn(first.command, session),
      ...steps.map(({ command }) => command),
    ]);
    const [inDocument, inOutput] = [createNamer(), createNamer()];
    steps.forEach(({ command, shown }, at) => {
      if (!shown) return;
      try {
        assertShown(shown, outputs[at + 1] ?? '', inDocument, inOutput);
      } catch (error) {
        throw new Error(`The README shows another answer to:\n${command}`, { cause: error });
      }
    });
  });

  test('every address that the README names beside the API answers', async () => {
    const named = [...readme.matchAll(/http:\/\/127\.0\.0\.1:3000(\/(?!v1)[\w./]+)/g)].map(
      ([, path = '']) => path,
    );
    const paths = [...new Set(named)].sort();
    assert.deepEqual(paths, [
      '/dashboard/openapi.json',
      '/docs',
      '/healthz',
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
      assert.equal(response.status, 200, path);
      assert.ok((await response.text()).length > 0, path);
    }
  });
};

describe(`the README, followed with ${hasCurl ? 'curl' : 'what stands in for curl'}`, () => {
  const session = {} as Session;
  before(async () => {
    Object.assign(session, await startSession({ standIn: !hasCurl }));
  });
  after(async () => {
    await session.stop?.();
  });
  follow(session);
});
