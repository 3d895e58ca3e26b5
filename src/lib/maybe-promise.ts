/** SQLite answers synchronously. A promise would cost every read a turn of the microtask queue. */
export type MaybePromise<T> = T | Promise<T>;

export const chain = <T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> =>
  value instanceof Promise ? value.then(next) : next(value);
