import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timestamp, timestampAfter } from './clock.ts';

test('A timestamp is the time in UTC to the millisecond', () => {
  const before = Date.now();
  const now = timestamp();
  assert.match(now, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.ok(Date.parse(now) >= before && Date.parse(now) <= Date.now());
});

test('The timestamp after a past time is the present', () => {
  const before = timestamp();
  const after = timestampAfter('2001-01-01T00:00:00.000Z');
  assert.ok(after >= before && after <= timestamp());
});

test('Each timestamp is later than the last, even within one millisecond', () => {
  let last = timestamp();
  for (let count = 0; count < 10_000; count++) {
    const next = timestampAfter(last);
    assert.ok(next > last);
    last = next;
  }
});

test('The timestamp after a future time is the next millisecond', () => {
  assert.equal(timestampAfter('2999-06-30T12:00:00.000Z'), '2999-06-30T12:00:00.001Z');
  assert.equal(timestampAfter('2999-12-31T23:59:59.999Z'), '3000-01-01T00:00:00.000Z');
});
