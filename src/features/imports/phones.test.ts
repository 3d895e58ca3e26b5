import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { anyCharacter } from '../../../test/kit/any-character.ts';
import { readPhone } from './phones.ts';

const read = (text: string, country?: string | null) => readPhone(text, country);

test('Phone numbers are read in every format', () => {
  const cases: [text: string, country: string | null, identity: string][] = [
    ['+14155550100', null, '+14155550100'],
    ['+1 (415) 555-0100', null, '+14155550100'],
    ['(+1) 415.555.0100', null, '+14155550100'],
    [' +1 415 555 0100\u00a0', null, '+14155550100'],
    ['\u202a+1 415\u2011555\u20110100\u202c', null, '+14155550100'],
    ['+44 (0)20 7946 0100', null, '+442079460100'],
    ['(415) 555-0100', 'US', '+14155550100'],
    ['415.555.0100', 'US', '+14155550100'],
    ['415-555-0100', 'CA', '+14155550100'],
    ['020 7946 0100', 'GB', '+442079460100'],
    ['030 23125-100', 'DE', '+493023125100'],
    ['030/23125100', 'DE', '+493023125100'],
    ['3023125100', 'DE', '+493023125100'],
    // Right with a + as well, and then another number.
    ['17604069000', 'DE', '+4917604069000'],
    ['00 1 415 555 0100', 'DE', '+14155550100'],
    ['0014155550100', null, '+14155550100'],
    ['011 44 20 7946 0100', 'US', '+442079460100'],
  ];
  for (const [text, country, identity] of cases)
    assert.deepEqual(read(text, country), { ok: true, identity }, text);
});

test('Damaged phone numbers are repaired', () => {
  const cases: [text: string, country: string | null, identity: string][] = [
    ['14155550100', 'US', '+14155550100'],
    ['442079460100', 'GB', '+442079460100'],
    ['493023125100', 'DE', '+493023125100'],
    ['1.4155550123E+10', 'US', '+14155550123'],
    ['1,4155550123e10', 'US', '+14155550123'],
    ['4.155550123E+9', 'US', '+14155550123'],
    ['14155550100.0', 'US', '+14155550100'],
    ['4155550100.00', 'US', '+14155550100'],
    ['14,155,550,100', 'US', '+14155550100'],
    ['+1 415 555 0100 ::: +1 415 555 0101', null, '+14155550100'],
    ['415-555-0100; 415-555-0101', 'US', '+14155550100'],
    ['415-555-0100, 415-555-0101', 'US', '+14155550100'],
    [' ::: \n+14155550100\n+14155550101', null, '+14155550100'],
    ['(415) 555-0100 x12', 'US', '+14155550100'],
    ['+1 415 555 0100 ext. 12', null, '+14155550100'],
    ['tel:+1-415-555-0100;ext=12', null, '+14155550100'],
  ];
  for (const [text, country, identity] of cases)
    assert.deepEqual(read(text, country), { ok: true, identity }, text);
});

test('Text around a phone number is ignored', () => {
  for (const text of [
    "'+14155550100",
    'tel:+14155550100',
    'TEL: +1-415-555-0100',
    'Mobile: +1 415 555 0100',
    '="+14155550100"',
    "''+14155550100",
    '\ufeff+14155550100',
    '+14155550100\n',
  ]) {
    assert.deepEqual(read(text), { ok: true, identity: '+14155550100' }, text);
  }
  assert.deepEqual(read("'(415) 555-0100", 'US'), { ok: true, identity: '+14155550100' });
});

test('A national number with the wrong number of digits does not fit the default country', () => {
  const codeOf = (text: string, country?: string) => {
    const reading = read(text, country);
    return reading.ok ? undefined : reading.code;
  };
  assert.equal(codeOf('030 23125001', 'US'), 'country_mismatch');
  assert.equal(codeOf('555-0100', 'US'), 'phone_too_short');
  assert.equal(codeOf('41555501001234', 'US'), 'country_mismatch');
  assert.equal(codeOf('555-0100'), 'country_missing');
  assert.equal(codeOf('+1 415', 'US'), 'phone_invalid');
  assert.equal(codeOf('hello', 'US'), 'phone_invalid');
});

test('Text that is not a phone number is rejected with a reason', () => {
  const cases: [text: string, country: string | null, reason: RegExp][] = [
    ['', 'US', /^is missing\.$/],
    [" ' ", 'US', /^is missing\.$/],
    ['4.15556E+11', 'US', /^was turned into 4\.15556E\+11 by a spreadsheet, and its last digits are lost\./],
    ['1,41556E+10', 'DE', /^was turned into 1,41556E\+10 by a spreadsheet/],
    ['+1.41556E+10', null, /by a spreadsheet/],
    ['1.41555501234E+10', 'US', /by a spreadsheet/],
    ['(415) 555-0100', null, /^has no \+ and country code\. Choose a default country/],
    ['14155550100', undefined as never, /^has no \+ and country code/],
    ['4155550100', 'XX', /^has no \+ and country code/],
    ['14155550100', 'DE', /^may be a number of another country\. If it is, write it as \+14155550100\.$/],
    // One digit too few or too many, and right abroad.
    ['298200000', 'US', /^has too few digits for a number in US\.$/],
    ['41555501001', 'US', /^has too many digits for a number in US\.$/],
    ['555-0100', 'US', /^has too few digits for a number in US\.$/],
    ['41555501001234', 'US', /^has too many digits for a number in US\.$/],
    ['+1 415', null, /7 to 15 digits after the \+; this number has 4\./],
    ['+999 415 555 0100', null, /an assigned country code/],
    ['+1415555010a', null, /only \+ and digits/],
    ['n/a', 'US', /^is not a phone number\.$/],
    ['n/a', null, /^is not a phone number\.$/],
    ['ada@example.com', 'US', /^is not a phone number\.$/],
    ['1-800-LOVELACE', 'US', /^is not a phone number\.$/],
    ['1'.repeat(30_000), 'US', /^is not a phone number\.$/],
    [`x${' 1'.repeat(15_000)}`, 'US', /^is not a phone number\.$/],
  ];
  for (const [text, country, reason] of cases) {
    const reading = read(text, country);
    assert.match(reading.ok ? `read as ${reading.identity}` : reading.reason, reason, text.slice(0, 40));
  }
});

test('Ten digits in North America are read as libphonenumber reads them', () => {
  const digits = fc
    .tuple(
      fc.constantFrom('', '1'),
      fc.integer({ min: 1, max: 9 }),
      fc.nat(99_999_999),
      fc.constantFrom(7, 8, 9),
    )
    .map(([one, first, rest, length]) => one + first + String(rest).padStart(length, '0'));
  fc.assert(
    fc.property(digits, fc.constantFrom<CountryCode>('US', 'CA', 'JM', 'PR', 'DO', 'BS'), (text, country) => {
      const library = parsePhoneNumberFromString(text, { defaultCountry: country, extract: false });
      const reading = readPhone(text, country);
      const expected = library?.isPossible() === true && library.number;
      assert.equal(reading.ok && reading.identity, expected, `${text} ${country}`);
    }),
    { numRuns: 2_000 },
  );
});

test('Any text gets a result, and any identity is international', () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.string({ unit: fc.constantFrom(...'0123456789+-(). E:;,x\'"='), maxLength: 24 }),
  );
  fc.assert(
    fc.property(text, fc.constantFrom('US', 'DE', 'IT', '44', '', null, 'x'), (written, country) => {
      const reading = readPhone(written, country);
      if (reading.ok) assert.match(reading.identity, /^\+\d{7,15}$/);
      else assert.match(reading.reason, /\.$/);
    }),
    { numRuns: 3_000 },
  );
});

test('A number with many blanks is read in linear time', () => {
  const began = performance.now();
  for (const text of [`1${' '.repeat(32_000)}x`, `1${' '.repeat(32_000)};2`, `${'1,'.repeat(16_000)}x`]) {
    assert.equal(readPhone(text).ok, false);
  }
  // Each of them took three seconds.
  assert.ok(performance.now() - began < 2_000);
});
