import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { cascade } from './cascade.ts';

test('Effects get the arguments of a cascade one after another, in order', async () => {
  const deletion = cascade<[string, number]>();
  const ran: string[] = [];
  deletion.add(async (name, number) => {
    await setImmediate();
    ran.push(`first ${name} ${number}`);
  });
  deletion.add((name, number) => {
    ran.push(`second ${name} ${number}`);
  });
  await deletion.run('a', 1);
  assert.deepEqual(ran, ['first a 1', 'second a 1']);
  await deletion.run('b', 2);
  assert.deepEqual(ran.slice(2), ['first b 2', 'second b 2']);
});

test('A cascade resolves after all effects have finished', async () => {
  const deletion = cascade<[]>();
  let over = false;
  deletion.add(async () => {
    await setImmediate();
    over = true;
  });
  await deletion.run();
  assert.equal(over, true);
});

test('An effect that is added twice runs once', async () => {
  const deletion = cascade<[]>();
  let times = 0;
  const effect = () => {
    times++;
  };
  deletion.add(effect);
  deletion.add(effect);
  await deletion.run();
  assert.equal(times, 1);
});

test('A failing effect stops those after it, and the caller gets the error', async () => {
  const deletion = cascade<[]>();
  const fault = new Error('no');
  let ran = false;
  deletion.add(() => Promise.reject(fault));
  deletion.add(() => {
    ran = true;
  });
  await assert.rejects(deletion.run(), fault);
  assert.equal(ran, false);
});

test('A cascade without effects can run and does not run those of another', async () => {
  const [one, other] = [cascade<[]>(), cascade<[]>()];
  let times = 0;
  one.add(() => {
    times++;
  });
  await other.run();
  assert.equal(times, 0);
});
