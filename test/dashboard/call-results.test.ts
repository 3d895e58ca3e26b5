import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isNarrower, resultQuery } from '../../dashboard/src/pages/calls/list/result-query.ts';
import { dispositionSeries } from '../../dashboard/src/pages/calls/list/result-series.ts';
import {
  newRow,
  type RetryRow,
  ruleProblems,
  rulesOf,
} from '../../dashboard/src/pages/campaigns/detail/retry-rules.ts';
import {
  bodyOf,
  dispositionKey,
  formOf,
  isSameSettings,
  moved,
  problemsOf,
} from '../../dashboard/src/pages/settings/calls/form.ts';
import {
  difference,
  dispositionKeys,
  dispositionShare,
  goalKeys,
  goalShare,
  rateOf,
} from '../../dashboard/src/records/calls/outcomes.ts';

const retryRows = (rows: readonly (readonly [string, RetryRow['action'], string])[]): RetryRow[] =>
  rows.map(([disposition, action, minutes]) => ({ ...newRow(), disposition, action, minutes }));

const sums = {
  dispositions: { booked: 6, odd: 1, later: 3 },
  goals: { booked: { reached: 2, missed: 2 }, consent: { reached: 9, missed: 0 } },
};
const settings = {
  dispositions: [
    { key: 'later', label: 'Call back' },
    { key: 'unused', label: 'Unused' },
    { key: 'booked', label: 'Booked' },
  ],
  field_rules: [{ data: 'budget', field: 'budget', mode: 'overwrite' as const }],
  transcript_days: null,
};

it('Rates are shares of the calls that report a result', () => {
  assert.deepEqual(goalShare(sums, 'booked'), { count: 2, of: 4 });
  assert.deepEqual(dispositionShare(sums, 'booked'), { count: 6, of: 10 });
  assert.equal(rateOf(goalShare(sums, 'none')), undefined);
  assert.equal(difference({ count: 1, of: 2 }, { count: 1, of: 3 }), 17);
  assert.equal(difference({ count: 1, of: 2 }, { count: 0, of: 0 }), undefined);
  assert.deepEqual(goalKeys([sums]), ['consent', 'booked'], 'the most frequent one first');
  const keys = settings.dispositions.map(({ key }) => key);
  assert.deepEqual(dispositionKeys([sums], keys), ['later', 'booked', 'odd'], 'in the order of the settings');
});

it('The chart has a series for each frequent disposition, and one for the others', () => {
  const day = { day: '2026-11-01', dispositions: { booked: 2, odd: 1 }, goals: {} };
  const few = dispositionSeries({ ...sums, days: [day] }, settings.dispositions);
  assert.deepEqual(
    few.series.map(({ id, label }) => [id, label]),
    [
      ['later', 'Call back'],
      ['booked', 'Booked'],
      ['odd', 'Odd'],
    ],
  );
  assert.deepEqual(few.points, [{ key: '2026-11-01', values: { later: 0, booked: 2, odd: 1 } }]);
  const counts = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((key, at) => [key, 10 - at]));
  const many = dispositionSeries(
    { dispositions: counts, goals: {}, days: [{ day: '2026-11-01', dispositions: counts, goals: {} }] },
    [],
  );
  assert.deepEqual(
    many.series.map(({ label }) => label),
    ['A', 'B', 'C', 'D', 'E', 'Others'],
  );
  assert.equal(many.points[0]?.values['+'], 9);
});

it('Results are asked for the days that are counted, unless another filter narrows the list', () => {
  const now = Date.parse('2026-11-19T12:00:00Z');
  const of = (date: string | undefined) => {
    const { since, before } = resultQuery({ date }, 'Europe/Berlin', now);
    return [since, before];
  };
  assert.deepEqual(of(undefined), [undefined, undefined]);
  assert.deepEqual(of('2026-11-01..2026-11-09'), ['2026-11-01', '2026-11-10']);
  assert.deepEqual(of('2024-01-01..'), ['2025-11-19', undefined]);
  assert.equal(isNarrower({ date: '7d', version: 'v', charts: true, page: 2 }), false);
  assert.equal(isNarrower({ goal: 'booked' }), true);
});

it('The key of a disposition follows its label until it is typed', () => {
  assert.equal(dispositionKey('  Möchte Rückruf! (später)'), 'mochte_ruckruf_spater');
  assert.equal(dispositionKey('24 hours'), 'hours');
  assert.equal(dispositionKey('日本語'), '');
});

it('The settings for calls are unchanged by the form, and its problems name the rows', () => {
  const form = formOf(settings);
  assert.deepEqual(bodyOf(form), settings);
  assert.equal(isSameSettings(form, settings), true);
  const [first] = form.dispositions;
  assert.ok(first);
  const later = moved(form.dispositions, first.id, 1);
  assert.deepEqual(
    later.map(({ key }) => key),
    ['unused', 'later', 'booked'],
  );
  assert.equal(moved(form.dispositions, first.id, -1), form.dispositions, 'the first one stays');
  assert.equal(isSameSettings({ ...form, dispositions: later }, settings), false);
  const wrong = {
    dispositions: [
      first,
      { ...first, label: ' ' },
      { ...first, label: 'Again', key: 'later' },
      { ...first, key: '', label: '!' },
    ],
    rules: [
      { id: 1, data: '', field: 'budget', mode: 'overwrite' as const },
      { id: 2, data: 'x', field: '', mode: 'overwrite' as const },
      { id: 3, data: '', field: '', mode: 'overwrite' as const },
      { id: 4, data: '', field: 'budget', mode: 'overwrite' as const },
    ],
    hasTranscripts: true,
    days: '0',
  };
  assert.deepEqual(Object.keys(problemsOf(wrong)), [
    'dispositions[1].label',
    'dispositions[2].key',
    'dispositions[3].key',
    'field_rules[0].data',
    'field_rules[1].field',
    'field_rules[2].data',
    'field_rules[2].field',
    'field_rules[3].data',
    'transcript_days',
  ]);
});

it('Names of the data are sent and compared without spaces around them', () => {
  const form = formOf(settings);
  const [rule] = form.rules;
  assert.ok(rule);
  const spaced = { ...form, rules: [{ ...rule, data: ' budget ' }] };
  assert.deepEqual(bodyOf(spaced), settings);
  assert.equal(isSameSettings(spaced, settings), true);
  const twice = { ...form, rules: [rule, { ...rule, id: 0, data: 'budget ' }] };
  assert.deepEqual(Object.keys(problemsOf(twice)), ['field_rules[1].field']);
});

it('Retry rules send minutes only for another call, and each disposition is in one rule', () => {
  const rows = retryRows([
    ['no_time', 'retry', '60'],
    ['booked', 'complete', '60'],
    ['busy', 'retry', ''],
  ]);
  assert.deepEqual(rulesOf(rows), [
    { disposition: 'no_time', action: 'retry', after_minutes: 60 },
    { disposition: 'booked', action: 'complete' },
    { disposition: 'busy', action: 'retry' },
  ]);
  assert.deepEqual(ruleProblems(rows), {});
  const wrong = retryRows([
    ['busy', 'retry', '0'],
    ['busy', 'fail', ''],
    ['', 'retry', ''],
  ]);
  assert.deepEqual(Object.keys(ruleProblems(wrong)), [
    'retry_rules[0].after_minutes',
    'retry_rules[1].disposition',
    'retry_rules[2].disposition',
  ]);
});
