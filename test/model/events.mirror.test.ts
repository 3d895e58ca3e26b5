import assert from 'node:assert/strict';
import { it } from 'node:test';
import { onEveryEngine } from '../kit/service/test-service.ts';
import { compareMirror } from './events.mirror.ts';

onEveryEngine('Mirror of the records', (service) => {
  it('A copy that is built only from events equals the records after random changes', async () => {
    const counts = await compareMirror(service, {
      operations: 150,
      seed: process.env.MIRROR_SEED ?? 'mirror',
    });
    for (const [kind, count] of Object.entries(counts)) assert.ok(count > 0, `there is a ${kind}`);
  });
});
