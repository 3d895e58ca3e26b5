import { type ResponseCheck, templateResponseCheck } from '../../kit/dashboard/checked-client.ts';
import type { RecordSet } from '../../kit/dashboard/operations.ts';
import type { Json, Reply } from '../../kit/service/test-service.ts';
import type { Client } from './client.ts';
import { hookDocument } from './hook-document.ts';

export interface Parameter {
  readonly name: string;
  readonly schema: Json;
}

/** An operation as its OpenAPI document describes it. */
export interface Operation {
  readonly source: 'api' | 'dashboard' | 'hooks';
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

const operationsOf = (source: Operation['source'], document: Json): Operation[] => {
  const describe: ResponseCheck = templateResponseCheck(document);
  return Object.entries<Json>(document.paths).flatMap(([template, methods]) =>
    Object.entries<Json>(methods).map(([verb, { parameters = [], requestBody }]): Operation => {
      const method = verb.toUpperCase();
      const placed = (place: string) => parameters.filter((each: Json) => each.in === place);
      const [media] = Object.keys(requestBody?.content ?? {});
      return {
        source,
        method,
        template,
        slots: placed('path').map(({ name }: Json) => name),
        query: placed('query'),
        headers: placed('header'),
        body: requestBody?.content['application/json']?.schema,
        media,
        check: (reply) => describe(method, template, reply),
      };
    }),
  );
};

/** Every operation of a running service, from the documents that it serves, and its hooks. New routes are included as
 *  soon as they are documented. */
export const documentedOperations = async (client: Client): Promise<Operation[]> => {
  const read = async (path: string) => (await client.send({ method: 'GET', path, headers: {} })).body;
  const [api, dashboard] = [await read('/openapi.json'), await read('/dashboard/openapi.json')];
  return [
    ...operationsOf('api', api),
    ...operationsOf('dashboard', dashboard),
    ...operationsOf('hooks', hookDocument(api)),
  ];
};

/** The kinds of a record set by the path segment before their id. Add a new kind of record here. */
const RECORD_KINDS: Readonly<Record<string, keyof RecordSet>> = {
  contacts: 'contact',
  enrollments: 'contact',
  agents: 'agent',
  versions: 'version',
  channels: 'channel',
  calls: 'call',
  campaigns: 'campaign',
  imports: 'toReplan',
  integrations: 'integration',
  keys: 'key',
  users: 'user',
};

/** The record that a path parameter identifies. */
export const recordKind = (
  { source, template }: Pick<Operation, 'source' | 'template'>,
  slot: string,
): keyof RecordSet => {
  if (template === '/hooks/contacts/{id}') return 'integration';
  const segments = template.split('/');
  const kind = RECORD_KINDS[segments[segments.indexOf(`{${slot}}`) - 1] ?? ''];
  if (!kind) throw new Error(`Which record does ${slot} name in ${source} ${template}? Add it to KINDS.`);
  return kind;
};

/** The record that a field or query parameter refers to, by its name, or undefined. */
export const referencedKind = (name: string): keyof RecordSet | undefined => {
  const kind = name === 'ids' ? 'contact' : /^(\w+?)_ids?$/.exec(name)?.[1];
  return kind && Object.values(RECORD_KINDS).includes(kind as keyof RecordSet)
    ? (kind as keyof RecordSet)
    : undefined;
};
