import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createLog } from '../../lib/log.ts';
import { Exchange, type ExchangeOptions } from './exchange.ts';
import { open, route } from './route.ts';

const metrics = { started: () => {}, finished: () => {}, refused: () => {} };
const options = {
  log: createLog({ level: 'error', pretty: false, write: () => {} }),
  metrics,
  limitAuthFailure: (error: unknown) => error,
  logClientAddress: false,
  isStopping: () => false,
  isTrustedProxy: () => false,
  tracing: undefined,
  compression: { encode: async () => Promise.reject(new Error('no memory')) },
  onFault: () => {},
} as unknown as ExchangeOptions;

test('A request is observed once, also if its response cannot be written', async () => {
  const observed: unknown[] = [];
  const observing = route({
    access: open,
    handle: () => ({ status: 200, body: '' }),
    observe: (_, failure) => observed.push(failure),
  });
  const server = createServer((request, response) => {
    const exchange = new Exchange(options, 'id', request, response);
    exchange.caller = {};
    exchange.bound = { method: 'GET', path: '/', route: observing };
    exchange.send({ status: 200, body: 'x'.repeat(100_000) });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { status } = await fetch(`http://127.0.0.1:${port}/`);
  server.close();
  assert.deepEqual([status, observed], [500, [undefined]]);
});
