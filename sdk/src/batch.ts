import { RosterError } from './errors.ts';
import type { WriteOptions } from './options.ts';
import type { Transport } from './transport.ts';
import type { Data, Schemas } from './types.ts';

type Batch = Data<'batchContacts'>;

export interface BatchOptions extends WriteOptions {
  /** All operations succeed, or nothing changes. Only possible if they fit into one request. */
  readonly atomic?: boolean | undefined;
  /** Called after every request with the number of operations that are done. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** A request failed, or the signal was aborted, after other requests of the same batch had succeeded. Its `cause` is the error of
 *  that request, or the signal's reason with the code `ABORTED`. */
export class BatchError extends RosterError {
  override readonly name = 'BatchError';
  /** What was done before. The operations after its results were not executed, or their outcome is unknown. */
  readonly done: Batch;

  constructor(cause: unknown, done: Batch) {
    const init = cause instanceof RosterError ? cause : { code: 'ABORTED' };
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`The batch failed after ${done.results.length} operations: ${reason}`, { ...init, cause });
    this.done = done;
  }
}

/** What the service accepts in one request. */
const MAX_OPERATIONS = 1_000;
const MAX_BYTES = 4 * 1024 * 1024 - 1_000;

const encoder = new TextEncoder();

/** Splits operations into the JSON of as few requests as possible. */
const chunksOf = (operations: readonly Schemas['ContactOperation'][]): string[][] => {
  const chunks: string[][] = [];
  let current: string[] = [];
  let bytes = 0;
  for (const operation of operations) {
    const json = JSON.stringify(operation);
    const size = encoder.encode(json).length + 1;
    if (current.length === MAX_OPERATIONS || bytes + size > MAX_BYTES || chunks.length === 0) {
      current = [];
      chunks.push(current);
      bytes = 0;
    }
    current.push(json);
    bytes += size;
  }
  return chunks;
};

/** Executes operations in their order, in as many requests as needed, one after another. */
export const runBatch = async (
  transport: Transport,
  operations: readonly Schemas['ContactOperation'][],
  { atomic = false, onProgress, idempotencyKey, ...options }: BatchOptions = {},
): Promise<Batch> => {
  const total = { created: 0, updated: 0, deleted: 0, failed: 0, results: [] as Batch['results'] };
  const chunks = chunksOf(operations);
  if (atomic && chunks.length > 1)
    throw new TypeError('A batch with `atomic` must fit into one request: 1,000 operations and 4 MiB.');
  for (const [at, chunk] of chunks.entries()) {
    const body = `{"operations":[${chunk.join()}],"atomic":${atomic}}`;
    const key = idempotencyKey && (chunks.length > 1 ? `${idempotencyKey}-${at + 1}` : idempotencyKey);
    try {
      const { data } = await transport.send<Batch>(
        { method: 'POST', path: '/contacts/batch', raw: { body, type: 'application/json' } },
        { ...options, idempotencyKey: key },
      );
      const offset = total.results.length;
      for (const result of data.results) total.results.push({ ...result, index: offset + result.index });
      for (const name of ['created', 'updated', 'deleted', 'failed'] as const) total[name] += data[name];
    } catch (error) {
      const isKnown = error instanceof RosterError || options.signal?.aborted;
      throw at > 0 && isKnown ? new BatchError(error, total) : error;
    }
    onProgress?.(total.results.length, operations.length);
  }
  return total;
};
