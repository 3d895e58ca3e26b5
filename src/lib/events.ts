import type { MaybePromise } from './maybe-promise.ts';

type Listener<A extends unknown[]> = (...args: A) => MaybePromise<unknown>;

/** Lets a feature notify features that it must not import. All listeners are registered in handlers.ts. They run one after
 *  another, in the transaction that emits the event. */
export interface Event<A extends unknown[]> {
  /** A listener that is added twice is called once. */
  on(listener: Listener<A>): void;
  emit(...args: A): Promise<void>;
}

export const event = <A extends unknown[]>(): Event<A> => {
  const listeners = new Set<Listener<A>>();
  return {
    on: (listener) => {
      listeners.add(listener);
    },
    emit: async (...args) => {
      for (const listener of listeners) await listener(...args);
    },
  };
};
