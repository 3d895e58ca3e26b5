import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { internationalIdentity } from './phone.ts';
import { variantsOf } from './phone.variants.ts';

/** Pairs of forms: one subscriber. */
const PAIRS = [
  ['+5511965550100', '+551165550100'],
  ['+5521985550100', '+552185550100'],
  ['+5571995550100', '+557195550100'],
  ['+5531971550100', '+553171550100'],
  ['+5491155500100', '+541155500100'],
  ['+5492215550100', '+542215550100'],
  ['+5493815550100', '+543815550100'],
  ['+5492966555010', '+542966555010'],
  ['+5215555500100', '+525555500100'],
  ['+5213335550100', '+523335550100'],
] as const;

const WITHOUT = [
  // Fixed lines and trunked radio of Brazil, area codes that do not exist, other lengths.
  '+551125550100',
  '+5511925550100',
  '+551155550100',
  '+551178550100',
  '+5511978550100',
  '+5510965550100',
  '+552065550100',
  '+5523965550100',
  '+55119655501000',
  '+55116555010',
  // Argentina: not an area code, other lengths.
  '+5491015550100',
  '+541111111111',
  '+542515550100',
  '+549115550010',
  '+54911555001000',
  // Mexico: not an area code, other lengths.
  '+521155550010',
  '+5210555500100',
  '+52155555001000',
  // Other countries.
  '+14155550100',
  '+447700900123',
  '+5355550100',
  '+595965550100',
  '',
  '+55',
  'anonymous',
];

test('Each form of a Brazilian, Argentine or Mexican mobile number has the other one as its only variant', () => {
  for (const [long, short] of PAIRS) {
    assert.deepEqual(variantsOf(long), [short]);
    assert.deepEqual(variantsOf(short), [long]);
  }
});

test('Fixed lines, unknown area codes, other lengths and other countries have no variants', () => {
  for (const number of WITHOUT) assert.deepEqual(variantsOf(number), [], number);
});

const digits = (length: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })
    .map((each) => each.join(''));
const number = fc
  .tuple(fc.constantFrom('+55', '+54', '+52', '+549', '+521', '+1', '+44'), fc.integer({ min: 7, max: 11 }))
  .chain(([code, length]) => digits(length).map((rest) => code + rest));

test('Variants are symmetric, a closed group without the number itself, and identities of the same country', () => {
  let seen = 0;
  fc.assert(
    fc.property(number, (identity) => {
      const variants = variantsOf(identity);
      seen += variants.length;
      for (const variant of variants) {
        assert.notEqual(variant, identity);
        assert.equal(variant.slice(0, 3), identity.slice(0, 3));
        assert.equal(Math.abs(variant.length - identity.length), 1);
        assert.equal(internationalIdentity(variant), variant);
        const group = [identity, ...variants].sort();
        assert.deepEqual([variant, ...variantsOf(variant)].sort(), group);
      }
    }),
    { numRuns: 5_000 },
  );
  assert.ok(seen > 200, `${seen} variants`);
});

test('The longer form in Brazil is a mobile number by the plan of libphonenumber', () => {
  let seen = 0;
  fc.assert(
    fc.property(digits(10), (rest) => {
      const [long] = variantsOf(`+55${rest}`);
      if (long === undefined) return;
      seen++;
      assert.equal(parsePhoneNumberFromString(long)?.getType(), 'MOBILE', long);
    }),
    { numRuns: 3_000 },
  );
  assert.ok(seen > 200, `${seen} numbers`);
});
