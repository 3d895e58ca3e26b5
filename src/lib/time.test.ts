import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDay, parseEmailDate, parseTime } from './time.ts';

test('A time with its time zone is read as UTC', () => {
  const times: [text: string, moment: string][] = [
    ['2027-01-31T09:30:00Z', '2027-01-31T09:30:00.000Z'],
    ['2027-01-31T09:30:00.5+02:00', '2027-01-31T07:30:00.500Z'],
    ['2028-02-29T23:59:59.999999999Z', '2028-02-29T23:59:59.999Z'],
    ['2027-03-01T00:30:00+01:00', '2027-02-28T23:30:00.000Z'],
    ['0000-02-29T00:00:00Z', '0000-02-29T00:00:00.000Z'],
  ];
  for (const [text, moment] of times) assert.equal(parseTime(text), moment, text);
});

test('A date or time that does not exist is rejected, not shifted', () => {
  for (const text of [
    '2027-02-31T00:00:00Z',
    '2027-02-29T00:00:00Z',
    '2100-02-29T00:00:00Z',
    '2027-04-31T00:00:00+02:00',
    '2027-13-01T00:00:00Z',
    '2027-00-10T00:00:00Z',
    '2027-01-00T00:00:00Z',
    '2027-01-01T24:00:00Z',
    '2027-01-01T23:60:00Z',
    '2027-01-01T23:59:60Z',
    '2027-01-01T00:00:00+24:00',
    '2027-01-01T00:00:00+14:60',
    '0000-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
  ]) {
    assert.equal(parseTime(text), undefined, text);
  }
});

test('Only the documented time formats are read', () => {
  for (const text of [
    '',
    '2027-01-01',
    '2027-01-01T00:00:00',
    '2027-01-01 00:00:00Z',
    'tomorrow',
    '1798761600',
  ]) {
    assert.equal(parseTime(text), undefined, text);
  }
});

test('A day is its start in UTC, and only calendar days are read', () => {
  assert.equal(parseDay('2028-02-29'), '2028-02-29T00:00:00.000Z');
  for (const text of ['2027-02-29', '2027-02-31', '2027-06-31', '2027-13-01', '2027-1-1', '', '20270101']) {
    assert.equal(parseDay(text), undefined, text);
  }
});

test('A valid date of an email header is read', () => {
  assert.equal(parseEmailDate('Mon, 01 Jun 2026 12:00:30 +0000'), '2026-06-01T12:00:30.000Z');
  assert.equal(parseEmailDate('Mon, 1 Jun 2026 12:00:30 GMT'), '2026-06-01T12:00:30.000Z');
  for (const text of [
    'Tue, 31 Feb 2026 00:00:00 +0000',
    'Tue, 03 Mar 2026 24:00:00 +0000',
    'Tue, 01 Jun 2026 12:00:30 +0000',
    '2026-06-01T12:00:30Z',
  ]) {
    assert.equal(parseEmailDate(text), undefined, text);
  }
});
