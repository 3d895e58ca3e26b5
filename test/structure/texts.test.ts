import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { areas } from '../../dashboard/src/texts/de/index.ts';
import { serviceMessages } from '../../dashboard/src/texts/de/service.ts';
import { type Finding, findTexts, literalsIn } from '../kit/dashboard/texts.ts';

const files = globSync('dashboard/src/**/*.{ts,tsx}')
  .filter((file) => !file.includes('/texts/') && !file.endsWith('.gen.ts'))
  .sort();
const found = files.flatMap((file) => findTexts(file, readFileSync(file, 'utf8')));
const used = found.filter(({ kind }) => kind === 'used');
const german = new Map(areas.flatMap((area) => Object.entries(area)));

const placeholders = (text: string) => [...new Set(text.match(/\{\w+\}|#/g))].sort().join(' ');
const placeOf = ({ file, line, text }: Finding) => `${file}:${line} ${JSON.stringify(text)}`;

describe('Texts of the dashboard', () => {
  it('The check finds texts that bypass the catalogue', () => {
    const source = `
      const Page = () => <Card title="My title" className="Big text" label={busy ? 'Wait…' : 'Go'}>Hello {t('World')} {name}</Card>;
      const columns = [{ id: 'name', header: 'Name' }, { header: t('Phone') }];
      toast.good(\`Deleted \${name}.\`); const Note = <p>“{note}”</p>; plural(count, '# row', '# rows'); event.key === 'Enter'; t(variable);`;
    const texts = findTexts('page.tsx', source);
    const of = (kind: Finding['kind']) => texts.filter((each) => each.kind === kind).map(({ text }) => text);
    assert.deepEqual(of('bypass'), ['My title', 'Wait…', 'Go', 'Hello', 'Name', 'Deleted {}.', '“', '”']);
    assert.deepEqual(of('used'), ['World', 'Phone', '# row']);
    assert.deepEqual(of('dynamic'), ['variable']);
  });

  it('No text bypasses the catalogue', () => {
    const bypassing = found.filter(({ kind }) => kind !== 'used');
    assert.deepEqual(bypassing.map(placeOf), []);
  });

  it('Every text is translated into German, with the same placeholders', () => {
    const missing = used.filter(({ text }) => !german.has(text));
    assert.deepEqual([...new Set(missing.map(placeOf))], []);
    for (const { text, isPlural } of used) {
      const translated = german.get(text) as string | Record<string, string>;
      assert.equal(typeof translated, isPlural ? 'object' : 'string', text);
      const other = typeof translated === 'string' ? translated : translated.other;
      // The form for one may say `the day` instead of `# day`.
      const compared = (each: string) => placeholders(isPlural ? each.replaceAll('#', '') : each);
      assert.equal(compared(other ?? ''), compared(text), text);
    }
  });

  it('Every translated message of the service exists, and its translation has no other placeholders', () => {
    const sources = globSync('src/**/*.ts').filter((file) => !/\.(?:test|d)\.ts$/.test(file));
    const messages = new Set(sources.flatMap((file) => literalsIn(readFileSync(file, 'utf8'))));
    const names = (text: string): readonly string[] => text.match(/\{\w+\}/g) ?? [];
    const without = (text: string) => text.replace(/\{\w+\}/g, '{}');
    assert.deepEqual(
      Object.keys(serviceMessages).filter((key) => !messages.has(without(key))),
      [],
    );
    assert.deepEqual(
      Object.entries(serviceMessages)
        .filter(([key, text]) => names(text).some((name) => !names(key).includes(name)))
        .map(([key]) => key),
      [],
    );
  });

  it('Every translation is used, and is in one area only', () => {
    const names = areas.flatMap((area) => Object.keys(area));
    const known = new Set(used.map(({ text }) => text));
    assert.deepEqual(
      names.filter((name) => !known.has(name)),
      [],
    );
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
    );
  });
});
