import type { MaybePromise } from './maybe-promise.ts';

type Listener<A extends unknown[]> = (...args: A) => MaybePromise<unknown>;

/** Something that happens in one feature and matters to others that it does not know. Who listens is written down in
 *  one place (see handlers.ts). Listeners run one after another, inside the transaction in which it happens. */
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
