import type { MaybePromise } from './maybe-promise.ts';

type Effect<A extends unknown[]> = (...args: A) => MaybePromise<unknown>;

/** The effects of a change on features that the changed feature must not import. All effects are registered in handlers.ts. They
 *  run one after another, in the transaction of the change. An effect that is added twice runs once. */
export const cascade = <A extends unknown[]>() => {
  const effects = new Set<Effect<A>>();
  return {
    add: (effect: Effect<A>): void => void effects.add(effect),
    run: async (...args: A): Promise<void> => {
      for (const effect of effects) await effect(...args);
    },
  };
};
