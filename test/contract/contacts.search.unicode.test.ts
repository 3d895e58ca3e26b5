import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { listContactIds } from '../kit/fixtures/contacts.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { onEveryEngine } from '../kit/service/test-service.ts';

/** Stored names, and searches that find them: without case and accents, in both directions. */
const letters: Record<string, string[]> = {
  'José Núñez': ['jose nunez', 'JOSÉ NÚÑEZ', 'Jose\u0301', 'nunez', 'jòsê'],
  'Renee Zoe': ['Renée Zoë', 'RENÉE', 'zoe\u0308'],
  'Ame\u0301lie': ['amelie', 'Am\u00e9lie', 'AMÉLIE', 'Ame\u0301lie'],
  'Søren Kjær': ['soren kjaer', 'SØREN KJÆR', 'sören'],
  'Osten Braendby': ['Østen Brændby', 'østen'],
  'Straßburg GROẞ': ['strassburg gross', 'STRASSBURG', 'Straßburg', 'groß'],
  'Gressmann Hesse': ['greßmann', 'HEẞE', 'gressm'],
  'Łódź Wąż': ['lodz waz', 'ŁÓDŹ', 'łódź'],
  'Đặng Thị Ngọc': ['dang thi ngoc', 'ĐẶNG', 'đang'],
  'Þórður Guð': ['thordur gud', 'ÞÓRÐUR'],
  'Œdipe Cœur': ['oedipe coeur', 'ŒDIPE'],
  'İpek Işık': ['ipek isik', 'İPEK', 'ışık', 'IŞIK'],
  'Ħaż-Żebbuġ': ['haz-zebbug', 'ħaż'],
  ΟΔΥΣΣΕΥΣ: ['οδυσσευς', 'Ὀδυσσεύς', 'οδυσσευσ', 'σευς'],
  'Александр Ёлкин': ['АЛЕКСАНДР', 'александр', 'елкин', 'ёлкин'],
  'Ｗｉｄｅ ﬁsh': ['wide fish', 'ＷＩＤＥ', 'ﬁsh'],
  한국어: ['한국어', '\u1112\u1161\u11ab\u1100\u116e\u11a8', '국어', '국'],
  ガーデン: ['ガーデン', 'カ\u3099ーデン', 'ーデ'],
};

/** Texts with a special meaning for a database. A search takes them literally. */
const literal = [
  '100%',
  'under_score',
  'back\\slash',
  'say "hi"',
  "O'Brien",
  'star*light',
  'this AND that',
  'one OR two',
  'NOT me',
  'NEAR(x y, 2)',
  '{text} : x',
  'text:value',
  '^caret',
  'minus -dash',
  '(brackets)',
  '[set]',
  'a?b',
  'semi;colon',
  '--comment',
  '/*block*/',
  '$1 and ?1',
  '"" OR ""',
  '<tag>',
  'a\\%b',
  'line\nend',
];

onEveryEngine('Character matching in contact search', (service) => {
  const made = new Map<string, string>();
  before(async () => {
    for (const name of [...Object.keys(letters), ...literal]) {
      made.set(name, (await makeContact(service, { first_name: name })).id);
    }
    await makeContact(service, { first_name: 'underxscore', last_name: 'starlight that this two one' });
  });

  for (const [name, searches] of Object.entries(letters)) {
    test(`A search finds ${name} in every spelling`, async () => {
      for (const search of [name, ...searches]) {
        assert.deepEqual(await listContactIds(service, { search }), [made.get(name)], search);
      }
    });
  }

  for (const name of literal) {
    test(`A search finds ${JSON.stringify(name)} as it is written`, async () => {
      assert.deepEqual(await listContactIds(service, { search: name }), [made.get(name)]);
      assert.deepEqual(await listContactIds(service, { search: name.toUpperCase() }), [made.get(name)]);
    });
  }

  const idsContaining = (...parts: string[]) =>
    [...made].filter(([name]) => parts.some((part) => name.includes(part))).map(([, id]) => id);

  for (const mark of [
    '%',
    '_',
    '\\',
    '"',
    "'",
    '*',
    '^',
    '{',
    '(',
    ')',
    ':',
    '[',
    '?',
    ';',
    '<',
    '""',
    '--',
    '\\%',
  ]) {
    test(`A search for ${mark} matches it literally`, async () => {
      const expected = idsContaining(mark);
      assert.ok(expected.length > 0);
      assert.deepEqual((await listContactIds(service, { search: mark })).reverse(), expected);
    });
  }

  test('No character of a search acts as a wildcard or an operator', async () => {
    for (const search of [
      '%%%',
      '___',
      '***',
      '"""',
      'und%score',
      'star%',
      'under*',
      'starl*',
      '"starlight"',
      'starlight AND that',
      'two OR one',
      'starlight NOT nobody',
      'NEAR(starlight that)',
      'first_name:starlight',
      '^starlight',
      '.*',
      'star.ight',
      '[a-z]',
      'starlight\\',
      "starlight'",
      'starlight"',
    ]) {
      assert.deepEqual(await listContactIds(service, { search }), [], search);
    }
  });
});
