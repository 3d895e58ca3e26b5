import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

const LINUX = existsSync('/proc/thread-self');
const module = new URL('./priority.ts', import.meta.url).href;

/** Lowers the priority of the worker and posts its process status. */
const SCRIPT = `
  const { parentPort } = require('node:worker_threads');
  const { readFileSync } = require('node:fs');
  import(${JSON.stringify(module)}).then(({ lowerThreadPriority }) => {
    lowerThreadPriority();
    parentPort.postMessage(readFileSync('/proc/thread-self/stat', 'utf8'));
  });`;

/** The 19th field. The second is a name in parentheses that may contain spaces. */
const niceness = (stat: string) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);

test('Lowering the priority of a thread does not change that of the others', {
  skip: !LINUX && 'Linux only',
}, async () => {
  const before = getPriority();
  const [stat] = await once(new Worker(SCRIPT, { eval: true }), 'message');
  assert.ok(niceness(stat) > before, `${niceness(stat)} is not above ${before}`);
  assert.equal(niceness(readFileSync('/proc/thread-self/stat', 'utf8')), before);
});
