import assert from 'node:assert/strict';
import { test } from 'node:test';
import { phoneZoneLines } from '../../lib/phone-zones.data.ts';
import { zonesOfPhone } from '../../lib/phone-zones.ts';
import { zoneOffset } from '../../lib/time-zone.ts';
import {
  type CallWindow,
  isOpen,
  latestTime,
  nextOpening,
  UNKNOWN_ZONE,
  weekdays,
  zoneGroupOf,
} from './call-window.ts';

const office: CallWindow = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '18:00' };
const at = (iso: string): number => Date.parse(iso);
const isoOf = (time: number | undefined) => time && new Date(time).toISOString();

test('The zones of a number follow from its country and area code', () => {
  assert.equal(zonesOfPhone('+14155550100'), 'America/Los_Angeles');
  assert.equal(zonesOfPhone('+12125550100'), 'America/New_York');
  assert.equal(zonesOfPhone('+18085550100'), 'Pacific/Honolulu');
  assert.equal(zonesOfPhone('+61255500100'), 'Australia/Sydney');
  assert.equal(zonesOfPhone('+4915123456705'), 'Europe/Berlin');
  assert.equal(zonesOfPhone('+5511955500100'), 'America/Sao_Paulo');
  assert.equal(zonesOfPhone('+18005550100'), 'America/Los_Angeles&America/New_York');
  assert.equal(zonesOfPhone('+70005550100'), 'Asia/Novosibirsk&Europe/Moscow');
});

test('A number without a known zone counts in the zone of the workspace', () => {
  for (const phone of [null, '+999123', '0151 234', '+', '']) assert.equal(zoneGroupOf(phone), UNKNOWN_ZONE);
  const monday = at('2026-11-16T09:30:00Z');
  assert.equal(isOpen(office, UNKNOWN_ZONE, 'Europe/London', monday), true);
  assert.equal(isOpen(office, UNKNOWN_ZONE, 'America/New_York', monday), false);
});

test('Node knows every zone of the table', () => {
  const zones = new Set(
    phoneZoneLines
      .trim()
      .split('\n')
      .flatMap((line) => (line.split(' ')[0] ?? '').split('&')),
  );
  for (const zone of zones) assert.ok(Number.isFinite(zoneOffset(zone, 0)), zone);
});

test('A window opens at its first minute and closes at its last', () => {
  const isOpenAt = (time: string) => isOpen(office, 'Europe/Berlin', 'UTC', at(time));
  assert.equal(isOpenAt('2026-11-16T07:59:59.999Z'), false);
  assert.equal(isOpenAt('2026-11-16T08:00:00.000Z'), true);
  assert.equal(isOpenAt('2026-11-16T16:59:59.999Z'), true);
  assert.equal(isOpenAt('2026-11-16T17:00:00.000Z'), false);
  assert.equal(isOpenAt('2026-11-14T12:00:00.000Z'), false, 'a Saturday');
});

test('The day of the week is that of the contact', () => {
  const friday: CallWindow = { days: ['fri'], from: '00:00', to: '24:00' };
  const time = at('2026-11-19T22:00:00Z'); // Friday in Auckland, Thursday in New York
  assert.equal(isOpen(friday, 'Pacific/Auckland', 'UTC', time), true);
  assert.equal(isOpen(friday, 'America/New_York', 'UTC', time), false);
});

test('Contacts in several zones are called only while the window is open in all of them', () => {
  const group = 'America/Los_Angeles&America/New_York';
  const isOpenAt = (time: string) => isOpen(office, group, 'UTC', at(time));
  assert.equal(isOpenAt('2026-11-16T15:00:00Z'), false, '10:00 in New York, 07:00 in Los Angeles');
  assert.equal(isOpenAt('2026-11-16T17:00:00Z'), true);
  assert.equal(isOpenAt('2026-11-16T23:00:00Z'), false, '18:00 in New York');
  assert.equal(
    isoOf(nextOpening(office, group, 'UTC', at('2026-11-16T23:00:00Z'))),
    '2026-11-17T17:00:00.000Z',
  );
});

test('The next opening is exact across days, weeks and changes of clocks', () => {
  const opening = (zone: string, time: string, window = office) =>
    isoOf(nextOpening(window, zone, 'UTC', at(time)));
  assert.equal(
    opening('Europe/Berlin', '2026-11-13T18:00:00Z'),
    '2026-11-16T08:00:00.000Z',
    'after a weekend',
  );
  const odd: CallWindow = { days: [...weekdays], from: '09:07', to: '09:08' };
  assert.equal(opening('Asia/Kathmandu', '2026-11-16T12:00:00Z', odd), '2026-11-17T03:22:00.000Z');
  // Clocks were set back on 2026-10-25 in Berlin, and forward on 2026-03-29.
  const daily: CallWindow = { days: [...weekdays], from: '09:00', to: '18:00' };
  assert.equal(opening('Europe/Berlin', '2026-10-24T20:00:00Z', daily), '2026-10-25T08:00:00.000Z');
  assert.equal(opening('Europe/Berlin', '2026-03-28T20:00:00Z', daily), '2026-03-29T07:00:00.000Z');
  // 02:40 does not exist on that day: the window is open from the first minute after the gap.
  const night: CallWindow = { days: [...weekdays], from: '02:40', to: '04:00' };
  assert.equal(opening('Europe/Berlin', '2026-03-28T20:00:00Z', night), '2026-03-29T01:00:00.000Z');
  assert.equal(opening('Europe/Berlin&Asia/Tokyo', '2026-03-28T20:00:00Z', odd), undefined);
});

test('A window closes first where the latest local time of a group is', () => {
  const time = at('2026-11-16T17:00:00Z');
  assert.equal(latestTime('America/Los_Angeles&America/New_York', 'UTC', time), '12:00');
  assert.equal(latestTime('Europe/Berlin', 'UTC', time), '18:00');
  assert.equal(latestTime(UNKNOWN_ZONE, 'Asia/Kathmandu', time), '22:45');
});
