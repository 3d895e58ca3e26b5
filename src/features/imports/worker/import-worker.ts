import { type MessagePort, parentPort } from 'node:worker_threads';
import { lowerThreadPriority } from '../../../db/sqlite/threads/priority.ts';
import type { Column } from '../../../files/csv/columns.ts';
import { receiveItems, sendItems } from '../../../files/port-stream.ts';
import type { ImportOptions } from '../import.schema.ts';
import {
  type FileRequest,
  type PlanRequest,
  type ReadRow,
  readFile,
  readStored,
  type StoredRow,
} from './requests.ts';

/** A request to the thread that reads files and rows, so that they do not block the thread that serves requests. */
export type Request = { result: MessagePort } & (
  | { kind: 'file'; source: MessagePort; file: FileRequest; plan: PlanRequest | undefined }
  | { kind: 'rows'; rows: StoredRow[]; columns: Column[]; options: ImportOptions }
);

async function* answer(request: Request): AsyncGenerator<unknown> {
  if (request.kind === 'rows') {
    yield readStored(request.rows, request.columns, request.options) satisfies ReadRow[];
    return;
  }
  yield* readFile(receiveItems<Uint8Array>(request.source), request.file, request.plan);
}

lowerThreadPriority();
parentPort?.on('message', (request: Request) => {
  // sendItems has sent the error to the other thread.
  sendItems(request.result, answer(request)).catch(() => {});
});
