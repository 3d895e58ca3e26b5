import type { Pending } from '../../lib/maybe-promise.ts';
import { RateBook } from '../../lib/rate-limit.ts';
import type { Operation, Rates, Storage } from '../storage.ts';
import { openFile, SqliteDb } from './connection.ts';
import { asUnavailable } from './errors.ts';
import { Memory } from './read-cache.ts';
import { ThreadClient } from './threads/client.ts';
import { Readers } from './threads/readers.ts';
import { type Outcome, type Request, Writer } from './writer.ts';

export interface SqliteOptions {
  readonly path: string;
  /** The script that serves the operations on a thread (see src/sqlite-thread.ts). */
  readonly thread: URL;
  readonly onFault: (error: Error) => void;
}

const fail = (error: unknown): never => {
  throw asUnavailable(error);
};

/** A read on this thread, with faults of the disk told as such. */
const nearby = <O>(read: () => Pending<O>): Pending<O> => {
  try {
    const value = read();
    return value instanceof Promise ? value.catch(fail) : value;
  } catch (error) {
    return fail(error);
  }
};

/** Twice as much is no faster, neither with 100,000 contacts nor with a million; what is not here the system has in memory. */
const NEAR_CACHE_MB = 16;

const nameOf = ({ name }: Operation, who: unknown, input: unknown) =>
  `${name} ${JSON.stringify([who, input])}`;

/** One process serves the file, so that what it remembers is all there is to know. */
const ownRates = (): Rates => {
  const book = new RateBook();
  return { take: ({ workspace, actor }, rate) => book.take(`${workspace} ${actor}`, rate) };
};

/** The embedded engine for a service: short reads here, long reads and everything that waits for the disk on threads. */
export const openThreaded = async ({ path, thread, onFault }: SqliteOptions): Promise<Storage> => {
  const file = openFile(path, { readOnly: true, cacheMb: NEAR_CACHE_MB });
  const near = new SqliteDb(file);
  const memory = new Memory(file);
  const writer = new ThreadClient(thread, { path, role: 'writer' }, onFault, memory.doubt);
  const readers = new Readers(() => new ThreadClient(thread, { path, role: 'reader' }, onFault));
  await writer.ready;
  return {
    read: (operation, who, input) => nearby(() => operation(near, who, input)),
    scan: (operation, who, input) => readers.ask(operation, who, input),
    recall: (operation, who, input, { grows }) => {
      const find = () => (grows ? readers.ask(operation, who, input) : operation(near, who, input));
      return nearby(() => memory.recall(nameOf(operation, who, input), find));
    },
    write: (operation, who, input) => writer.ask(operation, who, input),
    rates: ownRates(),
    ping: async () => {
      await writer.ask(ping, null, null);
    },
    close: async () => {
      await readers.close();
      file.close();
      // Last of all connections, so that it can write the log back.
      await writer.close({ waitForAnswers: true });
    },
  };
};

/** The embedded engine for a command that does one thing: everything on this thread. */
export const openDirect = (path: string): Storage => {
  const file = openFile(path);
  const beside = openFile(path, { readOnly: true });
  const near = new SqliteDb(beside);
  const writer = new Writer(file);
  let last: Promise<unknown> = Promise.resolve();
  /** One transaction after the other, also where several are asked for at once. */
  const inTurn = (request: Request): Promise<Outcome | undefined> => {
    const turn = last.then(async () => (await writer.run([request]))[0]);
    last = turn.catch(() => {});
    return turn;
  };
  return {
    read: (operation, who, input) => operation(near, who, input),
    scan: async (operation, who, input) => operation(near, who, input),
    recall: (operation, who, input) => operation(near, who, input),
    write: async <W, I, O>(operation: Operation<W, I, O>, who: W, input: I) => {
      const outcome = await inTurn({ operation, who, input });
      if (!outcome || 'error' in outcome) throw outcome?.error;
      return outcome.value as O;
    },
    rates: ownRates(),
    ping: async () => {},
    close: async () => {
      beside.close();
      file.close();
    },
  };
};

/** Asks nothing; that it is answered says that the thread runs and its transactions commit. */
export const ping: Operation<null, null, null> = function ping() {
  return null;
};
