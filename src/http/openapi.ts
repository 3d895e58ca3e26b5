import { type ErrorCode, statusOf } from '../kernel/errors.ts';
import { exactly, type JsonSchema } from '../kernel/shape.ts';
import type { Params, RouteDocument } from './route.ts';
import type { Bound } from './router.ts';

const errorSchema = exactly('Error', {
  success: { const: false },
  error: {
    type: 'object',
    required: ['code', 'message', 'request_id'],
    additionalProperties: false,
    properties: {
      code: { type: 'string', enum: Object.keys(statusOf) },
      message: { type: 'string' },
      details: {
        description: 'The fields at fault, or for a conflict the record that is in the way.',
        oneOf: [
          {
            type: 'array',
            items: exactly('Problem', { field: { type: 'string' }, message: { type: 'string' } }),
          },
          { type: 'object', additionalProperties: { type: 'string' } },
        ],
      },
      request_id: { type: 'string' },
    },
  },
});

const paginationSchema = exactly('Pagination', {
  total: { type: 'integer', minimum: 0 },
  limit: { type: 'integer', minimum: 1, maximum: 100 },
  offset: { type: 'integer', minimum: 0 },
  has_more: { type: 'boolean' },
});

/** What any endpoint can answer beside its own errors. */
const ALWAYS: readonly ErrorCode[] = ['UNAUTHORIZED', 'INTERNAL_ERROR', 'UNAVAILABLE'];
const WITH_WRITE: readonly ErrorCode[] = ['FORBIDDEN'];
const WITH_BODY: readonly ErrorCode[] = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];

const requestId = {
  'X-Request-Id': { description: 'Names this request in the logs.', schema: { type: 'string' } },
};
const json = (schema: JsonSchema) => ({ 'application/json': { schema } });

/** Keywords that hold values, not schemas. */
const VALUES = new Set(['const', 'default', 'enum', 'examples']);

/** Moves every titled schema into the components and leaves a reference to it. */
const collector = () => {
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
  const taken = schemas[title];
  return taken === undefined || JSON.stringify(taken) === JSON.stringify(schema)
    ? title
    : uniqueName(schemas, `${title}Full`, schema);
};

const success = (method: string, { data, list, status }: RouteDocument) => {
  const schema = list
    ? exactly('', {
        success: { const: true },
        data: { type: 'array', items: data },
        pagination: paginationSchema,
      })
    : exactly('', { success: { const: true }, data });
  const { title: _, ...body } = schema;
  const location = {
    Location: { description: 'The address of the new record.', schema: { type: 'string' } },
  };
  return method === 'POST' && status === undefined
    ? { 201: { description: 'Created.', headers: { ...requestId, ...location }, content: json(body) } }
    : { 200: { description: 'Done.', headers: requestId, content: json(body) } };
};

const operation = ({ method, path, route }: Bound, document: RouteDocument) => {
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
  ];
  const codes = [
    ...document.errors,
    ...ALWAYS,
    ...(route.access === 'read' ? [] : WITH_WRITE),
    ...(route.body ? WITH_BODY : []),
  ];
  const failures = [...new Set(codes)].map((code) => [
    statusOf[code],
    { description: code, headers: requestId, content: json(errorSchema) },
  ]);
  return {
    tags: [document.group],
    operationId: document.summary
      .replace(/ (?:a |an )?(\w)/g, (_, letter: string) => letter.toUpperCase())
      .replace(/^./, (letter) => letter.toLowerCase()),
    summary: document.summary,
    ...(document.description && { description: document.description }),
    ...(route.access === 'open' && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body &&
      route.body !== 'raw' && {
        requestBody: { required: !route.bodyOptional, content: json(route.body.schema) },
      }),
    responses: { ...success(method, document), ...Object.fromEntries(failures) },
  };
};

export interface DocumentOptions {
  readonly info: { title: string; version: string; description: string };
  readonly servers: readonly { url: string; description?: string }[];
  /** The one way in which callers are known. */
  readonly security: Readonly<Record<string, JsonSchema>>;
}

/** The OpenAPI document of the bound routes, made from the schemas that check their requests. */
export const openApi = (bound: readonly Bound[], { info, servers, security }: DocumentOptions) => {
  const { schemas, lift } = collector();
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
