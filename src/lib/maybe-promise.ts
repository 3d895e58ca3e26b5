/** A value that is here already, or will be. The embedded engine answers at once; waiting for a promise that
 *  nobody needs would cost every read a turn of the microtask queue. */
export type Pending<T> = T | Promise<T>;

export const after = <T, U>(value: Pending<T>, next: (value: T) => Pending<U>): Pending<U> =>
  value instanceof Promise ? value.then(next) : next(value);
