import { t, translatedMessage } from '../lib/i18n.ts';
import { ApiError, errorDetail } from './api-error.ts';
import { sendRead } from './reads.ts';
import { send } from './send.ts';
import { session } from './session.ts';
import { type Error as ErrorAnswer, type Operations, ownOperations, type Problem } from './types.gen.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
type Input = string | number | boolean | null | undefined;
export type Operation = keyof Operations;
export type PathOf<M extends Method> = {
  [Name in Operation]: Name extends `${M} ${infer Path}` ? Path : never;
}[Operation];
type Named<M extends Method, P extends string> = `${M} ${P}` extends Operation
  ? Operations[`${M} ${P}`]
  : never;

/** An option whose type is `undefined` cannot be passed. */
type Given<Name extends string, T> = [T] extends [undefined]
  ? { readonly [K in Name]?: undefined }
  : object extends T
    ? { readonly [K in Name]?: T }
    : { readonly [K in Name]: T };

/** Per operation: for a union of operations, an intersection of the parts would combine the parts of all of them, and each call
 *  would take the compiler seconds. */
type OptionsOf = {
  [Name in Operation]: Given<'params', Operations[Name]['params']> &
    Given<'query', Operations[Name]['query']> &
    Given<'body', Operations[Name]['body']> & {
      readonly signal?: AbortSignal;
      /** The `etag` of the record as it was read. If the record has changed since, the request fails with
       *  PRECONDITION_FAILED. */
      readonly ifMatch?: string | null;
      /** Sent as is, instead of a JSON body. */
      readonly file?: Blob;
      /** The answer has the `text` of the response, for values that parsing would change. */
      readonly keepText?: true;
      /** The request is completed when the page is left. Its body has at most 64 kB. */
      readonly keepalive?: boolean;
    };
};

export type Options<M extends Method, P extends string> = `${M} ${P}` extends Operation
  ? OptionsOf[`${M} ${P}`]
  : never;

/** The options without the types of a single operation. */
interface Loose {
  readonly params?: Record<string, Input>;
  readonly query?: Record<string, Input>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  readonly ifMatch?: string | null;
  readonly file?: Blob;
  readonly keepText?: true;
  readonly keepalive?: boolean;
}

/** The response of an operation: `data`, `pagination` for lists, and the `etag` of the record if it has one. */
export type Answer<M extends Method, P extends string> = Omit<Named<M, P>['answer'], 'success'> & {
  readonly etag: string | null;
  readonly text?: string;
};

/** The URL of an operation. */
const urlOf = (
  method: Method,
  path: string,
  params: Readonly<Record<string, Input>> = {},
  query: Readonly<Record<string, Input>> = {},
): string => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const present = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  const search = new URLSearchParams(present.map(([name, value]) => [name, String(value)]));
  const prefix = ownOperations.has(`${method} ${path}`) ? '/dashboard/api' : '/v1';
  return prefix + filled + (present.length > 0 ? `?${search}` : '');
};

/** The URL of a download or an upload. */
export const apiUrl = (
  path: string,
  params?: Readonly<Record<string, Input>>,
  query?: Readonly<Record<string, Input>>,
): string => urlOf('GET', path, params, query);

const isProblems = (details: ErrorAnswer['error']['details']): details is readonly Problem[] =>
  Array.isArray(details);

/** The error in the language of the reader, as far as its messages are translated. */
const translatedError = ({ code, message, details, request_id }: ErrorAnswer['error']): ApiError => {
  const textOf = (text: string) => translatedMessage(text) ?? text;
  const problems = isProblems(details)
    ? details.map((problem) => ({ ...problem, message: textOf(problem.message) }))
    : undefined;
  const isTranslated = isProblems(details) && details.every((each) => translatedMessage(each.message));
  const text = isTranslated ? problems?.map((each) => each.message).join(' ') : textOf(message);
  return new ApiError(code, text || message, problems ?? details, request_id);
};

export const apiErrorFrom = (response: Response, body: unknown): ApiError => {
  const error = (body as Partial<ErrorAnswer> | undefined)?.error;
  if (error) return translatedError(error);
  const id = response.headers.get('X-Request-Id') ?? undefined;
  return new ApiError(
    'INTERNAL_ERROR',
    t('Unexpected response from Roster ({status}).', { status: String(response.status) }),
    undefined,
    id,
  );
};

/** The ETag without the name of the encoding that the response was compressed with, so that the ETags of two responses
 *  can be compared. */
const recordTag = (etag: string | null) => etag?.replace(/;(?:zstd|br|gzip)"$/, '"') ?? null;

/** Sends an API request. The browser adds the session cookie and the Origin header that the service checks. */
export const call = async <M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  ...[options]: object extends Options<M, P> ? [options?: Options<M, P>] : [options: Options<M, P>]
): Promise<Answer<M, P>> => {
  const {
    params,
    query,
    body,
    signal,
    ifMatch,
    file,
    keepText,
    keepalive = false,
  } = (options as unknown as Loose | undefined) ?? {};
  const headers = new Headers();
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  if (file) headers.set('Content-Type', file.type || 'text/csv');
  if (ifMatch) headers.set('If-Match', ifMatch);
  const isOfSession = path.startsWith('/session');
  const user = session.user();
  if (user && !isOfSession) headers.set('Roster-User', user);
  const isRead = method === 'GET' && !isOfSession;
  const response = await (isRead ? sendRead : send)(urlOf(method, path, params, query), {
    method,
    headers,
    body: file ?? (body === undefined ? null : JSON.stringify(body)),
    signal: signal ?? null,
    keepalive,
  });
  const text =
    keepText &&
    (await response
      .clone()
      .text()
      .catch(() => undefined));
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok && answer)
    return {
      ...answer,
      etag: recordTag(response.headers.get('ETag')),
      ...(text && { text }),
    } as unknown as Answer<M, P>;
  const failure = apiErrorFrom(response, answer);
  if (failure.code === 'CONFLICT' && errorDetail(failure, 'current_user_id')) session.markSwitched();
  if (failure.code !== 'UNAUTHORIZED' || isOfSession) throw failure;
  session.markEnded();
  // Shown in the form after signing in again.
  throw new ApiError('UNAUTHORIZED', t('Your session ended, so nothing was saved. Try again.'));
};
