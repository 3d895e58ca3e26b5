import { setTimeout as pause } from 'node:timers/promises';
import type { MessagePort, Worker } from 'node:worker_threads';
import type { Storage } from '../db/storage.ts';
import type { LocalKeyLocks } from '../features/idempotency/key-locks.ts';
import { startWorker, type WorkerScript } from '../lib/executable.ts';
import { describeError, type Log } from '../lib/log.ts';
import { newPulse, type ThreadHealth, watchPulse } from '../lib/thread-health.ts';
import { Peer } from './peer.ts';
import type { ServiceFunctions, ServingThreadData, ThreadFunctions } from './protocol.ts';

interface ServingThreadsOptions {
  /** The number of threads besides the first. */
  readonly count: number;
  /** See src/wiring/serving-thread.ts. */
  readonly script: WorkerScript;
  readonly data: Omit<ServingThreadData, 'pulse'>;
  readonly functions: Omit<ServiceFunctions, 'ready' | 'lockKey' | 'unlockKey'>;
  readonly keyLocks: LocalKeyLocks;
  readonly storage: Pick<Storage, 'connect'>;
  readonly health: ThreadHealth;
  readonly log: Log;
}

const RESTART_MS = 100;
/** Far longer than a turn of the event loop under overload. */
const HUNG_MS = 5_000;
/** A scrape does not wait for a thread that hangs. */
const METRICS_MS = 1_000;
/** Semi-spaces of 4 MB: with those of 8 MB, a thread takes more memory and is no faster. */
const LIMITS = { maxYoungGenerationSizeMb: 12 };

/** One additional serving thread. If it hangs, it is terminated; if it ends unexpectedly, another one takes its place. */
class ServingThread {
  readonly #options: ServingThreadsOptions;
  #peer: Peer<ThreadFunctions> | undefined;
  #worker: Worker | undefined;
  /** Whether the current worker listens. */
  #isListening = false;
  #exited: Promise<unknown> = Promise.resolve();
  #isClosing = false;
  /** Resolves when it listens for the first time. */
  readonly ready: Promise<void>;

  constructor(options: ServingThreadsOptions) {
    this.#options = options;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.ready = promise;
    this.#start(resolve, reject);
  }

  /** Calls a function of the thread; undefined while there is none. */
  async call<K extends keyof ThreadFunctions>(
    name: K,
  ): Promise<Awaited<ReturnType<ThreadFunctions[K]>> | undefined> {
    return this.#peer
      ?.call(name, ...([] as unknown as Parameters<ThreadFunctions[K]>))
      .catch(() => undefined);
  }

  /** From now on, a thread that ends is not replaced. */
  stopListening(): Promise<void> {
    return this.#end('stopListening');
  }

  async close(): Promise<void> {
    await this.#end('close');
    await this.#exited;
  }

  /** A thread that is starting has no requests, and cannot close what it has not opened. */
  async #end(name: 'stopListening' | 'close'): Promise<void> {
    this.#isClosing = true;
    await (this.#isListening ? this.call(name) : this.#worker?.terminate());
  }

  #start(onReady: () => void = () => {}, onError: (error: Error) => void = () => {}) {
    const { script, data, functions, keyLocks, storage, health, log } = this.#options;
    const pulse = newPulse();
    const worker: Worker = startWorker(script, {
      name: 'serving',
      workerData: { ...data, pulse } satisfies ServingThreadData,
      resourceLimits: LIMITS,
    });
    const ready = () => {
      this.#isListening = true;
      onReady();
    };
    const peer = new Peer<ThreadFunctions>(worker, {
      ...functions,
      ready,
      lockKey: (name) => keyLocks.tryLock(name, worker),
      unlockKey: (name) => keyLocks.unlock(name),
    } satisfies ServiceFunctions);
    this.#peer = peer;
    this.#worker = worker;
    worker.on('message', (message) => peer.receive(message));
    worker.on('error', (error: Error) => {
      onError(error);
      log.error('serving thread failed', describeError(error));
    });
    let isHung = false;
    const watch = watchPulse(pulse, (silentMs) => {
      if (isHung || silentMs < HUNG_MS) return;
      isHung = true;
      health.hung('serving', silentMs);
      // It may be in a system call, and end only after that.
      peer.close();
      void worker.terminate();
    });
    const disconnect = storage.connect?.((port: MessagePort) => worker.postMessage(port, [port]));
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#exited = promise;
    worker.on('exit', (code) => {
      clearInterval(watch);
      if (!this.#isClosing) health.exited('serving', code);
      disconnect?.();
      peer.close();
      keyLocks.unlockAll(worker);
      resolve();
      this.#peer = undefined;
      this.#isListening = false;
      if (!this.#isClosing) setTimeout(() => this.#isClosing || this.#start(), RESTART_MS);
    });
  }
}

/** Starts the additional serving threads of a service. Resolves when all of them listen. */
export const startServingThreads = async (options: ServingThreadsOptions) => {
  const threads = Array.from({ length: options.count }, () => new ServingThread(options));
  const all = (name: keyof ThreadFunctions) => Promise.all(threads.map((thread) => thread.call(name)));
  const close = async () => {
    await Promise.all(threads.map((thread) => thread.close()));
  };
  try {
    await Promise.all(threads.map(({ ready }) => ready));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    /** The metrics of each thread. */
    metrics: async () => {
      const inTime = (thread: ServingThread) =>
        Promise.race([thread.call('metrics'), pause(METRICS_MS, undefined, { ref: false })]);
      return (await Promise.all(threads.map(inTime))).filter((metrics) => metrics !== undefined);
    },
    reloadTls: async () => void (await all('reloadTls')),
    stopListening: async () => void (await Promise.all(threads.map((thread) => thread.stopListening()))),
    drain: async () => void (await all('drain')),
    close,
  };
};

export type ServingThreads = Awaited<ReturnType<typeof startServingThreads>>;
