import { type ErrorCode, statusOf } from '../../lib/errors.ts';
import { type JsonSchema, objectSchema } from '../../lib/validation.ts';
import { IDEMPOTENCY_KEY_PATTERN } from '../pipeline/idempotency.ts';
import { TAG_LIST_PATTERN } from '../pipeline/preconditions.ts';
import { sizeText } from '../pipeline/request-input.ts';
import type { AnyRoute, RouteDocument } from '../pipeline/route.ts';
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

const paginationFields = {
  total: { type: 'integer', minimum: 0 },
  limit: { type: 'integer', minimum: 1, maximum: 100 },
  offset: { type: 'integer', minimum: 0 },
  has_more: { type: 'boolean' },
};
const paginationSchema = objectSchema('Pagination', paginationFields);
const cappedPaginationSchema = objectSchema('CappedPagination', {
  ...paginationFields,
  total_is_capped: { type: 'boolean', description: 'Whether the list has more records than `total`.' },
});

/** Errors that any endpoint can return. */
const ALWAYS: readonly ErrorCode[] = ['UNAUTHORIZED', 'FORBIDDEN', 'INTERNAL_ERROR', 'UNAVAILABLE'];
/** Callers may have a rate limit, and failed authentications are limited. */
const LIMITED: readonly ErrorCode[] = ['RATE_LIMITED'];
const WITH_MATCH: readonly ErrorCode[] = ['VALIDATION_ERROR', 'PRECONDITION_FAILED'];
const WITH_KEY: readonly ErrorCode[] = ['VALIDATION_ERROR', 'CONFLICT', 'IDEMPOTENCY_MISMATCH'];
const WITH_BODY: readonly ErrorCode[] = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];

const requestId = {
  'X-Request-Id': { description: 'Identifies this request in the logs.', schema: { type: 'string' } },
};
const etag = {
  ETag: { description: 'The entity tag of the current state of the record.', schema: { type: 'string' } },
};
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
  schema: { type: 'string', pattern: TAG_LIST_PATTERN },
};

const createOnly = {
  name: 'If-None-Match',
  description: '`*` only creates: if the record exists, the request fails with 412.',
  schema: { type: 'string', pattern: TAG_LIST_PATTERN },
};

/** The conditional headers of each method, for records with an ETag. */
const CONDITIONS: Readonly<Record<string, readonly JsonSchema[]>> = {
  GET: [
    {
      name: 'If-None-Match',
      description: 'ETags that you have. If one is current, the response is 304.',
      schema: { type: 'string' },
    },
  ],
  PATCH: [ifMatch],
  PUT: [ifMatch, createOnly],
  DELETE: [ifMatch],
};

const idempotencyKey = {
  name: 'Idempotency-Key',
  description:
    'A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`.',
  schema: { type: 'string', pattern: IDEMPOTENCY_KEY_PATTERN },
};

const envelope = (data: JsonSchema, { list, hasCappedTotal }: Partial<RouteDocument>) => {
  const schema = list
    ? objectSchema('', {
        success: { const: true },
        data: { type: 'array', items: data },
        pagination: hasCappedTotal ? cappedPaginationSchema : paginationSchema,
      })
    : objectSchema('', { success: { const: true }, data });
  const { title: _, ...body } = schema;
  return json(body);
};

const success = (method: string, document: RouteDocument) => {
  const { data = {}, created, hasNext, status, hasEtag, file, otherTypes = [] } = document;
  const others = Object.fromEntries(otherTypes.map((type) => [type, { schema: { type: 'string' } }]));
  if (file) {
    const content = Object.fromEntries(file.map((type) => [type, { schema: { type: 'string' } }]));
    return { 200: { description: 'Done.', headers: requestId, content } };
  }
  const location = {
    Location: { description: 'The path of the new record.', schema: { type: 'string' } },
  };
  const headers = { ...requestId, ...(hasEtag && method !== 'DELETE' && etag) };
  const link = {
    Link: {
      description:
        'The URL of the next page, as `rel="next"`, with its cursor as `next_cursor`. Absent on the last page.',
      required: false,
      schema: { type: 'string' },
    },
  };
  const createdWith = (schema: JsonSchema) => ({
    201: { description: 'Created.', headers: { ...headers, ...location }, content: envelope(schema, {}) },
  });
  if (method === 'POST' && status === undefined) return createdWith(data);
  return {
    200: {
      description: 'Done.',
      headers: { ...headers, ...(hasNext && link) },
      content: { ...envelope(data, document), ...others },
    },
    ...(created && createdWith(created)),
    ...(hasEtag && method === 'GET' && { 304: { description: 'The record has not changed.', headers } }),
  };
};

const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const named = (schema: JsonSchema, { operationId }: RouteDocument): JsonSchema => ({
  title: `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Request`,
  ...schema,
});

const requestBody = ({ body, bodyOptional, maxBody }: AnyRoute, document: RouteDocument) => {
  const limit = maxBody === undefined ? {} : { description: `At most ${sizeText(maxBody)}.` };
  if (document.bodies) {
    const content = Object.fromEntries(
      Object.entries(document.bodies).map(([type, schema]) => [type, { schema }]),
    );
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
  return { requestBody: { ...limit, required: !bodyOptional, content: json(named(body.schema, document)) } };
};

const descriptionOf = ({ description }: RouteDocument, { access: { note } }: AnyRoute) => ({
  description: [description, note].filter(Boolean).join(' '),
});

/** Each of the schemes is enough. */
const requirementsOf = (schemes: readonly string[]) => schemes.map((name) => ({ [name]: [] }));

const operation = (
  { method, path, route }: BoundRoute,
  document: RouteDocument,
  defaults: readonly string[],
) => {
  const conditions = (document.hasEtag && CONDITIONS[method]) || [];
  const { schemes, isRateLimited, isHook, extensions } = route.access;
  const requiredQuery = (route.query?.schema.required ?? []) as readonly string[];
  const parameters = [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => {
      const { description, ...schema } = document.params?.[name as string] ?? {};
      return { name, in: 'path', required: true, description, schema: { type: 'string', ...schema } };
    }),
    ...Object.entries(route.query?.fields ?? {}).map(([name, { schema }]) => {
      const { description, ...rest } = schema;
      const required = requiredQuery.includes(name);
      return { name, in: 'query', required, description, schema: schema.title ? schema : rest };
    }),
    ...[...conditions, ...(document.isIdempotent ? [idempotencyKey] : [])].map((each) => ({
      ...each,
      in: 'header',
      required: false,
    })),
  ];
  const codes = [
    ...document.errors,
    ...(conditions.length > 0 && method !== 'GET' ? WITH_MATCH : []),
    ...(document.isIdempotent ? WITH_KEY : []),
    ...ALWAYS.filter((code) => !isHook || code !== 'FORBIDDEN'),
    ...(isRateLimited ? LIMITED : []),
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
    ...descriptionOf(document, route),
    ...extensions,
    ...(schemes.join() !== defaults.join() && { security: requirementsOf(schemes) }),
    // A hook has no second prefix.
    ...(isHook && { servers: [{ url: '/' }] }),
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(route, document),
    responses: { ...success(method, document), ...Object.fromEntries(failures) },
  };
};

const GROUPS: Readonly<Record<string, string>> = {
  Session: 'Sign in and out, and change the password.',
  Figures: 'The counts on the home page.',
  'Bulk jobs': 'Changes and exports of many contacts that run in the background.',
  Events: 'The feed of changes of records.',
  Notices: 'What the dashboard informs its users of.',
  Views: 'Filters, order and columns of a list under a name.',
  Activity: 'Who changed what, and when.',
  Settings: 'Settings of the workspace.',
  Contacts: 'People, each with a phone number that is unique in the workspace.',
  Agents: 'AI agents, their versions and deploys.',
  Channels: 'Addresses where an agent answers, such as phone numbers.',
  Calls: 'Calls and messages on the channels.',
  Campaigns: 'An agent and the contacts enrolled for it.',
  Imports: 'Files of contacts: preview, apply and undo.',
  Integrations: 'CRMs that write contacts through a webhook.',
  Keys: 'API keys and their scopes.',
  Users: 'People who sign in to the dashboard.',
  Webhooks: 'URLs that events are sent to.',
  Hooks: 'URLs that voice runtimes, phone providers and CRMs call.',
};

/** The groups in alphabetical order. */
const groupsOf = (bound: readonly BoundRoute[]) => {
  const names = new Set(bound.flatMap(({ route }) => route.document?.group ?? []));
  return [...names].sort().map((name) => ({ name, description: GROUPS[name] }));
};

export interface DocumentOptions {
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly contact: { readonly name: string; readonly url: string; readonly email: string };
    readonly license: { readonly name: string; readonly url: string };
  };
  readonly servers: readonly { url: string; description?: string }[];
  readonly schemes: Readonly<Record<string, JsonSchema>>;
  /** The security schemes of operations that name no others. */
  readonly defaults: readonly string[];
  /** The requests that the service sends, by name. */
  readonly webhooks?: Readonly<Record<string, unknown>>;
}

/** The OpenAPI document of the routes, generated from the schemas that validate their requests. */
export const openApi = (
  bound: readonly BoundRoute[],
  { info, servers, schemes, defaults, webhooks }: DocumentOptions,
) => {
  const { schemas, lift } = createCollector();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const each of bound) {
    const { document } = each.route;
    if (!document) continue;
    const path = each.path.replace(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][each.method.toLowerCase()] = lift(operation(each, document, defaults));
  }
  return {
    openapi: '3.1.0',
    info,
    servers,
    tags: groupsOf(bound),
    security: requirementsOf(defaults),
    paths,
    ...(webhooks && { webhooks: lift(webhooks) }),
    components: { schemas, securitySchemes: schemes },
  };
};

export type OpenApiDocument = ReturnType<typeof openApi>;
