import assert from 'node:assert/strict';
import { it } from 'node:test';
import { dateRangeParam, daysOf, timeRange } from '../../dashboard/src/lib/date-range.ts';

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

it('A range of days begins with its first day and ends after its last one, in the time zone of the reader', () => {
  const midnight = (day: string) => new Date(`${day}T00:00:00`).toISOString();
  assert.deepEqual(timeRange('2026-11-01..2026-11-30'), {
    since: midnight('2026-11-01'),
    before: midnight('2026-12-01'),
  });
  assert.deepEqual(timeRange('..2026-12-31'), { since: undefined, before: midnight('2027-01-01') });
  assert.deepEqual(timeRange('2026-11-01..'), { since: midnight('2026-11-01'), before: undefined });
  assert.deepEqual(timeRange(undefined), {});
});

it('Presets count days back from today, which is one of them', () => {
  for (const [preset, days] of [
    ['today', 1],
    ['7d', 7],
    ['90d', 90],
  ] as const) {
    const { since = '', before } = timeRange(preset);
    const start = new Date(since);
    assert.equal(before, undefined);
    assert.deepEqual([start.getHours(), start.getMinutes(), start.getSeconds()], [0, 0, 0], since);
    start.setDate(start.getDate() + days - 1);
    const age = Date.now() - start.getTime();
    assert.ok(age >= 0 && age <= 25 * 3_600_000, `${preset}: ${since}`);
  }
  assert.equal(timeRange('yesterday').before, timeRange('today').since);
  assert.ok((timeRange('yesterday').since ?? '') < (timeRange('today').since ?? ''));
});
