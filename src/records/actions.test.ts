import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actions, eventTypes, formerActions } from './actions.ts';

test('Every type of event is an action of the audit log, and no action is listed twice', () => {
  const all = new Set<string>(actions);
  assert.deepEqual(
    eventTypes.filter((type) => !all.has(type)),
    [],
  );
  assert.equal(all.size, actions.length);
});

test('A name that an earlier version stored is no longer an action, and its new name is one', () => {
  const all = new Set<string>(actions);
  for (const [former, action] of Object.entries(formerActions))
    assert.deepEqual([all.has(former), all.has(action)], [false, true], former);
});
