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
const startServingThread = (options: ServingThreadsOptions) => {
  const { script, data, functions, keyLocks, storage, health, log } = options;
  const firstStart = Promise.withResolvers<void>();
  let peer: Peer<ThreadFunctions> | undefined;
  let worker: Worker | undefined;
  /** Whether the current worker listens. */
  let isListening = false;
  let exited: Promise<unknown> = Promise.resolve();
  let isClosing = false;

  const start = () => {
    const pulse = newPulse();
    const started: Worker = startWorker(script, {
      name: 'serving',
      workerData: { ...data, pulse } satisfies ServingThreadData,
      resourceLimits: LIMITS,
    });
    const ready = () => {
      isListening = true;
      firstStart.resolve();
    };
    const connected = new Peer<ThreadFunctions>(started, {
      ...functions,
      ready,
      lockKey: (name) => keyLocks.tryLock(name, started),
      unlockKey: (name) => keyLocks.unlock(name),
    } satisfies ServiceFunctions);
    [peer, worker] = [connected, started];
    started.on('message', (message) => connected.receive(message));
    started.on('error', (error: Error) => {
      firstStart.reject(error);
      log.error('serving thread failed', describeError(error));
    });
    let isHung = false;
    const watch = watchPulse(pulse, (silentMs) => {
      if (isHung || silentMs < HUNG_MS) return;
      isHung = true;
      health.hung('serving', silentMs);
      // It may be in a system call, and end only after that.
      connected.close();
      void started.terminate();
    });
    const disconnect = storage.connect?.((port: MessagePort) => started.postMessage(port, [port]));
    const { promise, resolve } = Promise.withResolvers<void>();
    exited = promise;
    started.on('exit', (code) => {
      clearInterval(watch);
      if (!isClosing) health.exited('serving', code);
      disconnect?.();
      connected.close();
      keyLocks.unlockAll(started);
      resolve();
      peer = undefined;
      isListening = false;
      if (!isClosing) setTimeout(() => isClosing || start(), RESTART_MS);
    });
  };
  start();

  /** Calls a function of the thread; undefined while there is none. */
  const call = async <K extends keyof ThreadFunctions>(
    name: K,
  ): Promise<Awaited<ReturnType<ThreadFunctions[K]>> | undefined> =>
    peer?.call(name, ...([] as unknown as Parameters<ThreadFunctions[K]>)).catch(() => undefined);

  /** From now on, a thread that ends is not replaced. One that is starting has no requests, and cannot close what it has not opened. */
  const end = async (name: 'stopListening' | 'close'): Promise<void> => {
    isClosing = true;
    await (isListening ? call(name) : worker?.terminate());
  };
  return {
    /** Resolves when it listens for the first time. */
    ready: firstStart.promise,
    call,
    stopListening: () => end('stopListening'),
    close: async (): Promise<void> => {
      await end('close');
      await exited;
    },
  };
};

/** Starts the additional serving threads of a service. Resolves when all of them listen. */
export const startServingThreads = async (options: ServingThreadsOptions) => {
  const threads = Array.from({ length: options.count }, () => startServingThread(options));
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
      const inTime = ({ call }: (typeof threads)[number]) =>
        Promise.race([call('metrics'), pause(METRICS_MS, undefined, { ref: false })]);
      return (await Promise.all(threads.map(inTime))).filter((metrics) => metrics !== undefined);
    },
    reloadTls: async () => void (await all('reloadTls')),
    stopListening: async () => void (await Promise.all(threads.map((thread) => thread.stopListening()))),
    drain: async () => void (await all('drain')),
    close,
  };
};

export type ServingThreads = Awaited<ReturnType<typeof startServingThreads>>;
