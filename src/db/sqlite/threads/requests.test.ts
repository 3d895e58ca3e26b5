import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiError } from '../../../lib/errors.ts';
import { write } from '../../operation.ts';
import { ThreadRequests } from './requests.ts';

const change = write('change', () => null);

const outcomeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => assert.fail('the request was answered'),
    (error: ApiError) => error,
  );

test('Requests whose thread ends say why, and that a change may be applied', async () => {
  const requests = new ThreadRequests();
  const sent = Promise.withResolvers<void>();
  requests.attach({ postMessage: () => sent.resolve() });
  const lost = outcomeOf(requests.ask(change, null, null));
  await sent.promise;
  requests.detach();
  const { code, message, fault } = await lost;
  assert.equal(code, 'UNAVAILABLE');
  assert.deepEqual(fault, {
    reason: 'no_answer',
    code: 'the thread ended before its answer',
    isOutage: false,
  });
  assert.match(message, /may still be applied: retry with the same Idempotency-Key/);
});

test('Requests wait for the next thread if they were not sent', async () => {
  const requests = new ThreadRequests();
  const asked = requests.ask(change, null, null);
  requests.detach();
  requests.attach({ postMessage: (batch) => requests.receive(batch.map(([id]) => [id, false, 'done'])) });
  assert.equal(await asked, 'done');
});
