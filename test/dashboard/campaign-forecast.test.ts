import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forecastText } from '../../dashboard/src/pages/campaigns/detail/forecast.ts';

const daysWith = (...results: number[]) =>
  results.map((completed) => ({ day: '2026-01-01', enrolled: 0, claimed: 0, completed, failed: 0 }));
const none = { in_progress: 0, completed: 0, failed: 0, blocked: 0, skipped: 0 };
const active = (pending: number) => ({ status: 'active', enrolled: { ...none, pending } }) as const;
const forecast = (results: number[], pending: number) => forecastText(daysWith(...results), active(pending));
const TODAY = 500;

it('The pace is the average of at most the last seven whole days since the first result', () => {
  const expected = 'About 120 a day; done in about 3 days at this pace';
  assert.equal(forecast([0, 0, 100, 140, TODAY], 300), expected);
  const failed = daysWith(0, 100, 140, TODAY).map((day) => ({ ...day, completed: 0, failed: day.completed }));
  assert.equal(forecastText(failed, active(300)), expected);
  // The weekend counts, and what was before the week does not.
  const week = [70, 70, 70, 70, 70, 0, 0];
  assert.equal(forecast([9_999, ...week, TODAY], 40), 'About 50 a day; done in about 1 day at this pace');
});

it('There is no forecast on the first day, after a week without results, and with few of them', () => {
  for (const results of [[], [0, 0, 0], [0, 0, TODAY], [TODAY, 0, 0, 0, 0, 0, 0, 0, TODAY], [4, 5, TODAY]])
    assert.equal(forecast(results, 10), undefined);
});

it('There is no forecast for a campaign that is not active or has no one left', () => {
  const days = daysWith(100, 140, TODAY);
  assert.equal(forecastText(days, active(0)), undefined);
  assert.equal(forecastText(days, { ...active(10), status: 'paused' }), undefined);
});
