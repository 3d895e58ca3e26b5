import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventIdExample, eventIdOf, positionIn } from './event.id.ts';

const event = {
  workspace_id: 1,
  seq: 1,
  at: '2026-01-31T09:30:00.000Z',
  type: 'contact.created',
  subject: 'contact_01h455vb4pex5vsknk084sn02q',
} as const;

test('An event id contains its position and sorts by it', () => {
  const positions = [1, 31, 32, 1_000_000, 2 ** 40];
  const ids = positions.map((seq) => eventIdOf({ ...event, seq }));
  assert.deepEqual(ids.map(positionIn), positions);
  assert.deepEqual(ids.toSorted(), ids);
  for (const id of ids) assert.match(id, /^event_[0-9a-hjkmnp-tv-z]{26}$/);
});

test('Events of different workspaces at the same position have different ids', () => {
  assert.notEqual(eventIdOf(event), eventIdOf({ ...event, workspace_id: 2 }));
  assert.equal(eventIdOf(event), eventIdOf({ ...event }));
});

test('Other texts have no position', () => {
  assert.ok(positionIn(eventIdExample));
  for (const text of [
    '',
    'event_',
    `${eventIdExample}0`,
    eventIdExample.toUpperCase(),
    'contact_01h455vb4pex5vsknk084sn02q',
  ])
    assert.equal(positionIn(text), undefined, text);
});
