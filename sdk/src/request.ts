/** What can be uploaded. Only a stream cannot be sent again after a failure. */
export type Upload = string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/** A request before its options are known. */
export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/v1`, with its ids encoded. */
  readonly path: string;
  readonly query?: object | undefined;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is, with its `Content-Type`. */
  readonly raw?: { readonly body: Upload; readonly type: string };
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it deletes the record that its path names. After an attempt without a response, 404 means that it is done. */
  readonly isDeletion?: boolean;
  /** Why a write may be repeated: it has an `Idempotency-Key` (the default), or it changes nothing (`harmless`). With `none` it
   *  is repeated only if it was certainly not executed. */
  readonly safety?: 'key' | 'harmless' | 'none';
  /** What the result contains: the `data` of the response, its whole JSON, or a download as soon as its headers arrive. */
  readonly wants?: 'data' | 'json' | 'download';
}

/** Encodes the ids of a path. An empty id, or one of dots, would make a different path of it. */
export const at = (strings: TemplateStringsArray, ...ids: readonly string[]): string =>
  strings.reduce((path, text, index) => {
    const id = ids[index - 1];
    if (!id || id === '.' || id === '..') throw new TypeError(`${JSON.stringify(id)} is not an id.`);
    return path + encodeURIComponent(id) + text;
  });

const textOf = (value: unknown): string =>
  typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : String(value);

/** A list becomes one value, separated by commas, and an object becomes JSON. */
export const queryOf = (query: object | undefined): string => {
  if (!query) return '';
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, textOf(value));
  }
  const text = search.toString();
  return text && `?${text}`;
};
