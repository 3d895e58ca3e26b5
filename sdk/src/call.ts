/** A success with what the documented record does not contain. */
export class Result<T> {
  readonly data: T;
  readonly status: number;
  readonly headers: Headers;

  constructor({ status, headers }: Pick<Response, 'status' | 'headers'>, data: T) {
    this.data = data;
    this.status = status;
    this.headers = headers;
  }

  /** The version of the record, for `ifMatch` and `getIfChanged`. */
  get etag(): string | undefined {
    // A compressed response has the ETag of the record with the encoding inside of the quotes.
    return this.headers.get('etag')?.replace(/;[a-z]+"$/, '"');
  }

  /** Whether the request created a record (status 201). */
  get created(): boolean {
    return this.status === 201;
  }

  /** Identifies the request in the log of the service. */
  get requestId(): string | undefined {
    return this.headers.get('x-request-id') ?? undefined;
  }
}

/** A running request. `await` it for the data, or its `withResponse()` for the ETag, the status and the headers too. */
export class Call<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'Call';
  readonly #result: Promise<Result<T>>;

  constructor(result: Promise<Result<T>>) {
    this.#result = result;
  }

  withResponse(): Promise<Result<T>> {
    return this.#result;
  }

  // biome-ignore lint/suspicious/noThenProperty: a call is awaited like a promise
  then<A = T, B = never>(
    onSuccess?: ((value: T) => A | PromiseLike<A>) | null,
    onFailure?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#result.then(
      onSuccess ? ({ data }) => onSuccess(data) : ({ data }) => data as unknown as A,
      onFailure,
    );
  }

  catch<B = never>(onFailure?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, onFailure);
  }

  finally(onEnd?: (() => void) | null): Promise<T> {
    return this.then().finally(onEnd);
  }
}
