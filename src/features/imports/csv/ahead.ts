export interface Ahead<T> {
  /** What was read ahead. */
  read: T[];
  /** Whether the source ended, or failed, before it was enough. */
  ended: boolean;
  failure: { error: unknown } | undefined;
  /** Everything from the beginning, what was read ahead included. Where the source failed, that comes after. */
  all: AsyncGenerator<T>;
}

/** Reads from a source until it is enough to decide how to read all of it; `isEnough` is asked after each item. */
export const readAhead = async <T>(
  source: AsyncIterable<T>,
  isEnough: (item: T) => boolean,
): Promise<Ahead<T>> => {
  const iterator = source[Symbol.asyncIterator]();
  const read: T[] = [];
  let failure: Ahead<T>['failure'];
  let ended = false;
  for (let enough = false; !ended && !enough; ) {
    try {
      const next = await iterator.next();
      if (next.done) ended = true;
      else enough = isEnough(next.value);
      if (!next.done) read.push(next.value);
    } catch (error) {
      failure = { error };
      ended = true;
    }
  }
  return { read, ended, failure, all: replay([...read], ended ? undefined : iterator, failure) };
};

async function* replay<T>(
  read: T[],
  rest: AsyncIterator<T> | undefined,
  failure: Ahead<T>['failure'],
): AsyncGenerator<T> {
  let open = rest;
  try {
    for (let first = read.shift(); first !== undefined; first = read.shift()) yield first;
    if (failure) throw failure.error;
    while (open) {
      const next = await open.next();
      if (next.done) open = undefined;
      else yield next.value;
    }
  } finally {
    await open?.return?.();
  }
}
