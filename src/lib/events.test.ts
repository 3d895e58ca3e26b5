import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { event } from './events.ts';

test('Listeners get the arguments of an event one after another, in order', async () => {
  const happened = event<[string, number]>();
  const heard: string[] = [];
  happened.on(async (name, number) => {
    await setImmediate();
    heard.push(`first ${name} ${number}`);
  });
  happened.on((name, number) => {
    heard.push(`second ${name} ${number}`);
  });
  await happened.emit('a', 1);
  assert.deepEqual(heard, ['first a 1', 'second a 1']);
  await happened.emit('b', 2);
  assert.deepEqual(heard.slice(2), ['first b 2', 'second b 2']);
});

test('Emitting an event resolves after all listeners have finished', async () => {
  const happened = event<[]>();
  let over = false;
  happened.on(async () => {
    await setImmediate();
    over = true;
  });
  await happened.emit();
  assert.equal(over, true);
});

test('A listener that is added twice is called once', async () => {
  const happened = event<[]>();
  let times = 0;
  const listener = () => {
    times++;
  };
  happened.on(listener);
  happened.on(listener);
  await happened.emit();
  assert.equal(times, 1);
});

test('A failing listener stops those after it, and the emitter gets the error', async () => {
  const happened = event<[]>();
  const fault = new Error('no');
  let heard = false;
  happened.on(() => Promise.reject(fault));
  happened.on(() => {
    heard = true;
  });
  await assert.rejects(happened.emit(), fault);
  assert.equal(heard, false);
});

test('An event without listeners can be emitted and does not reach those of another', async () => {
  const [one, other] = [event<[]>(), event<[]>()];
  let heard = 0;
  one.on(() => {
    heard++;
  });
  await other.emit();
  assert.equal(heard, 0);
});
