import type { MaybePromise } from './maybe-promise.ts';

type Effect<A extends unknown[]> = (...args: A) => MaybePromise<unknown>;

/** The effects of a change on features that the changed feature must not import. All effects are registered in handlers.ts. They
 *  run one after another, in the transaction of the change. */
export interface Cascade<A extends unknown[]> {
  /** An effect that is added twice runs once. */
  add(effect: Effect<A>): void;
  run(...args: A): Promise<void>;
}

export const cascade = <A extends unknown[]>(): Cascade<A> => {
  const effects = new Set<Effect<A>>();
  return {
    add: (effect) => {
      effects.add(effect);
    },
    run: async (...args) => {
      for (const effect of effects) await effect(...args);
    },
  };
};
