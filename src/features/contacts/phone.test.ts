import assert from 'node:assert/strict';
import { test } from 'node:test';
import metadata from 'libphonenumber-js/metadata.max.json';
import { isInternational, phoneNeedle, phoneProblem, withoutSeparators } from './phone.ts';

const { country_calling_codes, nonGeographic } = metadata as unknown as Record<string, object>;
const known = new Set([...Object.keys(country_calling_codes ?? {}), ...Object.keys(nonGeographic ?? {})]);

/** Assigned by the ITU and not in use yet, so that libphonenumber leaves it out: the Vatican. */
const unused = ['379'];

test('Every calling code that libphonenumber knows is accepted', () => {
  assert.ok(known.size > 200);
  for (const code of known) assert.ok(isInternational(`+${code}000000000`), code);
});

test('No other number prefix is accepted', () => {
  const assigned = [...known, ...unused];
  for (let start = 0; start < 1000; start++) {
    const digits = String(start).padStart(3, '0');
    const expected = assigned.some((code) => digits.startsWith(code));
    assert.equal(isInternational(`+${digits}000000000`), expected, digits);
  }
});

test('An international number has 7 to 15 digits and nothing else', () => {
  for (let digits = 1; digits <= 20; digits++) {
    assert.equal(isInternational(`+1${'0'.repeat(digits - 1)}`), digits >= 7 && digits <= 15, `${digits}`);
  }
  for (const text of [
    '',
    '+',
    '14155550100',
    '+1415555010a',
    '+14155550100\n',
    '+1 4155550100',
    '++14155550100',
  ]) {
    assert.equal(isInternational(text), false, JSON.stringify(text));
  }
});

test('Separators between digits are removed', () => {
  assert.equal(withoutSeparators(' +1 (415) 555-01.00\t'), '+14155550100');
  assert.equal(withoutSeparators('[415]\u00a0555\u20110100/{1}'), '41555501001');
  assert.equal(withoutSeparators('+1415x5550100#'), '+1415x5550100#');
});

test('The error message says what to send', () => {
  assert.equal(phoneProblem('+14155550100'), undefined);
  const problems: [string, RegExp][] = [
    ['+1 (415) 555-0100', /spaces, dots, dashes or brackets\. Send \+14155550100\.$/],
    ['(+1) 415.555.0100', /Send \+14155550100\.$/],
    ['(415) 555-0100', /starts with \+ and the country code, for example \+14155550100/],
    ['14155550100', /starts with \+ and the country code/],
    ['', /starts with \+ and the country code/],
    ['+1415555010a', /only \+ and digits/],
    ['+141555', /7 to 15 digits after the \+; this number has 6\./],
    ['+1 415 55', /7 to 15 digits after the \+; this number has 6\./],
    ['+1234567890123456', /7 to 15 digits after the \+; this number has 16\./],
    ['+9994155550100', /an assigned country code/],
    ['+999 415 555 0100', /an assigned country code/],
    ['+04155550100', /an assigned country code/],
  ];
  for (const [text, problem] of problems) assert.match(phoneProblem(text) ?? '', problem);
});

test('A search matches phone numbers only if it could be part of one', () => {
  assert.equal(phoneNeedle('415'), '415');
  assert.equal(phoneNeedle(' (415) 555-01'), '41555501');
  assert.equal(phoneNeedle('415.555\u20110100'), '4155550100');
  for (const search of ['', ' ', '-', '+', '()', 'ada', '415a', 'ada 415', '415@example.com', '٤١٥']) {
    assert.equal(phoneNeedle(search), null, search);
  }
});
