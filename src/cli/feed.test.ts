import assert from 'node:assert/strict';
import { test } from 'node:test';
import { objectsInArray } from './feed.ts';

test('The objects of an array are returned as they were sent', () => {
  const objects = [
    '{"a":1.0,"2":{"b":[{"c":null}]},"1":[]}',
    '{}',
    '{ "quote": "\\"}]\\\\", "bracket": "[{" }',
    '{"n":12345678901234567890}',
  ];
  for (const count of [0, 1, objects.length]) {
    const sent = objects.slice(0, count);
    const json = `{"success":true,"data":{"events":[${sent.join(', ')}],"after":"]","other":[{}]}}`;
    JSON.parse(json);
    assert.deepEqual(objectsInArray(json), sent);
  }
});
