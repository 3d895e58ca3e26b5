import { type ErrorCode, statusOf } from '../../lib/errors.ts';
import * as s from '../../lib/schemas.ts';
import { IDEMPOTENCY_KEY_PATTERN } from '../pipeline/idempotency.ts';
import { TAG_LIST_PATTERN } from '../pipeline/preconditions.ts';
import { sizeText } from '../pipeline/request-input.ts';
import { type AnyRoute, deletedSchema, errorProperties, type RouteDocument } from '../pipeline/route.ts';
import type { BoundRoute } from '../pipeline/router.ts';

const errorSchema = s.object('Error', {
  success: { const: false },
  error: {
    type: 'object',
    required: ['code', 'message', 'request_id'],
    additionalProperties: false,
    properties: { ...errorProperties, request_id: s.string() },
  },
});

const paginationFields = {
  total: s.count(),
  limit: { type: 'integer', minimum: 1, maximum: 100 },
  offset: s.count(),
  has_more: s.boolean(),
};
const paginationSchema = s.object('Pagination', paginationFields);
const cappedPaginationSchema = s.object('CappedPagination', {
  ...paginationFields,
  total_is_capped: s.boolean('Whether the list has more records than `total`.'),
});

/** The errors of a route. Most follow from what it takes. */
const errorsOf = ({ method, path, route }: BoundRoute): Set<ErrorCode> => {
  const { access, params = {}, query, body, created, isIdempotent, errors = [] } = route;
  const codes = new Set<ErrorCode>([...errors, 'UNAUTHORIZED', 'INTERNAL_ERROR', 'UNAVAILABLE']);
  const add = (isIncluded: unknown, ...more: ErrorCode[]) => {
    if (isIncluded) for (const code of more) codes.add(code);
  };
  const hasUuid = Object.values(params).some(({ format }) => format === 'uuid');
  // A request must not have two credentials.
  add(query || body || hasUuid || access.schemes.length > 1, 'VALIDATION_ERROR');
  add(body, 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  // The secret of a hook identifies its record.
  add(!access.isHook, 'FORBIDDEN');
  add(path.includes(':') && !access.isHook && !created, 'NOT_FOUND');
  add(method !== 'GET' && conditionsOf(method, route).length > 0, 'VALIDATION_ERROR', 'PRECONDITION_FAILED');
  add(isIdempotent, 'VALIDATION_ERROR', 'CONFLICT', 'IDEMPOTENCY_MISMATCH');
  // Callers may have a rate limit, and failed authentications are limited.
  add(access.isRateLimited, 'RATE_LIMITED');
  return codes;
};

const header = (name: string, description: string, more: object = { schema: s.string() }) => ({
  [name]: { description, ...more },
});
const requestId = header('X-Request-Id', 'Identifies this request in the logs.');
const etag = header('ETag', 'The entity tag of the current state of the record.');
const location = header('Location', 'The path of the new record.');
const retryAfter = header('Retry-After', 'Seconds to wait before retrying.', { schema: s.integer() });
const link = header(
  'Link',
  'The URL of the next page, as `rel="next"`, with its cursor as `next_cursor`. Absent on the last page.',
  { required: false, schema: s.string() },
);
const capped = header('X-Total-Capped', '`true` if `total` is a lower bound. Otherwise absent.', {
  required: false,
  schema: { const: 'true' },
});
/** Headers of error responses besides the request id. */
const HEADERS: Partial<Record<ErrorCode, s.JsonSchema>> = {
  RATE_LIMITED: retryAfter,
  UNAVAILABLE: retryAfter,
};
const BYTES = { type: 'string', format: 'binary' };
const json = (schema: s.JsonSchema) => ({ 'application/json': { schema } });

/** Keywords whose values are not schemas. */
const VALUES = new Set(['const', 'default', 'enum', 'examples']);

/** Moves every titled schema into the components and leaves a reference to it. */
const createCollector = () => {
  const schemas: Record<string, unknown> = {};
  const lift = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(lift);
    if (typeof value !== 'object' || value === null) return value;
    const { title, ...rest } = value as Record<string, unknown>;
    const lifted = Object.fromEntries(
      Object.entries(rest).map(([name, each]) => [name, VALUES.has(name) ? each : lift(each)]),
    );
    if (typeof title !== 'string') return title === undefined ? lifted : { title: lift(title), ...lifted };
    const name = uniqueName(schemas, title, lifted);
    schemas[name] = lifted;
    return { $ref: `#/components/schemas/${name}` };
  };
  return { schemas, lift };
};

const uniqueName = (schemas: Record<string, unknown>, title: string, schema: unknown): string => {
  const existing = schemas[title];
  return existing === undefined || JSON.stringify(existing) === JSON.stringify(schema)
    ? title
    : uniqueName(schemas, `${title}Full`, schema);
};

const ifMatch = {
  name: 'If-Match',
  description: 'The ETag that you read. If the record has changed since, the request fails with 412.',
  schema: { type: 'string', pattern: TAG_LIST_PATTERN },
};

const createOnly = {
  name: 'If-None-Match',
  description: '`*` only creates: if the record exists, the request fails with 412.',
  schema: { type: 'string', pattern: TAG_LIST_PATTERN },
};

/** The conditional headers of each method, for records with an ETag. */
const CONDITIONS: Readonly<Record<string, readonly s.JsonSchema[]>> = {
  GET: [
    {
      name: 'If-None-Match',
      description: 'ETags that you have. If one is current, the response is 304.',
      schema: s.string(),
    },
  ],
  PATCH: [ifMatch],
  PUT: [ifMatch, createOnly],
  DELETE: [ifMatch],
};

const conditionsOf = (method: string, { hasEtag, takesIfMatch }: RouteDocument): readonly s.JsonSchema[] =>
  takesIfMatch ? [ifMatch] : ((hasEtag && CONDITIONS[method]) ?? []);

const idempotencyKey = {
  name: 'Idempotency-Key',
  description:
    'A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`.',
  schema: { type: 'string', pattern: IDEMPOTENCY_KEY_PATTERN },
};

const envelope = (data: s.JsonSchema, { list, hasCappedTotal }: Partial<RouteDocument>) => {
  const schema = list
    ? s.object('', {
        success: { const: true },
        data: s.list(data),
        pagination: hasCappedTotal ? cappedPaginationSchema : paginationSchema,
      })
    : s.object('', { success: { const: true }, data });
  const { title: _, ...body } = schema;
  return json(body);
};

const textsOf = (types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [type, { schema: s.string() }]));

const success = (method: string, document: RouteDocument) => {
  const { data = method === 'DELETE' ? deletedSchema : {}, created, hasNext, status, hasEtag } = document;
  const { file, otherTypes = [] } = document;
  if (file) return { 200: { description: 'Done.', headers: requestId, content: textsOf(file) } };
  const headers = { ...requestId, ...(hasEtag && method !== 'DELETE' && etag) };
  const createdWith = (schema: s.JsonSchema) => ({
    201: { description: 'Created.', headers: { ...headers, ...location }, content: envelope(schema, {}) },
  });
  if (method === 'POST' && status === undefined) return createdWith(data);
  return {
    200: {
      description: 'Done.',
      headers: { ...headers, ...(hasNext && { ...link, ...capped }) },
      content: { ...envelope(data, document), ...textsOf(otherTypes) },
    },
    ...(created && createdWith(created)),
    ...(hasEtag && method === 'GET' && { 304: { description: 'The record has not changed.', headers } }),
  };
};

const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const requestBody = ({ body, bodies, bodyOptional, maxBody, operationId = '' }: AnyRoute) => {
  const limit = maxBody === undefined ? {} : { description: `At most ${sizeText(maxBody)}.` };
  if (bodies) {
    const content = Object.fromEntries(Object.entries(bodies).map(([type, schema]) => [type, { schema }]));
    return { requestBody: { ...limit, required: true, content } };
  }
  if (body === 'stream') {
    const form = { type: 'object', properties: { file: BYTES }, required: ['file'] };
    const content = {
      'text/csv': { schema: BYTES },
      [WORKBOOK]: { schema: BYTES },
      'application/octet-stream': { schema: BYTES },
      'multipart/form-data': { schema: form },
    };
    return { requestBody: { required: true, content } };
  }
  if (typeof body !== 'object') return undefined;
  const title = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Request`;
  return {
    requestBody: { ...limit, required: !bodyOptional, content: json({ title, ...body.schema }) },
  };
};

/** Each of the schemes is enough. */
const requirementsOf = (schemes: readonly string[]) => schemes.map((name) => ({ [name]: [] }));

const operation = (bound: BoundRoute, defaults: readonly string[]) => {
  const { method, path, route } = bound;
  const { schemes, isHook, extensions, note } = route.access;
  const requiredQuery = (route.query?.schema.required ?? []) as readonly string[];
  const parameters = [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => {
      const { description, ...schema } = route.params?.[name as string] ?? {};
      return { name, in: 'path', required: true, description, schema: { type: 'string', ...schema } };
    }),
    ...Object.entries(route.query?.fields ?? {}).map(([name, { schema }]) => {
      const { description, ...rest } = schema;
      const required = requiredQuery.includes(name);
      return { name, in: 'query', required, description, schema: schema.title ? schema : rest };
    }),
    ...[...conditionsOf(method, route), ...(route.isIdempotent ? [idempotencyKey] : [])].map((each) => ({
      ...each,
      in: 'header',
      required: false,
    })),
  ];
  const failures = [...errorsOf(bound)].map((code) => [
    statusOf[code],
    { description: code, headers: { ...requestId, ...HEADERS[code] }, content: json(errorSchema) },
  ]);
  return {
    tags: [route.group],
    operationId: route.operationId,
    summary: route.summary,
    description: [route.description, note].filter(Boolean).join(' '),
    ...extensions,
    ...(schemes.join() !== defaults.join() && { security: requirementsOf(schemes) }),
    // A hook has no second prefix.
    ...(isHook && { servers: [{ url: '/' }] }),
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(route),
    responses: { ...success(method, route), ...Object.fromEntries(failures) },
  };
};

export interface DocumentOptions {
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly { url: string; description?: string }[];
  readonly schemes: Readonly<Record<string, s.JsonSchema>>;
  /** The security schemes of operations that name no others. */
  readonly defaults: readonly string[];
  /** The descriptions of the groups, by name. */
  readonly groups: Readonly<Record<string, string>>;
  /** The requests that the service sends, by name. */
  readonly webhooks?: Readonly<Record<string, unknown>>;
}

/** The OpenAPI document of the routes, generated from the schemas that validate their requests. */
export const openApi = (
  bound: readonly BoundRoute[],
  { info, servers, schemes, defaults, groups, webhooks }: DocumentOptions,
) => {
  const { schemas, lift } = createCollector();
  const paths: Record<string, Record<string, unknown>> = {};
  const used = new Set(bound.flatMap(({ route }) => route.group ?? []));
  for (const each of bound) {
    if (!each.route.operationId) continue;
    const path = each.path.replace(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][each.method.toLowerCase()] = lift(operation(each, defaults));
  }
  return {
    openapi: '3.1.0',
    info,
    servers,
    tags: [...used].sort().map((name) => ({ name, description: groups[name] })),
    security: requirementsOf(defaults),
    paths,
    ...(webhooks && { webhooks: lift(webhooks) }),
    components: { schemas, securitySchemes: schemes },
  };
};
