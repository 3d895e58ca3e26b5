import { readFileSync, writeFileSync } from 'node:fs';
import { dashboardCopies } from '../src/entry/built.js';

/** Writes src/api/types.gen.ts from the OpenAPI documents of the API and of what only the dashboard needs: an interface for each named
 *  schema, and the JSON input and output types of each operation. Copies files of the
 *  service, so that the editor recognizes the same placeholders and days begin at the same instants. */

interface Schema {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Record<string, Schema>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly description?: string;
}

interface Operation {
  readonly summary?: string;
  readonly parameters?: readonly { name: string; in: string; required?: boolean; schema: Schema }[];
  readonly requestBody?: { content: Record<string, { schema: Schema }> };
  readonly responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { schemas: Record<string, Schema> };
}

const OWN = '/dashboard/api';
const SHARED = '/v1';
const JSON_TYPE = 'application/json';
const PLAIN: Record<string, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

const oneOf = (types: readonly string[]): string => [...new Set(types)].join(' | ');

const membersOf = ({ properties = {}, required = [] }: Schema, indent: string): string =>
  Object.entries(properties)
    .map(([name, schema]) => {
      const comment = schema.description
        ? `${indent}/** ${schema.description.replaceAll('*/', '')} */\n`
        : '';
      const optional = required.includes(name) ? '' : '?';
      return `${comment}${indent}${keyOf(name)}${optional}: ${typeOf(schema, indent)};\n`;
    })
    .join('');

const objectOf = (schema: Schema, indent: string): string => {
  if (schema.properties) return `{\n${membersOf(schema, `${indent}  `)}${indent}}`;
  const { additionalProperties: rest } = schema;
  return `Record<string, ${typeof rest === 'object' ? typeOf(rest, indent) : 'unknown'}>`;
};

const typeOf = (schema: Schema, indent: string): string => {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? 'unknown';
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return oneOf(schema.enum.map((value) => JSON.stringify(value)));
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return oneOf(choices.map((each) => typeOf(each, indent)));
  const types = [schema.type ?? (schema.properties ? 'object' : [])].flat();
  if (types.length === 0) return 'unknown';
  return oneOf(
    types.map((type) => {
      if (type === 'array') return `readonly (${typeOf(schema.items ?? {}, indent)})[]`;
      return type === 'object' ? objectOf(schema, indent) : (PLAIN[type] ?? 'unknown');
    }),
  );
};

const inputOf = (parameters: NonNullable<Operation['parameters']>, place: string): string => {
  const members = parameters
    .filter((each) => each.in === place)
    .map(({ name, required, schema }) => `${keyOf(name)}${required ? '' : '?'}: ${typeOf(schema, '    ')}`);
  return members.length > 0 ? `{ ${members.join('; ')} }` : 'undefined';
};

const operationOf = (
  name: string,
  { summary, parameters = [], requestBody, responses }: Operation,
): string => {
  const body = requestBody?.content[JSON_TYPE]?.schema;
  const good = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const answer = good?.content?.[JSON_TYPE]?.schema;
  return `  /** ${summary ?? name} */
  ${JSON.stringify(name)}: {
    params: ${inputOf(parameters, 'path')};
    query: ${inputOf(parameters, 'query')};
    body: ${body ? typeOf(body, '    ') : 'undefined'};
    answer: ${answer ? typeOf(answer, '    ') : 'undefined'};
  };
`;
};

const here = (path: string) => new URL(path, import.meta.url);

const documentAt = (name: string): Document => JSON.parse(readFileSync(here(`../docs/${name}`), 'utf8'));

/** The operations under a prefix, as `GET /contacts/{id}`. */
const operationsIn = ({ paths }: Document, prefix: string): [string, Operation][] =>
  Object.entries(paths)
    .filter(([path]) => path.startsWith(prefix))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, Operation] => [
        `${method.toUpperCase()} ${path.slice(prefix.length)}`,
        operation,
      ]),
    );

/** The named schemas of both documents. One name must not mean two things. */
const schemasOf = (documents: readonly Document[]): [string, Schema][] => {
  const named = new Map<string, Schema>();
  for (const [name, schema] of documents.flatMap(({ components }) => Object.entries(components.schemas))) {
    const other = named.get(name);
    if (other && JSON.stringify(other) !== JSON.stringify(schema))
      throw new Error(`The documents describe two schemas with the name ${name}.`);
    named.set(name, schema);
  }
  return [...named];
};

export const generateTypes = (): void => {
  const [api, dashboard] = [documentAt('openapi.json'), documentAt('openapi.dashboard.json')];
  const schemas = schemasOf([api, dashboard]).map(([name, schema]) =>
    schema.properties
      ? `export interface ${name} {\n${membersOf(schema, '  ')}}\n`
      : `export type ${name} = ${typeOf(schema, '')};\n`,
  );
  const own = operationsIn(dashboard, OWN);
  const names = own.map(([name]) => name);
  const shared = operationsIn(api, SHARED).filter(([name]) => !names.includes(name));
  const operations = [...own, ...shared].map(([name, operation]) => operationOf(name, operation));
  const ownNames = `/** The operations that only the dashboard has. */\nexport const ownOperations: ReadonlySet<string> = new Set(${JSON.stringify(names, null, 2)});\n`;
  const text = `// Generated from docs/openapi.json and docs/openapi.dashboard.json by dashboard/generate-types.ts.\n\n${schemas.join('\n')}\nexport interface Operations {\n${operations.join('')}}\n\n${ownNames}`;
  writeFileSync(here('src/api/types.gen.ts'), text);
  for (const [from, to] of dashboardCopies) {
    const copied = readFileSync(here(`../${from}`), 'utf8');
    writeFileSync(here(`../${to}`), `// Copied from ${from} by dashboard/generate-types.ts.\n\n${copied}`);
  }
};

if (import.meta.main) generateTypes();
