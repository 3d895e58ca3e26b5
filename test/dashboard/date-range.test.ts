import assert from 'node:assert/strict';
import { it } from 'node:test';
import { timeRangeIn } from '../../dashboard/src/app/time-zone.ts';
import { dateRangeParam, daysOf } from '../../dashboard/src/lib/date-range.ts';

it('A range of days in an address is a preset, or two days of which one may be open', () => {
  for (const range of [
    'today',
    'yesterday',
    '7d',
    '90d',
    '2026-11-01..2026-11-09',
    '2026-11-01..',
    '..2026-11-09',
  ])
    assert.equal(dateRangeParam(range), range);
  for (const other of [
    '',
    '8d',
    'TODAY',
    '..',
    '2026-11-01',
    '2026-11-01..2026-11-09..',
    '1..2',
    '2026-13-01..',
    7,
  ])
    assert.equal(dateRangeParam(other), undefined, String(other));
  assert.deepEqual(daysOf('2026-11-01..'), { from: '2026-11-01', to: '' });
});

it("A range of days begins with its first day and ends after its last one, in the workspace's time zone", () => {
  const range = (value: string | undefined) => timeRangeIn('America/New_York', value);
  // The clock changes on the first day.
  assert.deepEqual(range('2026-11-01..2026-11-30'), {
    since: '2026-11-01T04:00:00.000Z',
    before: '2026-12-01T05:00:00.000Z',
  });
  assert.deepEqual(range('..2026-12-31'), { since: undefined, before: '2027-01-01T05:00:00.000Z' });
  assert.deepEqual(range('2026-11-01..'), { since: '2026-11-01T04:00:00.000Z', before: undefined });
  assert.deepEqual(range(undefined), {});
});

it('Presets count days back from today, which is one of them', () => {
  const DAY = 86_400_000;
  for (const [preset, days] of [
    ['today', 1],
    ['7d', 7],
    ['90d', 90],
  ] as const) {
    const { since = '', before } = timeRangeIn('UTC', preset);
    assert.equal(before, undefined);
    assert.match(since, /T00:00:00.000Z$/);
    const age = Date.now() - Date.parse(since) - (days - 1) * DAY;
    assert.ok(age >= 0 && age <= DAY, `${preset}: ${since}`);
  }
  const yesterday = timeRangeIn('UTC', 'yesterday');
  assert.equal(yesterday.before, timeRangeIn('UTC', 'today').since);
  assert.ok((yesterday.since ?? '') < (yesterday.before ?? ''));
});
