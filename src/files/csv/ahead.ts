type Failure = { error: unknown } | undefined;

/** Reads from a source until `isEnough`, which is called after each item, returns true. `ended` says whether the source ended or failed
 *  before that. `all` is the whole source, including what was read ahead; if the source failed, it throws the failure after those items. */
export const readAhead = async <T>(source: AsyncIterable<T>, isEnough: (item: T) => boolean) => {
  const iterator = source[Symbol.asyncIterator]();
  const read: T[] = [];
  let failure: Failure;
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
  failure: Failure,
): AsyncGenerator<T> {
  try {
    while (read.length > 0) yield read.shift() as T;
    if (failure) throw failure.error;
    if (rest) yield* { [Symbol.asyncIterator]: () => rest };
  } finally {
    await rest?.return?.();
  }
}
