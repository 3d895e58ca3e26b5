import { type JsonWithEtag, withEtag } from '../../lib/etag.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import { pageRequestOf } from '../../lib/page.ts';
import { changedRecord, ifMatchOf, recordWithEtag } from './preconditions.ts';
import {
  type AnyOperationRoute,
  type AnyRoute,
  created,
  deleted,
  type HttpRequest,
  type HttpResponse,
  ok,
  page,
} from './route.ts';

// biome-ignore-start lint/suspicious/noExplicitAny: any request and any result
type Request = HttpRequest<any, any, any>;
type Answer = (request: Request, result: any) => MaybePromise<HttpResponse>;
type RunOperation = (operation: any, principal: any, input: any) => any;
// biome-ignore-end lint/suspicious/noExplicitAny: any request and any result

/** How the input of the operation is read; without merging objects, where there is only one. */
const inputOf = (
  method: string,
  path: string,
  definition: AnyOperationRoute,
): ((request: Request) => unknown) => {
  const { query, body, hasEtag } = definition;
  if (hasEtag && method !== 'GET' && method !== 'POST')
    return (request) => ({ ...request.body, ...request.params, match: ifMatchOf(request) });
  const sent = body ? 'body' : query && 'query';
  if (!path.includes(':')) return (request) => (sent ? request[sent] : null);
  return sent ? (request) => ({ ...request[sent], ...request.params }) : (request) => request.params;
};

/** The path of the list that has a new record: `/v1/agents` for `/v1/agents/{id}/duplicate`. */
const listPath = (path: string, pattern: string): string => {
  const segments = pattern.split('/');
  const below = segments.length - segments.findIndex((segment) => segment.startsWith(':'));
  return path.split('/').slice(0, -below).join('/');
};

const tagged = (record: object | JsonWithEtag): JsonWithEtag =>
  'json' in record ? record : withEtag(record);

const answerOf = (method: string, pattern: string, definition: AnyOperationRoute): Answer => {
  const { list, hasCappedTotal, hasEtag, data, status, etag = tagged } = definition;
  if (list) return ({ query }, found) => page(pageRequestOf(query), found, hasCappedTotal);
  if (method === 'DELETE' && !data) return (_, done) => deleted(done);
  if (method === 'POST' && status !== 200) {
    const listOf = pattern.includes(':') ? (path: string) => listPath(path, pattern) : (path: string) => path;
    const tag = hasEtag && etag;
    return ({ path }, creation) => created({ path: listOf(path) }, creation, tag);
  }
  if (!hasEtag) return (_, found) => ok(found);
  return method === 'GET'
    ? // A record's ETag does not depend on the members that a request includes.
      (request, found) => recordWithEtag(request.query?.include ? { headers: {} } : request, found, etag)
    : (_, done) => changedRecord(done.then(etag));
};

/** A route that runs one operation, with the handler that does so. */
export const operationRoute = (
  method: string,
  pattern: string,
  definition: AnyOperationRoute,
  runOperation: RunOperation,
): AnyRoute => {
  const { run, input = inputOf(method, pattern, definition), handle: _, ...rules } = definition;
  const answer = answerOf(method, pattern, definition);
  return {
    operationId: run.operationName,
    ...rules,
    handle: (request) => answer(request, runOperation(run, request.principal, input(request))),
  };
};
