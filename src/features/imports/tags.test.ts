import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../test/kit/any-character.ts';
import { joinTags, splitTags } from './tags.ts';

test('Tags are split as exports write them', () => {
  for (const [cell, tags] of [
    ['', []],
    [' ; , ', []],
    ['vip', ['vip']],
    ['vip;berlin', ['vip', 'berlin']],
    [' vip , new lead ;x', ['vip', 'new lead', 'x']],
    ['Friends ::: Family', ['Friends', 'Family']],
    ['Friends, old ::: * myContacts ::: a;b', ['Friends, old', 'a;b']],
    ['* myContacts', []],
    ['* myContacts ::: Investors ::: * starred', ['Investors', 'starred']],
    ['myContacts', ['myContacts']],
    ['*urgent', ['*urgent']],
    ['a:::b', ['a:::b']],
    ['vip;"Smith, Jones" ;"say ""hi"""', ['vip', 'Smith, Jones', 'say "hi"']],
    ['5" pipes, "open', ['5" pipes', '"open']],
    ['"";a', ['a']],
  ] as [string, string[]][]) {
    assert.deepEqual(splitTags(cell), tags, cell);
  }
});

test('Joined tags are split into the same tags', () => {
  assert.equal(joinTags(['vip', 'new lead']), 'vip;new lead');
  assert.equal(joinTags(['a;b', '* x', ' y', '"']), '"a;b";"* x";" y";""""');
  assert.deepEqual(splitTags(joinTags(['a ::: b', 'c'])), ['a ::: b', 'c']);
  const tag = fc.oneof(
    fc.string({ unit: anyCharacter, minLength: 1, maxLength: 8 }),
    fc.string({ unit: fc.constantFrom(';', ',', '"', ':', ' ', '*', '\n', 'a'), minLength: 1, maxLength: 8 }),
  );
  fc.assert(
    fc.property(fc.array(tag, { maxLength: 6 }), (tags) => assert.deepEqual(splitTags(joinTags(tags)), tags)),
    { numRuns: 5_000 },
  );
});
