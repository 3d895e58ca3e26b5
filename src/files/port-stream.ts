import type { MessagePort } from 'node:worker_threads';
import { deserializeError, type SerializedError, serializeError } from '../lib/error-serialization.ts';
import { unavailable } from '../lib/errors.ts';

/** A stream of items between two threads. The source is read only as the receiver pulls, so neither side buffers more than a
 *  few items. Either side ends the stream by closing its port. */

type Message<T> = { value: T } | { done: true } | { error: SerializedError };

const PULL = 'pull';
const LOST = 'Reading the file was interrupted. Send it again.';

/** Returns the next message of a port each time it is called; undefined after the port was closed. */
const messagesOf = <T>(port: MessagePort): (() => Promise<T | undefined>) => {
  const received: T[] = [];
  let isClosed = false;
  let { promise, resolve } = Promise.withResolvers<void>();
  port.on('message', (message: T) => {
    received.push(message);
    resolve();
  });
  port.on('close', () => {
    isClosed = true;
    resolve();
  });
  return async () => {
    while (received.length === 0 && !isClosed) {
      await promise;
      ({ promise, resolve } = Promise.withResolvers<void>());
    }
    return received.shift();
  };
};

/** Sends the items of a source as the receiver pulls them. Bytes are copied before they are transferred, since they may be
 *  part of a larger buffer. An error of the source is sent to the receiver and thrown. */
export const sendItems = async <T>(port: MessagePort, source: AsyncIterable<T>): Promise<void> => {
  const iterator = source[Symbol.asyncIterator]();
  const nextPull = messagesOf<typeof PULL>(port);
  try {
    while (await nextPull()) {
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
  const nextMessage = messagesOf<Message<T>>(port);
  try {
    for (let at = 0; at < ahead; at++) port.postMessage(PULL);
    for (;;) {
      const message = await nextMessage();
      if (!message) throw unavailable(LOST);
      if ('error' in message) throw deserializeError(message.error);
      if ('done' in message) return;
      port.postMessage(PULL);
      yield message.value;
    }
  } finally {
    port.close();
  }
}
