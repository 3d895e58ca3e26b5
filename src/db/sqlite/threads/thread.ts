import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { serializeError } from '../../../lib/error-serialization.ts';
import type { OperationRegistry } from '../../operation.ts';
import { openFile, SqliteDb } from '../connection.ts';
import { asUnavailable, isBroken } from '../errors.ts';
import { startCheckpoints } from '../wal-checkpoint.ts';
import { type Outcome, Writer } from '../writer.ts';
import { lowerThreadPriority } from './priority.ts';
import type { CheckpointReport, Reply, ThreadData, ThreadRequest } from './protocol.ts';

interface Role {
  /** Maximum number of waiting requests that are answered together. */
  readonly batchSize: number;
  answer(requests: readonly ThreadRequest[]): Promise<Outcome[]>;
  close(): void;
}

const WRITER_CACHE_MB = 16;

/** Runs the operations of one database thread: the writer, or one of the readers. */
export const serveThread = (operations: OperationRegistry): void => {
  const { path, role } = workerData as ThreadData;
  const port = parentPort as MessagePort;
  const { batchSize, answer, close } = (role === 'writer' ? writerRole : readerRole)(
    path,
    operations,
    (report) => port.postMessage(report),
  );

  const backlog: ThreadRequest[] = [];
  let busy = false;
  let closing = false;
  const receive = (message: ThreadRequest[] | 'close') => {
    if (message === 'close') closing = true;
    else backlog.push(...message);
  };
  port.on('message', async (first: ThreadRequest[] | 'close') => {
    receive(first);
    if (busy) return;
    busy = true;
    while (backlog.length > 0) {
      // Requests that arrived while the last commit was flushed share the next one.
      for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port))
        receive(next.message);
      const requests = backlog.splice(0, batchSize);
      const outcomes = await answer(requests);
      port.postMessage(outcomes.map((outcome, at) => reply(requests[at] as ThreadRequest, outcome)));
      // After a failed flush it is unknown what is on disk. A new thread opens the file again.
      if (outcomes.some((outcome) => 'error' in outcome && isBroken(outcome.error))) process.exit();
    }
    busy = false;
    if (closing) {
      close();
      port.close();
    }
  });
  port.postMessage('ready');
};

const writerRole = (
  path: string,
  operations: OperationRegistry,
  report: (checkpoint: CheckpointReport) => void,
): Role => {
  const file = openFile(path, { cacheMb: WRITER_CACHE_MB });
  const writer = new Writer(file);
  const checkpoints = startCheckpoints(file, report);
  return {
    batchSize: Number.POSITIVE_INFINITY,
    answer: async (requests) => {
      const outcomes = await writer.run(
        requests.map(([, name, principal, input]) => ({ operation: operations.get(name), principal, input })),
      );
      checkpoints.written();
      return outcomes;
    },
    close: () => {
      checkpoints.close();
      file.close();
    },
  };
};

const readerRole = (path: string, operations: OperationRegistry): Role => {
  lowerThreadPriority();
  const file = openFile(path, { readOnly: true });
  const db = new SqliteDb(file);
  const answerOne = async ([, name, principal, input]: ThreadRequest): Promise<Outcome> => {
    try {
      return { value: await operations.get(name)(db, principal, input) };
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
