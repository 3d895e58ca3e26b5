import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTraceParent } from './tracing.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

test('A valid traceparent is parsed into its ids and the sampled flag', () => {
  const parent = { traceId: TRACE, spanId: SPAN };
  assert.deepEqual(parseTraceParent(`00-${TRACE}-${SPAN}-01`), { ...parent, isSampled: true });
  assert.deepEqual(parseTraceParent(`00-${TRACE}-${SPAN}-00`), { ...parent, isSampled: false });
  assert.deepEqual(parseTraceParent(`00-${TRACE}-${SPAN}-fe`), { ...parent, isSampled: false });
  assert.deepEqual(parseTraceParent(`00-${TRACE}-${SPAN}-03`), { ...parent, isSampled: true });
});

test('A traceparent of a later version is accepted, also with more fields', () => {
  assert.equal(parseTraceParent(`01-${TRACE}-${SPAN}-01`)?.traceId, TRACE);
  assert.equal(parseTraceParent(`cc-${TRACE}-${SPAN}-01-what-the-future-brings`)?.traceId, TRACE);
});

test('An invalid traceparent is ignored', () => {
  for (const header of [
    '',
    'text',
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE}-${SPAN}-01-`,
    `01-${TRACE}-${SPAN}-01.more`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.slice(1)}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-1`,
    `0-${TRACE}-${SPAN}-01`,
    ` 00-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
  ])
    assert.equal(parseTraceParent(header), undefined, header);
});
