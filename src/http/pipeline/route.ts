import type { IncomingHttpHeaders } from 'node:http';
import type { ErrorCode } from '../../lib/errors.ts';
import type { JsonWithEtag } from '../../lib/etag.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import type { Page, PageRequest } from '../../lib/page.ts';
import { type JsonSchema, type ObjectReader, objectSchema } from '../../lib/validation.ts';
import type { Origin } from './request-origin.ts';

/** What a route asks of its caller: nothing; an API key that may read, or write; a person who has signed in, or one of
 *  the owners; the secret of the channel or of the integration that the path names; a signature, which the handler checks
 *  over the body. */
export type Access = 'open' | 'read' | 'write' | 'member' | 'owner' | 'channel' | 'integration' | 'signature';

/** The values of a path's parameters. A route reads only those that its path names. */
export type Params = Readonly<Record<'id' | 'version' | 'contact', string>>;

/** What a handler is given. `Q` and `B` are the query and the body, read by the route's own shapes. */
export interface HttpRequest<W = unknown, Q = unknown, B = unknown> {
  readonly principal: W;
  readonly params: Params;
  readonly query: Q;
  readonly body: B;
  /** The path as it was asked for, without its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The path with its query. */
  readonly target: string;
  readonly origin: () => Origin;
}

export interface HttpResponse {
  readonly status: number;
  /** The whole body, or its pieces as they come. */
  readonly body: string | Buffer | AsyncIterable<string>;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Called once the answer is sent, or its connection has ended. */
  readonly onClose?: () => void;
}

/** What the documents say of a route. */
export interface RouteDocument {
  readonly group: string;
  /** Stable: generated clients name their methods after it. */
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  /** What the parameters of the path stand for. */
  readonly params?: Partial<Params>;
  /** What the envelope holds. */
  readonly data?: JsonSchema;
  readonly list?: boolean;
  /** The media types of an answer that is no envelope. */
  readonly file?: readonly string[];
  /** Where a POST makes nothing new. */
  readonly status?: 200;
  /** Whether the record bears an ETag, by which a get is spared and a change is made only to what was seen. */
  readonly hasEtag?: true;
  /** Whether it can be sent again under one key without being done again. */
  readonly isIdempotent?: true;
  readonly errors: readonly ErrorCode[];
}

export interface Route<W, Q, B> {
  readonly access: Access;
  readonly query?: ObjectReader<Q>;
  /** The shape of a JSON body; `raw` for the text of one that the handler reads itself; `stream` for its bytes as they
   *  come, however many. */
  readonly body?: ObjectReader<B> | 'raw' | 'stream';
  /** Whether a request without a body counts as one with an empty object. */
  readonly bodyOptional?: boolean;
  /** The largest body in bytes, 1 MiB unless stated; streamed bodies have no limit. Set a small one on a route that reads
   *  the body before it knows the caller. */
  readonly maxBody?: number;
  readonly document?: RouteDocument;
  readonly handle: (request: HttpRequest<W, Q, B>) => MaybePromise<HttpResponse>;
}

/** Hooks carry one event or one contact. */
export const MAX_HOOK_BODY = 65_536;

// biome-ignore lint/suspicious/noExplicitAny: any route, whatever it takes
export type AnyRoute = Route<any, any, any>;

/** Gives a route's handler the types of the route's shapes. */
export const route = <W, Q = unknown, B = unknown>(definition: Route<W, Q, B>): Route<W, Q, B> => definition;

/** 200 with a record that is still an object. */
export const ok = async (value: MaybePromise<unknown>): Promise<HttpResponse> => ({
  status: 200,
  body: JSON.stringify({ success: true, data: await value }),
});

/** A new record: an object, or JSON with the tag of its state. */
type NewRecord = { id: string; json?: never } | ({ id: string } & JsonWithEtag);

/** 201 with a new record and where it is found. */
export const created = async (request: HttpRequest, made: Promise<NewRecord>): Promise<HttpResponse> => {
  const record = await made;
  const Location = `${request.path}/${record.id}`;
  return record.json === undefined
    ? { status: 201, body: `{"success":true,"data":${JSON.stringify(record)}}`, headers: { Location } }
    : {
        status: 201,
        body: `{"success":true,"data":${record.json}}`,
        headers: { Location, ETag: record.etag },
      };
};

/** 200 with one page of a list. */
export const page = (query: PageRequest, found: MaybePromise<Page>): MaybePromise<HttpResponse> =>
  chain(found, ({ json, total }) => {
    const { limit, offset } = query;
    const pagination = `{"total":${total},"limit":${limit},"offset":${offset},"has_more":${offset + limit < total}}`;
    return { status: 200, body: `{"success":true,"data":[${json}],"pagination":${pagination}}` };
  });

/** 200 after a delete. */
export const deleted = async (done: Promise<void>): Promise<HttpResponse> => {
  await done;
  return { status: 200, body: '{"success":true,"data":{"deleted":true}}' };
};

export const deletedSchema = objectSchema('Deleted', { deleted: { const: true } });
