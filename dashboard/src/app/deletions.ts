import { createStore } from '../api/store.ts';

/** A deletion that the user has confirmed, as lists show it. */
export interface Deletion {
  /** What the toast says. */
  readonly text: string;
  /** Whether it deletes a record of the list with a filter. */
  readonly deletes: (record: { readonly id: string; readonly created_at: string }, filter: string) => boolean;
  /** How many records of the list it deletes, if it is known. */
  readonly countIn?: (filter: string) => number | undefined;
  /** Sends the request, and calls `onGone` when lists no longer have the records. Resolves with false if the service has refused it
   *  and the user was told. With `isLast` the page is being left, so no response arrives: the request must not need one. */
  readonly send: (onGone: () => void, keepalive: boolean, isLast: boolean) => Promise<unknown>;
  /** The length of its request. */
  readonly size: number;
}

/** Those that wait, and those whose records lists may still have. */
export const deletions = createStore<readonly Deletion[]>([]);
