import type { OpenApiDocument } from '../openapi.ts';
import type { Anchors } from './html.ts';
import type { Schema, Variants } from './schema.ts';

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description: string | undefined;
  readonly schema: Schema;
  /** For a path parameter: the schema of the id, taken from the responses for that record. */
  readonly record: Schema | undefined;
}

export interface ApiResponse {
  readonly status: string;
  readonly description: string;
  readonly headers: Readonly<Record<string, { description?: string }>>;
  readonly type: string | undefined;
  readonly schema: Schema | undefined;
}

export interface ApiOperation {
  readonly anchor: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string | undefined;
  /** Whether it needs no API key. */
  readonly open: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly type: string; readonly schema: Schema } | undefined;
  readonly responses: readonly ApiResponse[];
  readonly errors: readonly ApiResponse[];
}

export interface Group {
  readonly anchor: string;
  readonly name: string;
  readonly operations: readonly ApiOperation[];
}

type Content = Readonly<Record<string, { schema?: Schema }>>;
type OperationObject = {
  tags?: readonly string[];
  summary?: string;
  description?: string;
  security?: readonly unknown[];
  parameters?: readonly Partial<Parameter>[];
  requestBody?: { content?: Content };
  responses?: Record<string, { description?: string; headers?: ApiResponse['headers']; content?: Content }>;
};

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'];

const schemaOf = (content: Content = {}) => {
  const type = 'application/json' in content ? 'application/json' : Object.keys(content)[0];
  return { type, schema: type === undefined ? undefined : content[type]?.schema };
};

const bodyOf = ({ requestBody }: OperationObject): ApiOperation['body'] => {
  const { type, schema = {} } = schemaOf(requestBody?.content);
  return type === undefined ? undefined : { type, schema };
};

const responsesOf = ({ responses = {} }: OperationObject): ApiResponse[] =>
  Object.entries(responses).map(([status, { description = '', headers = {}, content }]) => ({
    status,
    description,
    headers,
    ...schemaOf(content),
  }));

export const readGroups = (document: OpenApiDocument, variants: Variants, anchors: Anchors): Group[] => {
  const paths = document.paths as Record<string, Record<string, OperationObject>>;

  /** The schema of a record's id, taken from the responses of its path. */
  const recordAt = (path: string): Schema | undefined => {
    for (const each of Object.values(paths[path] ?? {})) {
      for (const { schema } of responsesOf(each)) {
        const data = variants(schema)[0]?.properties?.data;
        const id = data && variants(data)[0]?.properties?.id;
        if (id) return id;
      }
    }
    return undefined;
  };

  /** What a path parameter identifies, derived from the segment before it: `/v1/contacts/{id}` is the id of a contact. */
  const identifiedBy = (path: string, name: string) => {
    const parts = path.split('/');
    const at = parts.indexOf(`{${name}}`);
    const word = parts[at - 1] ?? 'record';
    return {
      record: recordAt(parts.slice(0, at + 1).join('/')),
      description: `The id of the ${word.replace(/s$/, '').replace(/[-_]/g, ' ')}.`,
    };
  };

  const parametersOf = (path: string, { parameters = [] }: OperationObject): Parameter[] =>
    parameters.map(({ name = '', in: location = '', required = false, description, schema = {} }) => {
      const identified = location === 'path' ? identifiedBy(path, name) : undefined;
      return {
        name,
        in: location,
        required,
        description: description ?? identified?.description,
        schema,
        record: identified?.record,
      };
    });

  const found = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, source]) => ({ path, method: method.toUpperCase(), source })),
  );
  const groupOf = ({ source }: { source: OperationObject }) => source.tags?.[0] ?? 'Other';
  return [...Map.groupBy(found, groupOf)].map(([name, members]) => ({
    anchor: anchors(name),
    name,
    operations: members.map(({ path, method, source }) => {
      const summary = source.summary ?? `${method} ${path}`;
      const responses = responsesOf(source);
      return {
        anchor: anchors(summary),
        method,
        path,
        summary,
        description: source.description,
        open: source.security?.length === 0,
        parameters: parametersOf(path, source),
        body: bodyOf(source),
        responses: responses.filter(({ status }) => /^[123]/.test(status)),
        errors: responses.filter(({ status }) => !/^[123]/.test(status)),
      };
    }),
  }));
};
