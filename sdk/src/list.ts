import type { RequestOptions } from './options.ts';
import type { Transport } from './transport.ts';
import type { Schemas } from './types.ts';

/** One page of a list. */
export interface Page<T, P = Schemas['Pagination']> {
  readonly data: T[];
  readonly pagination: P;
  /** Continues after this page, also if records were added or removed since. Undefined at the end and for lists without
   *  cursors. */
  readonly nextCursor: string | undefined;
}

/** How an endpoint divides its records into pages. */
export interface Paging<T, P> {
  /** The query of the first page of a walk. */
  first(query: Query): Query;
  page(body: never, headers: Headers): Page<T, P>;
  /** What the next page's query has besides that of this page, or undefined after the last one. */
  next(page: Page<T, P>): Query | undefined;
}

type Query = Readonly<Record<string, unknown>>;

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

const first = (query: Query): Query => ({ limit: PAGE_SIZE, ...query });

interface PageBody<T> {
  readonly data: T[];
  readonly pagination: Schemas['Pagination'];
}

/** By offset, or by cursor once a page has one. */
export const byOffset: Paging<never, Schemas['Pagination']> = {
  first,
  page: ({ data, pagination }: PageBody<never>, headers) => ({
    data,
    pagination,
    nextCursor: cursorOf(headers),
  }),
  next: ({ data, nextCursor, pagination: { has_more, offset } }) => {
    if (nextCursor !== undefined) return { offset: undefined, cursor: nextCursor };
    return has_more && data.length > 0 ? { offset: offset + data.length } : undefined;
  },
};

/** By cursor if the query has no offset, so that records which are added or removed meanwhile make a walk neither skip nor
 *  repeat others. */
export const byCursor: typeof byOffset = {
  ...byOffset,
  // An empty cursor starts a walk.
  first: (query) => ({ ...(query.offset === undefined && { cursor: '' }), ...first(query) }),
};

/** All records in one response. */
export const whole: typeof byOffset = {
  first: (query) => query,
  page: ({ data }: PageBody<never>) => {
    const { length } = data;
    return {
      data,
      pagination: { total: length, limit: length, offset: 0, has_more: false },
      nextCursor: undefined,
    };
  },
  next: () => undefined,
};

/** Records in a member of the data; the other members say how to continue. */
export const within = <T, P extends object>(
  member: string,
  next: (pagination: P, last: T | undefined) => Query | false,
): Paging<T, P> => ({
  first,
  page: ({ data }: { data: Record<string, T[]> & P }) => {
    const { [member]: records, ...pagination } = data;
    return { data: records as T[], pagination: pagination as unknown as P, nextCursor: undefined };
  },
  next: ({ data, pagination }) => next(pagination, data.at(-1)) || undefined,
});

/** Records of an endpoint with pages. Nothing is requested before one of the methods is called, or a loop starts:
 *  `for await (const contact of roster.contacts.list({ tag }))`. */
export class List<T, P = Schemas['Pagination']> implements AsyncIterable<T> {
  readonly #transport: Transport;
  readonly #paging: Paging<T, P>;
  readonly #path: string;
  readonly #query: Query;
  readonly #options: RequestOptions | undefined;

  constructor(
    transport: Transport,
    paging: Paging<T, P>,
    path: string,
    query: object = {},
    options?: RequestOptions,
  ) {
    this.#transport = transport;
    this.#paging = paging;
    this.#path = path;
    this.#query = query as Query;
    this.#options = options;
  }

  async #get(query: Query): Promise<Page<T, P>> {
    const request = { method: 'GET', path: this.#path, query, wants: 'json' } as const;
    const { data, headers } = await this.#transport.send<never>(request, this.#options);
    return this.#paging.page(data, headers);
  }

  /** Requests one page: the first one, unless the query says where to begin. */
  page(): Promise<Page<T, P>> {
    return this.#get(this.#query);
  }

  /** Walks the pages, with 100 records each unless the list has a `limit`. */
  async *pages(): AsyncGenerator<Page<T, P>, void, undefined> {
    let query: Query | undefined = this.#paging.first(this.#query);
    while (query) {
      const page: Page<T, P> = await this.#get(query);
      yield page;
      const next = this.#paging.next(page);
      query = next && { ...query, ...next };
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
