/** A value that is here already, or will be. The embedded engine answers at once; waiting for a promise that
 *  nobody needs would cost every read a turn of the microtask queue. */
export type MaybePromise<T> = T | Promise<T>;

export const chain = <T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> =>
  value instanceof Promise ? value.then(next) : next(value);
