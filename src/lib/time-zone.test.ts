import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addDays,
  instantOf,
  localDay,
  localTime,
  startOfDay,
  timeZoneName,
  zoneOffset,
} from './time-zone.ts';

const iso = (at: number) => new Date(at).toISOString();
const at = (text: string) => Date.parse(text);
const HOUR = 3_600_000;

test('A time zone is known by its IANA name in any case, and aliases stay as they are', () => {
  for (const name of ['UTC', 'Europe/Berlin', 'America/Argentina/Ushuaia', 'Etc/GMT+5', 'Asia/Kolkata'])
    assert.equal(timeZoneName(name), name);
  assert.equal(timeZoneName('europe/berlin'), 'Europe/Berlin');
  assert.equal(timeZoneName('utc'), 'UTC');
  for (const name of ['', 'U', '+01:00', 'Berlin', 'Europe/Atlantis', ' UTC', 'UTC\n', 'a'.repeat(65)])
    assert.equal(timeZoneName(name), undefined, JSON.stringify(name));
});

test('The offset of a zone follows daylight saving time', () => {
  assert.equal(zoneOffset('UTC', at('2026-07-01T00:00:00Z')), 0);
  assert.equal(zoneOffset('Europe/Berlin', at('2026-01-01T00:00:00.500Z')), HOUR);
  assert.equal(zoneOffset('Europe/Berlin', at('2026-03-29T00:59:59.999Z')), HOUR);
  assert.equal(zoneOffset('Europe/Berlin', at('2026-03-29T01:00:00Z')), 2 * HOUR);
  assert.equal(zoneOffset('Asia/Kathmandu', at('2026-01-01T00:00:00Z')), 5.75 * HOUR);
  assert.equal(zoneOffset('America/New_York', at('2026-01-01T00:00:00Z')), -5 * HOUR);
});

test('Local times and days are those of the zone', () => {
  assert.equal(localTime('Asia/Kolkata', at('2026-06-01T18:30:00Z')), '2026-06-02T00:00:00');
  assert.equal(localDay('Asia/Kolkata', at('2026-06-01T18:29:59.999Z')), '2026-06-01');
  assert.equal(localDay('Pacific/Kiritimati', at('2026-12-31T10:00:00Z')), '2027-01-01');
  assert.equal(localDay('Pacific/Pago_Pago', at('2027-01-01T10:59:00Z')), '2026-12-31');
});

test('A wall time that is skipped moves forward, and one that occurs twice is the first', () => {
  assert.equal(iso(instantOf('Europe/Berlin', '2026-06-01T09:00')), '2026-06-01T07:00:00.000Z');
  assert.equal(iso(instantOf('Europe/Berlin', '2026-03-29T02:30')), '2026-03-29T01:30:00.000Z');
  assert.equal(iso(instantOf('Europe/Berlin', '2026-10-25T02:30:15')), '2026-10-25T00:30:15.000Z');
  assert.equal(iso(instantOf('America/New_York', '2026-03-08T02:30')), '2026-03-08T07:30:00.000Z');
  assert.equal(iso(instantOf('America/New_York', '2026-11-01T01:30')), '2026-11-01T05:30:00.000Z');
  assert.equal(iso(instantOf('Australia/Lord_Howe', '2026-10-04T02:15')), '2026-10-03T15:45:00.000Z');
  assert.equal(iso(instantOf('UTC', '2026-03-29T02:30')), '2026-03-29T02:30:00.000Z');
});

test('A day begins at its first instant, also where midnight is skipped or occurs twice', () => {
  const lengthOf = (zone: string, day: string) =>
    (startOfDay(zone, addDays(day, 1)) - startOfDay(zone, day)) / HOUR;
  assert.equal(iso(startOfDay('Europe/Berlin', '2026-03-29')), '2026-03-28T23:00:00.000Z');
  assert.equal(lengthOf('Europe/Berlin', '2026-03-29'), 23);
  assert.equal(lengthOf('Europe/Berlin', '2026-10-25'), 25);
  assert.equal(lengthOf('Australia/Lord_Howe', '2026-04-05'), 24.5);
  // Beirut skips the hour after midnight; Havana repeats it; Toronto once skipped from 23:30 to 00:30.
  assert.equal(iso(startOfDay('Asia/Beirut', '2026-03-29')), '2026-03-28T22:00:00.000Z');
  assert.equal(lengthOf('Asia/Beirut', '2026-03-29'), 23);
  assert.equal(iso(startOfDay('America/Havana', '2026-11-01')), '2026-11-01T04:00:00.000Z');
  assert.equal(lengthOf('America/Havana', '2026-11-01'), 25);
  assert.equal(
    localTime('America/Toronto', startOfDay('America/Toronto', '1919-03-31')),
    '1919-03-31T00:30:00',
  );
  // Samoa had no 30 December 2011.
  assert.equal(lengthOf('Pacific/Apia', '2011-12-30'), 0);
});

test('Every instant of two years is in the day whose start precedes it', () => {
  for (const zone of [
    'Europe/Berlin',
    'America/Havana',
    'Asia/Beirut',
    'Asia/Kathmandu',
    'America/Sao_Paulo',
  ])
    for (let day = '2017-01-01'; day < '2019-01-01'; day = addDays(day, 1)) {
      const start = startOfDay(zone, day);
      assert.equal(localDay(zone, start), day, zone);
      assert.equal(localDay(zone, start - 1), addDays(day, -1), zone);
    }
});
