import type { MessagePort, Worker } from 'node:worker_threads';
import { deserializeError, type SerializedError, serializeError } from '../lib/error-serialization.ts';
import { unavailable } from '../lib/errors.ts';

// biome-ignore lint/suspicious/noExplicitAny: any function, whatever it takes
type Functions = Readonly<Record<string, (...args: any[]) => unknown>>;

type Call = readonly [id: number, name: string, args: readonly unknown[]];
type Answer = readonly [id: number, failed: boolean, value: unknown];
type Message = readonly (Call | Answer)[];

/** A call without an answer. */
const NO_ANSWER = 0;

const isCall = (message: Call | Answer): message is Call => typeof message[1] === 'string';

interface Waiting {
  resolve(value: never): void;
  reject(error: Error): void;
}

/** Calls functions of another thread, which calls functions of this one. Messages of one turn of the event loop are sent
 *  together. */
export class Peer<Remote extends Functions> {
  readonly #port: Pick<MessagePort | Worker, 'postMessage'>;
  readonly #own: Functions;
  readonly #waiting = new Map<number, Waiting>();
  #outbox: (Call | Answer)[] = [];
  #count = NO_ANSWER;
  #isClosed = false;

  constructor(port: Pick<MessagePort | Worker, 'postMessage'>, own: Functions) {
    this.#port = port;
    this.#own = own;
  }

  call<K extends keyof Remote & string>(
    name: K,
    ...args: Parameters<Remote[K]>
  ): Promise<Awaited<ReturnType<Remote[K]>>> {
    if (this.#isClosed) return Promise.reject(unavailable());
    return new Promise((resolve, reject) => {
      this.#waiting.set(++this.#count, { resolve, reject });
      this.#post([this.#count, name, args]);
    });
  }

  notify<K extends keyof Remote & string>(name: K, ...args: Parameters<Remote[K]>): void {
    this.#post([NO_ANSWER, name, args]);
  }

  receive(messages: Message): void {
    for (const message of messages) {
      if (isCall(message)) void this.#answer(message);
      else this.#settle(message);
    }
  }

  /** Calls without an answer fail. Call it when the other thread has ended. */
  close(): void {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.values()) reject(unavailable());
    this.#waiting.clear();
  }

  /** Sends what waits. Call it before this thread ends. */
  flush(): void {
    const messages = this.#outbox;
    this.#outbox = [];
    if (messages.length > 0 && !this.#isClosed) (this.#port as MessagePort).postMessage(messages);
  }

  #post(message: Call | Answer) {
    if (this.#outbox.push(message) === 1) setImmediate(() => this.flush());
  }

  async #answer([id, name, args]: Call) {
    try {
      const value = await this.#own[name]?.(...args);
      if (id !== NO_ANSWER) this.#post([id, false, value]);
    } catch (error) {
      if (id !== NO_ANSWER) this.#post([id, true, serializeError(error)]);
    }
  }

  #settle([id, failed, value]: Answer) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (failed) waiting?.reject(deserializeError(value as SerializedError));
    else waiting?.resolve(value as never);
  }
}
