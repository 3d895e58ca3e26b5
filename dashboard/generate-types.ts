import { readFileSync, writeFileSync } from 'node:fs';
import { dashboardCopies } from '../src/entry/built.js';

/** Writes src/api/types.gen.ts from the OpenAPI document of the dashboard's API: an interface for each named
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

const PREFIX = '/dashboard/api';
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

export const generateTypes = (): void => {
  const here = (path: string) => new URL(path, import.meta.url);
  const { paths, components }: Document = JSON.parse(
    readFileSync(here('../docs/openapi.dashboard.json'), 'utf8'),
  );
  const schemas = Object.entries(components.schemas).map(([name, schema]) =>
    schema.properties
      ? `export interface ${name} {\n${membersOf(schema, '  ')}}\n`
      : `export type ${name} = ${typeOf(schema, '')};\n`,
  );
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      operationOf(`${method.toUpperCase()} ${path.slice(PREFIX.length)}`, operation),
    ),
  );
  const text = `// Generated from docs/openapi.dashboard.json by dashboard/generate-types.ts.\n\n${schemas.join('\n')}\nexport interface Operations {\n${operations.join('')}}\n`;
  writeFileSync(here('src/api/types.gen.ts'), text);
  for (const [from, to] of dashboardCopies) {
    const copied = readFileSync(here(`../${from}`), 'utf8');
    writeFileSync(here(`../${to}`), `// Copied from ${from} by dashboard/generate-types.ts.\n\n${copied}`);
  }
};

if (import.meta.main) generateTypes();
