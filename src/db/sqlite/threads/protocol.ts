import type { MessagePort } from 'node:worker_threads';
import type { Fault } from '../../../lib/errors.ts';
import type { Pulse } from '../../../lib/thread-health.ts';

/** The messages between serving threads and the database threads. Both directions send arrays, so that the requests of one
 *  turn of the event loop share a message. */
export type ThreadRequest = readonly [id: number, operation: string, principal: unknown, input: unknown];
/** What a database thread receives. Its owner can give it the port of another thread that sends requests. */
export type ThreadMessage = readonly ThreadRequest[] | MessagePort | 'close';
export type Reply = readonly [id: number, failed: boolean, value: unknown];

/** Sent by the writer after a checkpoint of the write-ahead log. */
export interface CheckpointReport {
  readonly seconds: number;
  readonly failed: boolean;
  readonly fault: Fault | undefined;
}

export interface ThreadData {
  readonly path: string;
  readonly role: 'writer' | 'reader';
  readonly pulse: Pulse;
}
