import { type ResponseCheck, templateResponseCheck } from '../../kit/dashboard/checked-client.ts';
import type { RecordSet } from '../../kit/dashboard/operations.ts';
import type { Json, Reply } from '../../kit/service/test-service.ts';
import type { Client } from './client.ts';

export interface Parameter {
  readonly name: string;
  readonly schema: Json;
  readonly required?: boolean;
}

/** An operation as its OpenAPI document describes it. */
export interface Operation {
  readonly source: 'api' | 'dashboard' | 'hooks';
  readonly operationId: string;
  readonly method: string;
  /** The path with its slots: `/v1/contacts/{id}`. */
  readonly template: string;
  readonly slots: readonly string[];
  readonly query: readonly Parameter[];
  readonly headers: readonly Parameter[];
  /** The schema of a JSON body. */
  readonly body: Json | undefined;
  /** The media type of the body, if there is one. */
  readonly media: string | undefined;
  /** Throws if a response does not match its description. */
  readonly check: (reply: Reply) => void;
}

export const nameOf = ({ method, template }: Operation): string => `${method} ${template}`;

/** A schema without references, and without the properties that a request may contain but that have no effect. Within itself, a
 *  schema is any object. */
const writable = (document: Json, schema: Json, within: readonly string[] = []): Json => {
  if (Array.isArray(schema)) return schema.map((each) => writable(document, each, within));
  if (typeof schema !== 'object' || schema === null) return schema;
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1);
    if (within.includes(name)) return { type: 'object' };
    return writable(document, document.components.schemas[name], [...within, name]);
  }
  return Object.fromEntries(
    Object.entries<Json>(schema)
      .filter(([, each]) => each?.readOnly !== true)
      .map(([name, each]) => [name, writable(document, each, within)]),
  );
};

const operationsOf = (source: Operation['source'], document: Json): Operation[] => {
  const describe: ResponseCheck = templateResponseCheck(document);
  return Object.entries<Json>(document.paths).flatMap(([template, methods]) =>
    Object.entries<Json>(methods).flatMap(
      ([verb, { operationId, parameters = [], requestBody }]): Operation[] => {
        const method = verb.toUpperCase();
        const placed = (place: string) => parameters.filter((each: Json) => each.in === place);
        const [media] = Object.keys(requestBody?.content ?? {});
        const schema = writable(document, requestBody?.content['application/json']?.schema);
        // A body with several forms is an operation for each of them.
        const forms: (Json | undefined)[] = schema?.properties ? [schema] : (schema?.oneOf ?? [schema]);
        return forms.map((form) => ({
          source,
          operationId,
          method,
          template,
          slots: placed('path').map(({ name }: Json) => name),
          query: placed('query').map((each: Json) => ({ ...each, schema: writable(document, each.schema) })),
          headers: placed('header'),
          // A platform's message has any members.
          body: form && { properties: {}, ...form },
          media,
          check: (reply) => describe(method, template, reply),
        }));
      },
    ),
  );
};

const pathsUnder = (document: Json, prefix: string): Json => ({
  ...document,
  paths: Object.fromEntries(Object.entries(document.paths).filter(([path]) => path.startsWith(prefix))),
});

/** Every operation of a running service, from the documents that it serves. New routes are included as
 *  soon as they are documented. */
export const documentedOperations = async (client: Client): Promise<Operation[]> => {
  const read = async (path: string) => (await client.send({ method: 'GET', path, headers: {} })).body;
  const [api, dashboard] = [await read('/openapi.json'), await read('/dashboard/openapi.json')];
  return [
    ...operationsOf('api', pathsUnder(api, '/v1/')),
    ...operationsOf('dashboard', dashboard),
    ...operationsOf('hooks', pathsUnder(api, '/hooks/')),
  ];
};

/** The kinds of a record set by the path segment before their id. Add a new kind of record here. */
const RECORD_KINDS: Readonly<Record<string, keyof RecordSet>> = {
  contacts: 'contact',
  fields: 'field',
  'by-phone': 'contact',
  'bulk-jobs': 'bulkJob',
  duplicates: 'duplicate',
  enrollments: 'contact',
  identities: 'identity',
  merges: 'merge',
  agents: 'agent',
  versions: 'version',
  channels: 'channel',
  calls: 'call',
  campaigns: 'campaign',
  imports: 'toReplan',
  integrations: 'integration',
  webhooks: 'webhook',
  attempts: 'attempt',
  events: 'event',
  keys: 'key',
  users: 'user',
  segments: 'segment',
  views: 'view',
};

/** The record that a path parameter identifies. */
export const recordKind = (
  { source, template }: Pick<Operation, 'source' | 'template'>,
  slot: string,
): keyof RecordSet => {
  if (template === '/hooks/contacts/{id}') return 'integration';
  if (template.endsWith('/bulk-jobs/{id}/export')) return 'bulkExport';
  if (template.endsWith('/bulk-jobs/{id}/undo')) return 'endedBulkJob';
  if (template.includes('/identities/{kind}/')) return 'identity';
  const segments = template.split('/');
  const kind = RECORD_KINDS[segments[segments.indexOf(`{${slot}}`) - 1] ?? ''];
  if (!kind)
    throw new Error(`Which record does ${slot} name in ${source} ${template}? Add it to RECORD_KINDS.`);
  return kind;
};

/** The record that a field or query parameter refers to, by its name, or undefined. */
export const referencedKind = (name: string): keyof RecordSet | undefined => {
  const kind = name === 'ids' ? 'contact' : /^(\w+?)_ids?$/.exec(name)?.[1];
  return kind && Object.values(RECORD_KINDS).includes(kind as keyof RecordSet)
    ? (kind as keyof RecordSet)
    : undefined;
};

/** The value of a path parameter for a record: its id, its phone number, or its key. */
export const pathValue = (
  records: RecordSet,
  operation: Pick<Operation, 'source' | 'template'>,
  slot: string,
): string => {
  const record: Json = records[recordKind(operation, slot)];
  const members: Readonly<Record<string, string>> = { phone: record.phone_number, ...record };
  return /^(?:phone|key|kind|value)$/.test(slot) ? String(members[slot]) : record.id;
};
