import type { DatabaseSync } from 'node:sqlite';
import { MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { serializeError } from '../../../lib/error-serialization.ts';
import { beat, startBeating } from '../../../lib/thread-health.ts';
import { type Outcome, operationNamed } from '../../operation.ts';
import { openFile, SqliteDb } from '../connection.ts';
import { asUnavailable, isBroken } from '../errors.ts';
import { startIdleMerges } from '../search/merges.ts';
import { startCheckpoints } from '../wal-checkpoint.ts';
import { Writer } from '../writer.ts';
import { lowerThreadPriority } from './priority.ts';
import type { CheckpointReport, Reply, ThreadData, ThreadMessage, ThreadRequest } from './protocol.ts';

interface Role {
  /** Maximum number of waiting requests that are answered together. */
  readonly batchSize: number;
  answer(requests: readonly ThreadRequest[]): Promise<Outcome[]>;
  close(): void;
}

const WRITER_CACHE_MB = 16;

/** Runs the operations of one database thread: the writer, or one of the readers. */
export const serveThread = (): void => {
  const { path, role, pulse } = workerData as ThreadData;
  // Before opening the file, which can take forever on a stalled disk.
  startBeating(pulse);
  const parent = parentPort as MessagePort;
  const { batchSize, answer, close } = (role === 'writer' ? writerRole : readerRole)(
    path,
    (report) => parent.postMessage(report),
    () => beat(pulse),
  );

  const ports = new Set([parent]);
  const backlog: [port: MessagePort, request: ThreadRequest][] = [];
  let busy = false;
  let closing = false;
  const receive = (port: MessagePort, message: ThreadMessage) => {
    if (message === 'close') closing = true;
    else if (message instanceof MessagePort) listen(message);
    else for (const request of message) backlog.push([port, request]);
  };
  const receiveWaiting = (port: MessagePort) => {
    for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port))
      receive(port, next.message);
  };
  const work = async () => {
    while (backlog.length > 0) {
      // Requests that arrived while the last commit was flushed share the next one.
      for (const port of ports) receiveWaiting(port);
      const waiting = backlog.splice(0, batchSize);
      const outcomes = await answer(waiting.map(([, request]) => request));
      postReplies(waiting, outcomes);
      beat(pulse);
      // After a failed flush it is unknown what is on disk. A new thread opens the file again.
      if (outcomes.some((outcome) => 'error' in outcome && isBroken(outcome.error))) process.exit();
    }
  };
  const listen = (port: MessagePort) => {
    ports.add(port);
    port.on('close', () => ports.delete(port));
    port.on('message', async (first: ThreadMessage) => {
      receive(port, first);
      if (busy) return;
      busy = true;
      await work();
      busy = false;
      if (!closing) return;
      close();
      for (const each of ports) each.close();
    });
  };
  listen(parent);
  parent.postMessage('ready');
};

/** Sends each port its answers in one message. */
const postReplies = (
  waiting: readonly (readonly [port: MessagePort, request: ThreadRequest])[],
  outcomes: readonly Outcome[],
) => {
  const replies = new Map<MessagePort, Reply[]>();
  for (const [at, [port, request]] of waiting.entries())
    replies.getOrInsert(port, []).push(reply(request, outcomes[at] as Outcome));
  for (const [port, ofPort] of replies) port.postMessage(ofPort);
};

/** The first read after a commit notes its position in SQLite's shared memory, a mapped file. On a disk that stalls, that blocks the
 *  thread, so the writer reads first: then serving threads and readers find the position noted, and only lock it. */
const readMarker = (file: DatabaseSync) => {
  const read = file.prepare('select 1 from sqlite_schema limit 1');
  return () => {
    try {
      read.get();
    } catch {
      // The commit is on disk. The next request reports what is wrong.
    }
  };
};

const writerRole = (
  path: string,
  report: (checkpoint: CheckpointReport) => void,
  onProgress: () => void,
): Role => {
  const file = openFile(path, { cacheMb: WRITER_CACHE_MB });
  const writer = new Writer(file, { onProgress });
  const checkpoints = startCheckpoints(file, report);
  const markRead = readMarker(file);
  const written = () => {
    markRead();
    checkpoints.written();
  };
  const merges = startIdleMerges(file, { onStep: written });
  return {
    batchSize: Number.POSITIVE_INFINITY,
    answer: async (requests) => {
      const outcomes = await writer.run(
        requests.map(([, name, principal, input]) => ({ operation: operationNamed(name), principal, input })),
      );
      written();
      merges.answered();
      return outcomes;
    },
    close: () => {
      merges.close();
      checkpoints.close();
      file.close();
    },
  };
};

const readerRole = (path: string): Role => {
  lowerThreadPriority();
  const file = openFile(path, { readOnly: true });
  const db = new SqliteDb(file);
  const answerOne = async ([, name, principal, input]: ThreadRequest): Promise<Outcome> => {
    try {
      return { value: await operationNamed(name)(db, principal, input) };
    } catch (error) {
      return { error: asUnavailable(error) };
    }
  };
  return {
    // So that an answer does not wait for a later search.
    batchSize: 1,
    answer: (requests) => Promise.all(requests.map(answerOne)),
    close: () => file.close(),
  };
};

const reply = ([id]: ThreadRequest, outcome: Outcome): Reply =>
  'error' in outcome ? [id, true, serializeError(outcome.error)] : [id, false, outcome.value];
