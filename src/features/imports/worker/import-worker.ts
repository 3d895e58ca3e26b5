import { type MessagePort, parentPort } from 'node:worker_threads';
import { lowerThreadPriority } from '../../../db/sqlite/threads/priority.ts';
import { receiveItems, sendItems } from '../../../files/port-stream.ts';
import { type FileRequest, readFile } from './requests.ts';

/** A request to the thread that reads files, so that they do not block the thread that serves requests. */
export interface Request {
  readonly source: MessagePort;
  readonly result: MessagePort;
  readonly file: FileRequest;
}

lowerThreadPriority();
parentPort?.on('message', ({ source, result, file }: Request) => {
  // sendItems has sent the error to the other thread.
  sendItems(result, readFile(receiveItems<Uint8Array>(source), file)).catch(() => {});
});
