import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { withoutTrunkPrefix } from './trunk-prefix.ts';

test('A trunk prefix after the country code is dropped', () => {
  const cases: [number: string, without: string][] = [
    ['+4402079460018', '+442079460018'],
    ['+49030231250000', '+4930231250000'],
    ['+114155550100', '+14155550100'],
    ['+360612345678', '+3612345678'],
    ['+788005550100', '+78005550100'],
    ['+610412345678', '+61412345678'],
    ['+370861234567', '+37061234567'],
    ['+3750291234567', '+375291234567'],
  ];
  for (const [number, without] of cases) assert.equal(withoutTrunkPrefix(number), without, number);
});

test('Digits that belong to the number stay', () => {
  for (const number of [
    '+14155550100',
    '+442079460018',
    '+390612345678',
    '+3780549123456',
    '+78005550100',
    '+2250101234567',
    '+80012345678',
    '+11234567',
    '+353000000000',
    '+4400000000',
    '+379012345',
    '+1415555',
  ]) {
    assert.equal(withoutTrunkPrefix(number), number, number);
  }
});

test('A result has no trunk prefix', () => {
  const number = fc
    .tuple(
      fc.constantFrom('', '1', '44', '49', '36', '7', '39', '375', '81', '54'),
      fc.stringMatching(/^\d{5,13}$/),
    )
    .map(([code, rest]) => `+${code}${rest}`);
  fc.assert(
    fc.property(number, (text) => {
      const without = withoutTrunkPrefix(text);
      assert.equal(withoutTrunkPrefix(without), without);
    }),
    { numRuns: 2_000 },
  );
});
