import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../test/kit/any-character.ts';
import { identityOf } from './phone.identity.ts';

const HERE = '+14155550199';

test('A number in E.164 is its own identity', () => {
  for (const number of ['+14155550100', '+442079460958', '+80012345678', '+379123456', '+1415555']) {
    assert.equal(identityOf(number), number);
    assert.equal(identityOf(number, HERE), number);
  }
});

test('Separators, the trunk prefix and the international prefix do not change the identity', () => {
  const american = ['4155550100', '(415) 555-0100', '415.555.0100', '1 415 555 0100', '1-415-555-0100'];
  const abroad = [
    '+1 (415) 555-0100',
    '+1.415.555.0100',
    '011 1 415 555 0100',
    '0014155550100',
    '00 1 415 555 0100',
  ];
  for (const text of [...american, ...abroad]) assert.equal(identityOf(text, HERE), '+14155550100', text);
  const places: [string, string, string][] = [
    ['020 7946 0958', '+442079460000', '+442079460958'],
    ['0044 20 7946 0958', '+4930123456', '+442079460958'],
    ['0011 1 415 555 0100', '+61255501234', '+14155550100'],
    ['010 1 415 555 0100', '+81312345678', '+14155550100'],
    ['8 10 1 415 555 0100', '+74951234567', '+14155550100'],
    ['415 555 0100', '+18765550100', '+14155550100'],
  ];
  for (const [text, near, identity] of places) assert.equal(identityOf(text, near), identity, text);
});

test('Every grouping of a number has the same identity', () => {
  const separators = fc.array(fc.constantFrom('', ' ', '-', '.', ' - '), { minLength: 10, maxLength: 10 });
  fc.assert(
    fc.property(separators, fc.constantFrom('', '1', '+1', '011 1'), (between, prefix) => {
      const text = prefix + [...'4155550100'].map((digit, at) => (between[at] ?? '') + digit).join('');
      assert.equal(identityOf(text, HERE), '+14155550100', text);
    }),
  );
});

test('A national number without a known country has no identity', () => {
  for (const near of [undefined, 'shop.example', '+ chat 1', '#1', '', '+379123456']) {
    assert.equal(identityOf('415 555 0100', near), undefined, `${near}`);
  }
});

test('Text that cannot be called has no identity', () => {
  const texts = ['', ' ', '+', '00', '911', '5550100', 'anonymous', 'Restricted', 'ada@example.com'];
  for (const text of [
    ...texts,
    'client:4155550100',
    'sip:4155550100@pbx.example',
    '+999123456789',
    '4155550100x',
  ]) {
    assert.equal(identityOf(text, HERE), undefined, text);
  }
});

test('Any text gets either no identity or a valid number', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom(HERE, undefined, '+379123456', '+80012345678'),
      (text, near) => {
        const identity = identityOf(text, near);
        assert.ok(identity === undefined || /^\+\d{7,15}$/.test(identity));
      },
    ),
  );
});
