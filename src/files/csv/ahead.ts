type Failure = { error: unknown } | undefined;

/** Reads from a source of bytes, text or batches until their lengths reach `enough`. `ended` says whether the source ended or failed
 *  before that. `all` is the whole source, including what was read ahead; if the source failed, it throws the failure after those items. */
export const readAhead = async <T extends { length: number }>(source: AsyncIterable<T>, enough: number) => {
  const iterator = source[Symbol.asyncIterator]();
  const read: T[] = [];
  let failure: Failure;
  let ended = false;
  for (let length = 0; !ended && length < enough; length += read.at(-1)?.length ?? 0) {
    try {
      const next = await iterator.next();
      if (next.done) ended = true;
      else read.push(next.value);
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
