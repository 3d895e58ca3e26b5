import { type ErrorCode, statusOf } from '../../lib/errors.ts';
import { type JsonSchema, objectSchema } from '../../lib/validation.ts';
import { sizeText } from '../pipeline/request-input.ts';
import type { AnyRoute, Params, RouteDocument } from '../pipeline/route.ts';
import type { BoundRoute } from '../pipeline/router.ts';

const errorSchema = objectSchema('Error', {
  success: { const: false },
  error: {
    type: 'object',
    required: ['code', 'message', 'request_id'],
    additionalProperties: false,
    properties: {
      code: { type: 'string', enum: Object.keys(statusOf) },
      message: { type: 'string' },
      details: {
        description: 'The invalid fields, or for a conflict the conflicting record.',
        oneOf: [
          {
            type: 'array',
            items: objectSchema('Problem', { field: { type: 'string' }, message: { type: 'string' } }),
          },
          { type: 'object', additionalProperties: { type: 'string' } },
        ],
      },
      request_id: { type: 'string' },
    },
  },
});

const paginationSchema = objectSchema('Pagination', {
  total: { type: 'integer', minimum: 0 },
  limit: { type: 'integer', minimum: 1, maximum: 100 },
  offset: { type: 'integer', minimum: 0 },
  has_more: { type: 'boolean' },
});

/** Errors that any endpoint can return. */
const ALWAYS: readonly ErrorCode[] = ['UNAUTHORIZED', 'INTERNAL_ERROR', 'UNAVAILABLE'];
/** API keys may have a rate limit. */
const LIMITED: readonly ErrorCode[] = ['RATE_LIMITED'];
const WITH_WRITE: readonly ErrorCode[] = ['FORBIDDEN'];
const WITH_MATCH: readonly ErrorCode[] = ['VALIDATION_ERROR', 'PRECONDITION_FAILED'];
const WITH_KEY: readonly ErrorCode[] = ['VALIDATION_ERROR', 'CONFLICT', 'IDEMPOTENCY_MISMATCH'];
const WITH_BODY: readonly ErrorCode[] = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];

const requestId = {
  'X-Request-Id': { description: 'Identifies this request in the logs.', schema: { type: 'string' } },
};
const etag = {
  ETag: { description: 'The entity tag of the current state of the record.', schema: { type: 'string' } },
};
const KEY = { type: 'string', minLength: 1, maxLength: 255 };
const retryAfter = {
  'Retry-After': { description: 'Seconds to wait before retrying.', schema: { type: 'integer' } },
};
/** Headers of error responses besides the request id. */
const HEADERS: Partial<Record<ErrorCode, JsonSchema>> = {
  RATE_LIMITED: retryAfter,
  UNAVAILABLE: retryAfter,
};
const BYTES = { type: 'string', format: 'binary' };
const json = (schema: JsonSchema) => ({ 'application/json': { schema } });

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
};

/** The conditional header of each method, for records with an ETag. */
const CONDITIONS: Readonly<Record<string, typeof ifMatch>> = {
  GET: { name: 'If-None-Match', description: 'ETags that you have. If one is current, the response is 304.' },
  PATCH: ifMatch,
  DELETE: ifMatch,
};

const idempotencyKey = {
  name: 'Idempotency-Key',
  description:
    'A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`.',
};

const success = (method: string, { data = {}, list, status, hasEtag, file }: RouteDocument) => {
  if (file) {
    const content = Object.fromEntries(file.map((type) => [type, { schema: { type: 'string' } }]));
    return { 200: { description: 'Done.', headers: requestId, content } };
  }
  const schema = list
    ? objectSchema('', {
        success: { const: true },
        data: { type: 'array', items: data },
        pagination: paginationSchema,
      })
    : objectSchema('', { success: { const: true }, data });
  const { title: _, ...body } = schema;
  const location = {
    Location: { description: 'The path of the new record.', schema: { type: 'string' } },
  };
  const headers = { ...requestId, ...(hasEtag && method !== 'DELETE' && etag) };
  if (method === 'POST' && status === undefined)
    return { 201: { description: 'Created.', headers: { ...headers, ...location }, content: json(body) } };
  return {
    200: { description: 'Done.', headers, content: json(body) },
    ...(hasEtag && method === 'GET' && { 304: { description: 'The record has not changed.', headers } }),
  };
};

const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const requestBody = ({ body, bodyOptional, maxBody }: AnyRoute) => {
  if (body === 'stream') {
    const content = { 'text/csv': { schema: BYTES }, [WORKBOOK]: { schema: BYTES } };
    return { requestBody: { required: true, content } };
  }
  if (typeof body !== 'object') return undefined;
  const description = maxBody === undefined ? {} : { description: `At most ${sizeText(maxBody)}.` };
  return { requestBody: { ...description, required: !bodyOptional, content: json(body.schema) } };
};

const operation = ({ method, path, route }: BoundRoute, document: RouteDocument) => {
  const condition = document.hasEtag ? CONDITIONS[method] : undefined;
  const parameters = [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      ...(document.params && { description: document.params[name as keyof Params] }),
      schema: { type: 'string' },
    })),
    ...Object.entries(route.query?.fields ?? {}).map(([name, { schema }]) => {
      const { description, ...rest } = schema;
      return { name, in: 'query', required: false, ...(description ? { description } : {}), schema: rest };
    }),
    ...(condition ? [{ ...condition, in: 'header', required: false, schema: { type: 'string' } }] : []),
    ...(document.isIdempotent ? [{ ...idempotencyKey, in: 'header', required: false, schema: KEY }] : []),
  ];
  const codes = [
    ...document.errors,
    ...(condition && method !== 'GET' ? WITH_MATCH : []),
    ...(document.isIdempotent ? WITH_KEY : []),
    ...ALWAYS,
    ...(route.access === 'read' || route.access === 'write' ? LIMITED : []),
    ...(route.access === 'read' ? [] : WITH_WRITE),
    ...(route.body ? WITH_BODY : []),
  ];
  const failures = [...new Set(codes)].map((code) => [
    statusOf[code],
    { description: code, headers: { ...requestId, ...HEADERS[code] }, content: json(errorSchema) },
  ]);
  return {
    tags: [document.group],
    operationId: document.operationId,
    summary: document.summary,
    ...(document.description && { description: document.description }),
    ...(route.access === 'open' && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(route),
    responses: { ...success(method, document), ...Object.fromEntries(failures) },
  };
};

export interface DocumentOptions {
  readonly info: { title: string; version: string; description: string };
  readonly servers: readonly { url: string; description?: string }[];
  readonly security: Readonly<Record<string, JsonSchema>>;
}

/** The OpenAPI document of the routes, generated from the schemas that validate their requests. */
export const openApi = (bound: readonly BoundRoute[], { info, servers, security }: DocumentOptions) => {
  const { schemas, lift } = createCollector();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const each of bound) {
    const { document } = each.route;
    if (!document) continue;
    const path = each.path.replace(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][each.method.toLowerCase()] = lift(operation(each, document));
  }
  return {
    openapi: '3.1.0',
    info,
    servers,
    security: Object.keys(security).map((name) => ({ [name]: [] })),
    paths,
    components: { schemas, securitySchemes: security },
  };
};

export type OpenApiDocument = ReturnType<typeof openApi>;
