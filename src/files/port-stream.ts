import type { MessagePort } from 'node:worker_threads';
import { deserializeError, type SerializedError, serializeError } from '../lib/error-serialization.ts';
import { unavailable } from '../lib/errors.ts';

/** A stream of items between two threads. The source is read only as the receiver pulls, so neither side buffers more than a
 *  few items. Either side ends the stream by closing its port. */

type Message<T> = { value: T } | { done: true } | { error: SerializedError };

const PULL = 'pull';
const LOST = 'Reading the file was interrupted. Send it again.';

/** A promise that can be resolved repeatedly. */
const createSignal = () => {
  let { promise, resolve } = Promise.withResolvers<void>();
  return {
    notify: () => resolve(),
    wait: async () => {
      await promise;
      ({ promise, resolve } = Promise.withResolvers<void>());
    },
  };
};

/** Sends the items of a source as the receiver pulls them. Bytes are copied before they are transferred, since they may be
 *  part of a larger buffer. An error of the source is sent to the receiver and thrown. */
export const sendItems = async <T>(port: MessagePort, source: AsyncIterable<T>): Promise<void> => {
  const iterator = source[Symbol.asyncIterator]();
  const signal = createSignal();
  let pulled = 0;
  let isClosed = false;
  port.on('message', () => {
    pulled++;
    signal.notify();
  });
  port.on('close', () => {
    isClosed = true;
    signal.notify();
  });
  try {
    while (!isClosed) {
      if (pulled === 0) {
        await signal.wait();
        continue;
      }
      pulled--;
      const next = await iterator.next();
      if (next.done) {
        port.postMessage({ done: true });
        return;
      }
      const value = next.value instanceof Uint8Array ? new Uint8Array(next.value) : next.value;
      port.postMessage({ value }, value instanceof Uint8Array ? [value.buffer] : []);
    }
  } catch (error) {
    port.postMessage({ error: serializeError(error) });
    throw error;
  } finally {
    port.close();
    await iterator.return?.();
  }
};

/** Receives what `sendItems` sends, and pulls up to `ahead` items in advance. */
export async function* receiveItems<T>(port: MessagePort, ahead = 4): AsyncGenerator<T> {
  const signal = createSignal();
  const received: Message<T>[] = [];
  let isClosed = false;
  port.on('message', (message: Message<T>) => {
    received.push(message);
    signal.notify();
  });
  port.on('close', () => {
    isClosed = true;
    signal.notify();
  });
  try {
    for (let at = 0; at < ahead; at++) port.postMessage(PULL);
    for (;;) {
      const message = received.shift();
      if (!message) {
        if (isClosed) throw unavailable(LOST);
        await signal.wait();
      } else if ('error' in message) throw deserializeError(message.error);
      else if ('done' in message) return;
      else {
        port.postMessage(PULL);
        yield message.value;
      }
    }
  } finally {
    port.close();
  }
}
