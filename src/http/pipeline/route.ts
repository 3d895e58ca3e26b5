import type { IncomingHttpHeaders } from 'node:http';
import { type ErrorCode, statusOf } from '../../lib/errors.ts';
import type { IfMatch, JsonWithEtag } from '../../lib/etag.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import type { Page, PageRequest } from '../../lib/page.ts';
import * as s from '../../lib/schemas.ts';
import type { ObjectReader } from '../../lib/validation.ts';
import type { Origin } from './request-origin.ts';

/** What a route requires of its caller. The service has a guard for every kind. */
export interface Access<W = unknown> {
  readonly kind: string;
  /** Only a type: the principal that the guard returns. */
  readonly principal?: W;
  /** Whether the handler, not the guard, checks a credential: a password or a signature of the body. */
  readonly isCheckedByHandler?: true;
  /** Whether callers have a rate limit. */
  readonly isRateLimited?: true;
  /** Whether the caller is a program that the record in the path belongs to. */
  readonly isHook?: true;
  /** The names of the security schemes in the OpenAPI document. Each is enough. */
  readonly schemes: readonly string[];
  /** The last sentence of the description in the OpenAPI document. */
  readonly note?: string;
  /** Further properties of the operation in the OpenAPI document. */
  readonly extensions?: Readonly<Record<`x-${string}`, unknown>>;
}

/** For everyone. A handler may check a password or a link itself. */
export const open: Access<{ readonly request?: string | undefined }> = {
  kind: 'open',
  isCheckedByHandler: true,
  schemes: [],
};

/** The input of a handler. `Q` and `B` are the validated query and body, and `P` the names of the parameters in the path. */
export interface HttpRequest<W = unknown, Q = unknown, B = unknown, P extends string = 'id'> {
  readonly principal: W;
  readonly params: Readonly<Record<P, string>>;
  readonly query: Q;
  readonly body: B;
  /** The requested path, without the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The path with the query. */
  readonly target: string;
  readonly origin: () => Origin;
  /** Whether the client has closed the connection. */
  readonly isClosed: () => boolean;
  /** The response to a GET of a path with the credentials of this request. */
  readonly read: (path: string) => Promise<HttpResponse>;
}

export interface HttpResponse {
  readonly status: number;
  /** The whole body, or a stream of its chunks. */
  readonly body: string | Buffer | AsyncIterable<string | Buffer>;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Called when the response was sent or its connection has closed. */
  readonly onClose?: () => void;
}

/** The description of a route in the OpenAPI document. A route without an `operationId` is not in it. */
export interface RouteDocument<P extends string = string> {
  /** Stable: generated clients name their methods after it. */
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly group?: string;
  /** The schemas of the path parameters, with their descriptions. */
  readonly params?: Readonly<Record<P, s.JsonSchema>>;
  /** The schema of `data` in the envelope. Default for DELETE: `deletedSchema`. */
  readonly data?: s.JsonSchema;
  /** The schema of `data` in a 201 response, for a PUT that may create the record. */
  readonly created?: s.JsonSchema;
  readonly list?: boolean;
  /** Whether the `Link` header of a page can have the URL of the next one. */
  readonly hasNext?: boolean;
  /** Whether the total of the list may be a lower bound. */
  readonly hasCappedTotal?: boolean;
  /** The media types of a response without an envelope. */
  readonly file?: readonly string[];
  /** The schemas of a raw body, by media type. */
  readonly bodies?: Readonly<Record<string, s.JsonSchema>>;
  /** Further media types of a success, for callers that expect another form than JSON. */
  readonly otherTypes?: readonly string[];
  /** For a POST that creates nothing. */
  readonly status?: 200;
  /** Whether the record has an ETag, for conditional requests. */
  readonly hasEtag?: true;
  /** Whether a POST takes If-Match, with the ETag of the record in its path. */
  readonly takesIfMatch?: true;
  /** Whether it supports the Idempotency-Key header. */
  readonly isIdempotent?: true;
  /** Errors besides those that follow from its access, path, query and body. */
  readonly errors?: readonly ErrorCode[];
}

interface RouteRules<W, Q, B, P extends string> extends RouteDocument<P> {
  readonly query?: ObjectReader<Q>;
  /** The fields of a JSON body, `raw` for unparsed text, or `stream` for a stream of bytes without a size limit. */
  readonly body?: ObjectReader<B> | 'raw' | 'stream';
  /** The fields of a JSON body for one caller, where callers may send different ones. */
  readonly bodyFor?: (principal: W) => ObjectReader<B>;
  /** Whether a missing body counts as an empty object. */
  readonly bodyOptional?: boolean;
  /** Maximum body size in bytes. Default: 1 MiB. Set a small one on a route that reads the body before it authenticates the
   *  caller. */
  readonly maxBody?: number;
  /** Maximum number of values in a JSON body. Default: 10,000. */
  readonly maxValues?: number;
  /** The member of a JSON body that the reader gets as `SentJson`, with its text. */
  readonly sentMember?: string;
  /** Whether a success contains a secret that is shown once. Such a response is never compressed, and not stored for an
   *  idempotency key. */
  readonly returnsSecret?: true;
  /** Called with the result of every request of an authenticated caller; `failure` is undefined for a success. */
  readonly observe?: (principal: W, failure: unknown) => void;
}

/** An operation of the storage. */
export interface Runnable<W, I> {
  (db: never, principal: W, input: I): unknown;
  readonly operationName: string;
}

/** The parameters of the path, the fields of the query or of the body, and with `hasEtag` the ETags of If-Match. */
export type RouteInput<Q, B, P extends string> = Readonly<Record<P, string>> &
  Q &
  B & { readonly match?: IfMatch };

interface HandledRoute<W, Q, B, P extends string> extends RouteRules<W, Q, B, P> {
  readonly handle: (request: HttpRequest<W, Q, B, P>) => MaybePromise<HttpResponse>;
  readonly run?: never;
}

/** A route that only runs an operation. Its name is the `operationId`, unless there is another one; the form of the response follows
 *  from the method and the description. */
interface OperationRoute<W, Q, B, P extends string, I> extends RouteRules<W, Q, B, P> {
  readonly run: Runnable<NoInfer<W>, I>;
  /** The input of the operation. Default: `RouteInput`. */
  readonly input?: (request: HttpRequest<W, Q, B, P>) => NoInfer<I>;
  /** The result with its ETag, if that is not a hash of the whole record. */
  // biome-ignore lint/suspicious/noExplicitAny: it takes the result of the operation
  readonly etag?: (record: any) => JsonWithEtag;
  readonly handle?: never;
}

/** An operation with another input than `RouteInput` needs `input`. */
type InputIfNeeded<Q, B, P extends string, I> =
  RouteInput<Q, B, P> extends I ? unknown : { readonly input: unknown };

type Definition<W, Q, B, P extends string, I> = HandledRoute<W, Q, B, P> | OperationRoute<W, Q, B, P, I>;

interface WithAccess<W> {
  readonly access: Access<W>;
}

export type Route<W, Q, B, P extends string = 'id', I = unknown> = Definition<W, Q, B, P, I> & WithAccess<W>;

/** The body of a hook has one event or one contact. */
export const MAX_HOOK_BODY = 65_536;

// biome-ignore-start lint/suspicious/noExplicitAny: any route, whatever it takes
export type AnyRoute = HandledRoute<any, any, any, any> & WithAccess<any>;
export type AnyOperationRoute = OperationRoute<any, any, any, any, any> & WithAccess<any>;
// biome-ignore-end lint/suspicious/noExplicitAny: any route, whatever it takes

/** Infers the types of a route's handler from its access, query, body and params. */
export const route = <W, Q = unknown, B = unknown, P extends string = 'id'>(
  definition: HandledRoute<W, Q, B, P> & WithAccess<W>,
): HandledRoute<W, Q, B, P> & WithAccess<W> => definition;

/** Defines routes with the same access. One that names its own has that. */
export const routesOf =
  <W>(access: Access<W>) =>
  <Q = unknown, B = unknown, P extends string = 'id', I = unknown>(
    definition: Definition<W, Q, B, P, I> & Partial<WithAccess<W>> & InputIfNeeded<Q, B, P, I>,
  ): Route<W, Q, B, P, I> => ({ access, ...definition });

/** A success with a record. An operation that must not change the text of stored JSON returns the record as `json`. */
const bodyOf = (record: unknown): string => {
  const json = (record as Partial<JsonWithEtag> | null | undefined)?.json;
  return json === undefined
    ? JSON.stringify({ success: true, data: record })
    : `{"success":true,"data":${json}}`;
};

/** 200 with any value as `data`. */
export const ok = async (value: MaybePromise<unknown>): Promise<HttpResponse> => ({
  status: 200,
  body: bodyOf(await value),
});

type NewRecord = { id: string } & ({ json?: never } | JsonWithEtag);

/** 201 with a new record and its path in `Location`. */
export const created = async <R extends NewRecord>(
  { path }: Pick<HttpRequest, 'path'>,
  creation: MaybePromise<R>,
  tag?: (record: R) => JsonWithEtag,
): Promise<HttpResponse> => {
  const record = await creation;
  const tagged: Partial<JsonWithEtag> = tag ? tag(record) : record;
  const { etag: ETag } = tagged;
  const headers = { Location: `${path}/${record.id}`, ...(ETag && { ETag }) };
  return { status: 201, body: bodyOf(tagged), headers };
};

/** 200 with one page of a list. With `hasCappedTotal`, its total may be a lower bound. */
export const page = (
  { limit, offset }: PageRequest,
  found: MaybePromise<Page & { readonly isCapped?: boolean }>,
  hasCappedTotal = false,
): MaybePromise<HttpResponse> =>
  chain(found, ({ json, total, isCapped = false }) => {
    const hasMore = offset + limit < total || (isCapped && json !== '');
    const capped = hasCappedTotal ? `,"total_is_capped":${isCapped}` : '';
    const pagination = `{"total":${total},"limit":${limit},"offset":${offset},"has_more":${hasMore}${capped}}`;
    return { status: 200, body: `{"success":true,"data":[${json}],"pagination":${pagination}}` };
  });

/** 200 after a delete. */
export const deleted = async (done: Promise<void>): Promise<HttpResponse> => {
  await done;
  return { status: 200, body: '{"success":true,"data":{"deleted":true}}' };
};

/** What every error has. */
export const errorProperties: Record<string, s.JsonSchema> = {
  code: s.oneOf(Object.keys(statusOf)),
  message: s.string(),
  details: {
    description: 'The invalid fields, or for a conflict the conflicting record.',
    oneOf: [
      s.list(s.object('Problem', { field: s.string(), message: s.string() })),
      { type: 'object', additionalProperties: s.string() },
    ],
  },
};

export const deletedSchema = s.object('Deleted', { deleted: { const: true } });
