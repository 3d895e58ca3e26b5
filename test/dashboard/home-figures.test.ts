import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Figures } from '../../dashboard/src/api/types.gen.ts';
import { callPoints, compare, outcomesOf } from '../../dashboard/src/pages/home/series.ts';
import { callStatuses, finalStatuses } from '../../src/features/calls/call.schema.ts';

const day = (contacts: object, statuses: Record<string, number>) => ({
  day: '2026-11-01',
  contacts,
  statuses,
  calls: Object.values(statuses).reduce((sum, each) => sum + each, 0),
});
const figures = {
  days: [day({ api: 2, import: 5 }, { completed: 3, busy: 1 }), day({ api: 1 }, { failed: 2, ringing: 1 })],
  previous: { contacts: { manual: 4 }, statuses: { completed: 1, no_answer: 6 }, calls: 7 },
} as unknown as Figures;

it('Every status of a call counts for one outcome', () => {
  const counts = Object.fromEntries(callStatuses.map((status) => [status, 1]));
  const outcomes = outcomesOf(counts);
  assert.equal(outcomes.completed + outcomes.unsuccessful + outcomes.open, callStatuses.length);
  assert.equal(outcomes.completed + outcomes.unsuccessful, finalStatuses.length);
});

it('The home page compares a period with the one before', () => {
  assert.deepEqual(compare(figures), {
    contacts: { now: 8, before: 4 },
    calls: { now: 7, before: 7 },
    completed: { now: 3, before: 1 },
    unsuccessful: { now: 3, before: 6 },
  });
  assert.deepEqual(callPoints(figures)[1]?.values, { completed: 0, unsuccessful: 2, open: 1 });
});
