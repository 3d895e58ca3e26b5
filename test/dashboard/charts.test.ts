import assert from 'node:assert/strict';
import { it } from 'node:test';
import { countTicks } from '../../dashboard/src/app/charts/series.ts';

const series = ['one', 'two'].map((id) => ({ id, label: id, color: '' }));
const ticksFor = (max: number) =>
  countTicks(
    [
      { key: 'a', values: { one: 1 } },
      { key: 'b', values: { one: max - Math.floor(max / 2), two: Math.floor(max / 2) } },
    ],
    series,
  );

it('The axis of a chart has a few round ticks from 0 to the highest stack of bars', () => {
  assert.deepEqual(ticksFor(1), [0, 1]);
  assert.deepEqual(ticksFor(5), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(ticksFor(53), [0, 20, 40, 60]);
  assert.deepEqual(ticksFor(25_400), [0, 10_000, 20_000, 30_000]);
  assert.deepEqual(countTicks([], series), [0, 1]);
  for (let max = 1; max < 3_000_000; max = Math.ceil(max * 1.07)) {
    const ticks = ticksFor(max);
    const step = ticks[1] ?? 0;
    assert.match(String(step), /^[125]0*$/, `${max}: every ${step}`);
    assert.deepEqual(
      ticks,
      ticks.map((_, at) => at * step),
      `${max}: even`,
    );
    const last = ticks.at(-1) ?? 0;
    assert.ok(last >= max && last - step < max, `${max}: up to ${last}`);
    assert.ok(ticks.length >= 2 && ticks.length <= 6, `${max}: ${ticks}`);
  }
});
