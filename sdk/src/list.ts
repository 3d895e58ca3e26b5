import type { RequestOptions } from './options.ts';
import type { Transport } from './transport.ts';
import type { Schemas } from './types.ts';

/** One page of a list. */
export interface Page<T> {
  readonly data: T[];
  readonly pagination: Schemas['Pagination'];
  /** Continues after this page, also if records were added or removed since. Undefined at the end and for lists that have
   *  only offsets. */
  readonly nextCursor: string | undefined;
}

interface PageBody<T> {
  readonly data: T[];
  readonly pagination: Schemas['Pagination'];
}

export interface AllOptions {
  /** Stops after this many records. */
  readonly max?: number;
}

/** The most records that the service returns in one response. */
const PAGE_SIZE = 100;

/** The cursor in a `Link` header, such as `</v1/contacts?limit=100&cursor=abc>; rel="next"`. */
const cursorOf = (headers: Headers): string | undefined => {
  const [, target] = /<([^>]*)>; *rel="?next"?/.exec(headers.get('link') ?? '') ?? [];
  return target === undefined
    ? undefined
    : (new URL(target, 'http://_').searchParams.get('cursor') ?? undefined);
};

/** Records of an endpoint with pages. Nothing is requested before one of the methods is called, or a loop starts:
 *  `for await (const contact of roster.contacts.list({ tag }))`. */
export class List<T> implements AsyncIterable<T> {
  readonly #transport: Transport;
  readonly #path: string;
  readonly #query: object;
  readonly #options: RequestOptions | undefined;
  readonly #hasCursors: boolean;

  constructor(
    transport: Transport,
    path: string,
    query: object = {},
    options?: RequestOptions,
    hasCursors = false,
  ) {
    this.#transport = transport;
    this.#hasCursors = hasCursors;
    this.#path = path;
    this.#query = query;
    this.#options = options;
  }

  async #get(query: object): Promise<Page<T>> {
    const request = { method: 'GET', path: this.#path, query, wants: 'json' } as const;
    const { data, headers } = await this.#transport.send<PageBody<T>>(request, this.#options);
    return { data: data.data, pagination: data.pagination, nextCursor: cursorOf(headers) };
  }

  /** Requests one page: the first one, unless the list was made with an `offset` or a `cursor`. */
  page(): Promise<Page<T>> {
    return this.#get(this.#query);
  }

  /** Walks the pages, with 100 records each unless the list has a `limit`: by cursor if the endpoint has one and the query no
   *  `offset`, so that records which are added or removed meanwhile make it neither skip nor repeat others. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let query: { offset?: number; cursor?: string } = { limit: PAGE_SIZE, ...this.#query } as object;
    // An empty cursor starts a walk.
    if (this.#hasCursors && query.offset === undefined) query.cursor ??= '';
    while (true) {
      const page = await this.#get(query);
      yield page;
      if (page.nextCursor !== undefined) {
        const { offset: _, ...rest } = query;
        query = { ...rest, cursor: page.nextCursor };
      } else if (page.pagination.has_more && page.data.length > 0) {
        query = { ...query, offset: page.pagination.offset + page.data.length };
      } else {
        return;
      }
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { data } of this.pages()) yield* data;
  }

  /** Collects all records in memory. */
  async all({ max = Number.POSITIVE_INFINITY }: AllOptions = {}): Promise<T[]> {
    const records: T[] = [];
    if (max <= 0) return records;
    for await (const { data } of this.pages()) {
      for (const record of data) if (records.push(record) >= max) return records;
    }
    return records;
  }
}
