import { MessageChannel, type Worker } from 'node:worker_threads';
import { receiveItems, sendItems } from '../../../files/port-stream.ts';
import { startWorker, workerScript } from '../../../lib/executable.ts';
import type { Request } from './import-worker.ts';
import type { FileRead, FileRequest, ReadRow } from './requests.ts';

/** Reading takes a few megabytes, however large the file is. A file that exceeds these limits ends the thread. */
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 12 };
/** An idle thread ends after this time to release its memory. */
const IDLE_MS = 30_000;

let worker: Worker | undefined;
let users = 0;
let idle: NodeJS.Timeout | undefined;

const start = (): Worker => {
  const started = startWorker(workerScript('import-worker', import.meta.url), { resourceLimits: LIMITS });
  // Its ports keep the process alive while they are in use. A thread that fails closes them, which ends their streams.
  started.unref();
  started.on('error', () => {});
  started.on('exit', () => {
    if (worker === started) worker = undefined;
  });
  return started;
};

const release = (): void => {
  users--;
  if (users > 0) return;
  idle = setTimeout(() => {
    worker?.terminate();
    worker = undefined;
  }, IDLE_MS).unref();
};

/** Opens a file on the import thread: how it is read, and its rows. The caller must close it, unless opening fails. */
export const openFile = async (
  bytes: AsyncIterable<Uint8Array>,
  request: FileRequest,
): Promise<{ file: FileRead; rows: AsyncIterable<ReadRow[]>; close(): Promise<unknown> }> => {
  const items = readOnThread(bytes, request);
  const file = (await items.next()).value as FileRead;
  return { file, rows: items as AsyncGenerator<ReadRow[]>, close: () => items.return(undefined) };
};

async function* readOnThread(
  bytes: AsyncIterable<Uint8Array>,
  file: FileRequest,
): AsyncGenerator<FileRead | ReadRow[]> {
  const [source, result] = [new MessageChannel(), new MessageChannel()];
  const request: Request = { source: source.port2, result: result.port2, file };
  clearTimeout(idle);
  worker ??= start();
  users++;
  worker.postMessage(request, [request.source, request.result]);
  let failure: { error: unknown } | undefined;
  sendItems(source.port1, bytes).catch((error: unknown) => {
    failure = { error };
  });
  try {
    yield* receiveItems<FileRead | ReadRow[]>(result.port1);
  } catch (error) {
    throw failure ? failure.error : error;
  } finally {
    source.port1.close();
    release();
  }
}
