import type { MessagePort } from 'node:worker_threads';
import { withTimeout } from '../../lib/concurrency.ts';
import { unavailableBy } from '../../lib/errors.ts';
import type { WorkerScript } from '../../lib/executable.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import { gauge, type Metric, type Sample } from '../../lib/metric.ts';
import { RateLimiter } from '../../lib/rate-limit.ts';
import type { RunCounters } from '../../lib/run-counters.ts';
import { newPulse, type Pulse, type ThreadHealth, watchPulse } from '../../lib/thread-health.ts';
import type { Db } from '../db.ts';
import { isCacheable, kindOf, type Operation, type RunAsync, write } from '../operation.ts';
import type { ConsumeQuota, GivePort, Storage } from '../storage.ts';
import { openFile, SqliteDb } from './connection.ts';
import { asUnavailable } from './errors.ts';
import { fileSize, freeSpace } from './file-state.ts';
import { ReadCache } from './read-cache.ts';
import { STALLED_MS, ThreadClient } from './threads/client.ts';
import type { Reply } from './threads/protocol.ts';
import { Readers } from './threads/readers.ts';
import { STALLED, ThreadRequests } from './threads/requests.ts';
import { type Request, Writer } from './writer.ts';

export interface SqliteOptions {
  readonly path: string;
  /** The script that runs operations on a thread (see src/wiring/sqlite-thread.ts). */
  readonly thread: WorkerScript;
  readonly onFault: (error: Error) => void;
  readonly health: ThreadHealth;
  readonly tasks: RunCounters;
}

const fail = (error: unknown): never => {
  throw asUnavailable(error);
};

/** Runs a read on this thread. Disk errors become 503. */
const runLocally = <O>(run: () => MaybePromise<O>): MaybePromise<O> => {
  try {
    const value = run();
    return value instanceof Promise ? value.catch(fail) : value;
  } catch (error) {
    return fail(error);
  }
};

/** Twice as much is no faster, with 100,000 contacts or a million, because the operating system caches the rest. */
const LOCAL_CACHE_MB = 16;
/** Of each additional serving thread: with 16, it takes 10 MB more and is no faster, because the operating system caches the rest. */
const FURTHER_CACHE_MB = 4;

const cacheKey = ({ operationName }: Operation, workspace: number, input: unknown) =>
  `${operationName} ${workspace} ${JSON.stringify(input)}`;

/** Only one process serves the file, so limits are counted in memory. */
const localQuotas = (): ConsumeQuota => {
  const limiter = new RateLimiter();
  return ({ workspace, actor }, rate) => limiter.consume(`${workspace} ${actor}`, rate);
};

/** A writer that has not run for this long may be waiting for the disk. */
const SUSPECT_MS = 1_000;
const STALLED_READ_MS = 5_000;

const inTime = <O>(answer: Promise<O>): Promise<O> =>
  withTimeout(answer, STALLED_READ_MS, () => {
    throw unavailableBy({ ...STALLED, isOutage: false });
  });

interface Asking {
  readonly askLong: RunAsync;
  /** Asks another thread that can read, if there is one. */
  readonly askOpen: <P, I, O>(
    operation: Operation<P, I, O>,
    principal: P,
    input: I,
  ) => Promise<O> | undefined;
  readonly askWriter: RunAsync;
  readonly writerPulse: Pulse;
  readonly onTick?: (blockedMs: number) => void;
  readonly cacheMb?: number;
}

/** Short reads run on this thread, long reads and writes on others. While the writer is blocked, short reads run on an open reader thread
 *  too: on a stalled disk, one could block this thread. On a frozen file system, where no thread can open the file, they do not block. */
const runHere = (
  path: string,
  { askLong, askOpen, askWriter, writerPulse, onTick, cacheMb = LOCAL_CACHE_MB }: Asking,
) => {
  let isSuspect = false;
  const watch = watchPulse(writerPulse, (_, blockedMs) => {
    isSuspect = blockedMs >= SUSPECT_MS;
    onTick?.(blockedMs);
  }).unref();
  const file = openFile(path, { readOnly: true, cacheMb });
  const localDb = new SqliteDb(file);
  const cache = new ReadCache(file);
  const run = ((operation, principal, input) => {
    const kind = kindOf(operation, input);
    if (kind === 'write') return askWriter(operation, principal, input);
    if (isSuspect) {
      const answer = askOpen(operation, principal, input);
      if (answer) return kind === 'read' ? inTime(answer) : answer;
      if (kind === 'longRead') return inTime(askLong(operation, principal, input));
    }
    const find = () =>
      kind === 'longRead' ? askLong(operation, principal, input) : operation(localDb, principal, input);
    if (!isCacheable(operation, input)) return kind === 'longRead' ? find() : runLocally(find);
    const { workspace } = principal as { workspace: number };
    return runLocally(() => cache.getOrFind(cacheKey(operation, workspace, input), find));
  }) as Storage['run'];
  const close = () => {
    clearInterval(watch);
    file.close();
  };
  return { run, invalidate: cache.invalidate, close };
};

/** For a service. */
export const openThreaded = async (options: SqliteOptions): Promise<Storage> => {
  const { path, thread, onFault, health, tasks } = options;
  const writerPulse = newPulse();
  const checkpoints = tasks.register('wal_checkpoint');
  const local = runHere(path, {
    askLong: (...request) => readers.ask(...request),
    askOpen: (...request) => readers.askOpen(...request),
    askWriter: (...request) => writer.ask(...request),
    writerPulse,
  });
  const writer = new ThreadClient(
    thread,
    { path, role: 'writer', pulse: writerPulse },
    {
      onFault,
      health,
      onAnswers: local.invalidate,
      onCheckpoint: ({ seconds, failed, fault }) => {
        checkpoints.record(seconds, failed);
        if (fault) onFault(unavailableBy(fault));
      },
    },
  );
  const readers = new Readers(
    () => new ThreadClient(thread, { path, role: 'reader', pulse: newPulse() }, { onFault, health }),
  );
  await writer.ready;
  return {
    run: local.run,
    consumeQuota: localQuotas(),
    ...probes((...request) => writer.ask(...request)),
    metrics: () => threadMetrics(path, writer, readers),
    size: () => fileSize(path),
    connect: (give) => writer.connect(give),
    writerPulse,
    close: async () => {
      await readers.close();
      local.close();
      // The last connection to close, so that it can checkpoint the write-ahead log.
      await writer.close({ waitForAnswers: true });
    },
  };
};

interface ServingOptions {
  readonly path: string;
  readonly writerPulse: Pulse;
  /** Calls back with each port to the writer. */
  readonly onWriterPort: (use: GivePort) => void;
  /** Runs a long read on the threads of the service. */
  readonly askLong: RunAsync;
  readonly consumeQuota: ConsumeQuota;
}

/** For an additional serving thread of a service, which owns the writer and the readers. */
export const openServing = ({
  path,
  writerPulse,
  onWriterPort,
  askLong,
  consumeQuota,
}: ServingOptions): Storage => {
  const requests = new ThreadRequests();
  const local = runHere(path, {
    askLong,
    // The first thread decides.
    askOpen: askLong,
    askWriter: (...request) => requests.ask(...request),
    writerPulse,
    // The first thread reports it.
    onTick: (blockedMs) => (blockedMs >= STALLED_MS ? requests.stall() : requests.resume()),
    cacheMb: FURTHER_CACHE_MB,
  });
  let current: MessagePort | undefined;
  onWriterPort((port) => {
    // The requests on the port of an ended writer have no answers any more.
    requests.detach();
    current = port;
    port.on('message', (replies: readonly Reply[]) => {
      local.invalidate();
      requests.receive(replies);
    });
    port.on('close', () => {
      local.invalidate();
      if (current === port) requests.detach();
    });
    requests.attach(port);
  });
  return {
    run: local.run,
    consumeQuota,
    ...probes((...request) => requests.ask(...request)),
    metrics: () => [queueLength([['thread="writer"', requests.load]])],
    size: () => fileSize(path),
    close: async () => {
      local.close();
      current?.close();
    },
  };
};

/** Empty requests to the writer. */
const probes = (askWriter: RunAsync): Pick<Storage, 'ping' | 'probe'> => ({
  ping: async () => void (await askWriter(ping, null, null)),
  probe: async () => void (await askWriter(storeProbe, null, null)),
});

const queueLength = (samples: readonly Sample[]): Metric =>
  gauge(
    'roster_sqlite_thread_queue_length',
    'Operations that run or wait on database threads, by role.',
    samples,
  );

const threadMetrics = (path: string, writer: ThreadClient, readers: Readers): Metric[] => [
  queueLength([
    ['thread="writer"', writer.load],
    ['thread="reader"', readers.load],
  ]),
  gauge('roster_sqlite_reader_threads', 'Threads for long reads. They start on demand.', readers.count),
  gauge('roster_sqlite_wal_bytes', 'Size of the write-ahead log in bytes.', fileSize(`${path}-wal`)),
  gauge('roster_sqlite_disk_free_bytes', 'Free space on the disk of the database in bytes.', freeSpace(path)),
];

/** For a command: everything runs on this thread. */
export const openDirect = (path: string): Storage => {
  const writable = openFile(path);
  const readOnly = openFile(path, { readOnly: true });
  const db = new SqliteDb(readOnly);
  const writer = new Writer(writable);
  let last: Promise<unknown> = Promise.resolve();
  /** Runs transactions one after another. */
  const runWrite = (request: Request): Promise<never> => {
    const result = last.then(async () => {
      const [outcome] = await writer.run([request]);
      if (!outcome || 'error' in outcome) throw outcome?.error;
      return outcome.value as never;
    });
    last = result.catch(() => {});
    return result;
  };
  return {
    run: ((operation, principal, input) => {
      if (operation.kind === 'write') return runWrite({ operation, principal, input });
      const result = operation(db, principal, input);
      return operation.kind === 'read' ? result : Promise.resolve(result);
    }) as Storage['run'],
    consumeQuota: localQuotas(),
    ping: async () => {},
    probe: async () => {},
    metrics: () => [],
    size: () => fileSize(path),
    close: async () => {
      readOnly.close();
      writable.close();
    },
  };
};

/** An empty write, which shows that the writer's thread can commit. */
export const ping = write('ping', (): null => null) as Operation<null, null, null>;

/** A write that changes a page, which needs space on the disk. */
export const storeProbe = write('storeProbe', (db: Db): null => {
  (db as SqliteDb).changePage();
  return null;
}) as Operation<null, null, null>;
