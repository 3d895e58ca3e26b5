/** The messages between the main thread and the database threads. Both directions send arrays, so that the requests of one
 *  turn of the event loop share a message. */
export type ThreadRequest = readonly [id: number, operation: string, principal: unknown, input: unknown];
export type Reply = readonly [id: number, failed: boolean, value: unknown];

/** Sent by the writer after a checkpoint of the write-ahead log. */
export type CheckpointReport = { readonly seconds: number; readonly failed: boolean };

export interface ThreadData {
  readonly path: string;
  readonly role: 'writer' | 'reader';
}
