import { on } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { deserializeError, type SerializedError, serializeError } from '../lib/error-serialization.ts';
import { unavailable } from '../lib/errors.ts';

/** A stream of items between two threads. The source is read only as the receiver pulls, so neither side buffers more than a
 *  few items. Either side ends the stream by closing its port. */

type Message<T> = { value: T } | { done: true } | { error: SerializedError };

const PULL = 'pull';
const LOST = 'Reading the file was interrupted. Send it again.';

/** The messages of a port until it is closed. */
const messagesOf = <T>(port: MessagePort) =>
  on(port, 'message', { close: ['close'] }) as AsyncIterableIterator<[T]>;

/** Sends the items of a source as the receiver pulls them. Bytes are copied before they are transferred, since they may be
 *  part of a larger buffer. An error of the source is sent to the receiver and thrown. */
export const sendItems = async <T>(port: MessagePort, source: AsyncIterable<T>): Promise<void> => {
  const iterator = source[Symbol.asyncIterator]();
  try {
    for await (const _pull of messagesOf<typeof PULL>(port)) {
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
  const messages = messagesOf<Message<T>>(port);
  try {
    for (let at = 0; at < ahead; at++) port.postMessage(PULL);
    for await (const [message] of messages) {
      if ('error' in message) throw deserializeError(message.error);
      if ('done' in message) return;
      port.postMessage(PULL);
      yield message.value;
    }
    throw unavailable(LOST);
  } finally {
    port.close();
  }
}
