import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { CampaignSchedule } from '../../dashboard/src/api/types.gen.ts';
import { bodyOf, formOf, problemsOf } from '../../dashboard/src/pages/campaigns/detail/schedule-form.ts';
import { windowText } from '../../dashboard/src/records/campaigns/call-window.ts';

const schedule = {
  starts_at: '2024-06-03T07:00:42.000Z',
  ends_at: null,
  call_window: { days: ['mon', 'tue', 'wed'], from: '09:00', to: '18:00' },
  max_attempts: 3,
  min_retry_minutes: null,
  retry_rules: [{ disposition: 'busy_line', action: 'retry', after_minutes: 90 }],
  time_zone: 'Europe/Berlin',
} as unknown as CampaignSchedule;

const problemsWith = (changes: Partial<ReturnType<typeof formOf>>): string[] =>
  Object.entries(problemsOf({ ...formOf(schedule), ...changes }, schedule))
    .filter(([, problem]) => problem)
    .map(([name]) => name);

it('A schedule shows the times of its time zone, and an unchanged form keeps their seconds', () => {
  const form = formOf(schedule);
  assert.equal(form.starts, '2024-06-03T09:00');
  const { time_zone: _, ...body } = schedule;
  assert.deepEqual(bodyOf(form, schedule), body);
  assert.equal(
    bodyOf({ ...form, starts: '2024-12-03T09:00' }, schedule).starts_at,
    '2024-12-03T08:00:00.000Z',
    'in winter',
  );
  assert.deepEqual(bodyOf({ ...form, days: ['sun', 'mon'] }, schedule).call_window?.days, ['mon', 'sun']);
});

it('A form names its problems, but not that an unchanged start is over', () => {
  assert.deepEqual(problemsWith({}), []);
  assert.deepEqual(problemsWith({ starts: '2024-06-04T09:00' }), ['starts']);
  assert.deepEqual(problemsWith({ starts: '2099-01-02T09:00', ends: '2099-01-02T09:00' }), ['ends']);
  assert.deepEqual(problemsWith({ days: [] }), ['days']);
  assert.deepEqual(problemsWith({ from: '18:00' }), ['to']);
  assert.deepEqual(problemsWith({ hasWindow: false, days: [], from: '', to: '' }), []);
  assert.deepEqual(problemsWith({ attempts: '101', minutes: '1.5' }), ['attempts', 'minutes']);
});

it('A call window is a range of days if it has more than two in a row', () => {
  const text = (...days: string[]) =>
    windowText({ days, from: '09:00', to: '18:00' } as NonNullable<CampaignSchedule['call_window']>);
  assert.equal(text('wed', 'mon', 'tue'), 'Mon–Wed, 09:00–18:00');
  assert.equal(text('mon', 'tue'), 'Mon, Tue, 09:00–18:00');
  assert.equal(text('mon', 'tue', 'thu'), 'Mon, Tue, Thu, 09:00–18:00');
  assert.equal(text('mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'), 'Every day, 09:00–18:00');
});
