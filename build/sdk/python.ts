import { readFileSync, writeFileSync } from 'node:fs';
import { clientMembers, methodNames } from './python-names.ts';
import { isName, PythonTypes, quoted, type Schema, unionOf } from './python-types.ts';

/** Writes the types and methods of the Python client from docs/openapi.json. */
const root = new URL('../../', import.meta.url);
const FOLDER = 'sdk/python/src/roster_client';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

/** Lists whose records are a member of the data. */
const MEMBERS = new Map([
  ['EventPage', 'events'],
  ['Timeline', 'entries'],
  ['WebhookAttemptPage', 'attempts'],
]);

/** The client writes these as JSON. */
const JSON_PARAMETERS = new Map([
  ['filter', 'ContactFilterTree | str'],
  ['mapping', 'Mapping[int, str | None] | str'],
  ['create_fields', 'Sequence[Mapping[str, Any]] | str'],
]);

/** A name of Python for a parameter or header. */
const nameOf = (name: string): string => {
  const own = name.toLowerCase().replaceAll('-', '_');
  return isName(own) ? own : `${own}_`;
};

/** In one line, or one for each. */
const listed = (items: readonly string[], indent: string): string => {
  const line = items.join(', ');
  return line.length < 80 ? line : `${items.map((item) => `\n${indent}    ${item},`).join('')}\n${indent}`;
};

const { paths, components } = JSON.parse(readFileSync(new URL('docs/openapi.json', root), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

const operations = Object.entries(paths)
  .filter(([path]) => path.startsWith('/v1/'))
  .flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, each]) => ({ path: path.slice(3), verb, ...each })),
  );

const parameterType = (types: PythonTypes, { name, schema, required }: Parameter): string => {
  const isBoolean = schema.enum?.every((value) => /^(?:true|false|)$/.test(String(value)));
  const type = JSON_PARAMETERS.get(name) ?? (isBoolean ? 'bool' : types.type(schema, name));
  return required ? type : `${type} | None = None`;
};

/** What a method returns: the data of the response, a list, or a download. */
const resultOf = (types: PythonTypes, { parameters = [], responses }: Operation) => {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const schemas = successes
    .map(([, { content }]) => content?.['application/json']?.schema.properties)
    .filter((each) => each !== undefined);
  const [{ data = {}, pagination } = {}] = schemas;
  if (schemas.length === 0) return { type: 'httpx.Response', wants: 'download' };
  const type = unionOf(schemas.map((each) => types.type(each.data ?? {}, '')));
  const member = MEMBERS.get(type);
  if (member) {
    const items = components.schemas[type]?.properties?.[member]?.items ?? {};
    return { type: types.type(items, ''), wants: 'json', paging: `Paging(${quoted(member)})` };
  }
  if (data.type !== 'array') return { type };
  const paging = !pagination
    ? 'WHOLE'
    : parameters.some(({ name }) => name === 'cursor')
      ? 'BY_CURSOR'
      : 'BY_OFFSET';
  return { type: types.type(data.items ?? {}, ''), wants: 'json', paging };
};

/** A method of the client that waits, or of the one that is awaited (`Async`). */
const methodOf = (
  kind: '' | 'Async',
  types: PythonTypes,
  method: string,
  operation: (typeof operations)[number],
) => {
  const { path, verb, operationId, parameters = [], requestBody, summary } = operation;
  const { type, wants, paging } = resultOf(types, operation);
  const of = (place: Parameter['in']) => parameters.filter((each) => each.in === place);
  // A read with `If-None-Match` may return nothing; `request` of the client sends it.
  const headers = verb === 'get' ? [] : of('header');
  const json = requestBody?.content['application/json']?.schema;
  const body = json
    ? `body: ${types.type(json, '')}${requestBody.required ? '' : ' | None = None'}`
    : 'file: Upload';
  const args = [
    'self',
    ...of('path').map(({ name, schema }) => `${name}: ${types.type(schema, name)}`),
    ...(requestBody ? [body] : []),
    '*',
    ...[...of('query'), ...headers].map((each) => `${nameOf(each.name)}: ${parameterType(types, each)}`),
    'options: RequestOptions | None = None',
  ];
  const pairs = (name: string, list: readonly Parameter[]) =>
    list.length > 0
      ? [`${name}={${list.map((each) => `${quoted(each.name)}: ${nameOf(each.name)}`).join(', ')}}`]
      : [];
  const isKeyed = headers.some(({ name }) => name === 'Idempotency-Key');
  const isHarmless = verb === 'post' && operationId.startsWith('preview');
  const request = [
    quoted(verb.toUpperCase()),
    `f${quoted(path.replace(/\{(\w+)\}/g, '{encoded($1)}'))}`.replace(/^f(?!.*\{)/, ''),
    ...pairs('query', of('query')),
    ...pairs('headers', headers),
    ...(requestBody ? [!json ? 'content=file' : requestBody.required ? 'json=body' : 'json=body or {}'] : []),
    ...(isKeyed || isHarmless ? [`safety="${isKeyed ? 'key' : 'harmless'}"`] : []),
    ...(type === 'Deleted' ? ['is_deletion=True'] : []),
    ...(wants ? [`wants="${wants}"`] : []),
  ];
  const indent = '        ';
  const sent = `Request(${listed(request, indent)})`;
  const list = `${kind}RecordList`;
  const [start, returned, value] = paging
    ? ['def', `${list}[${type}]`, `${list}(self._transport, ${paging}, ${sent}, options)`]
    : [kind ? 'async def' : 'def', type, `${kind && 'await '}self._transport.send(${sent}, options)`];
  return `    ${start} ${method}(${listed(args, '    ')}) -> ${returned}:
${indent}""${quoted(`${summary}.`)}""
${indent}return ${value}
`;
};

/** The files of the package that are generated, by their paths. */
export const generatePython = (): Readonly<Record<string, string>> => {
  const types = new PythonTypes(components.schemas);
  const names = methodNames();
  const lost = operations.filter(({ operationId }) => !names.has(operationId));
  if (lost.length > 0)
    throw new Error(`sdk/src/resources has no method for ${lost.map((each) => each.operationId)}.`);
  const kinds = ['', 'Async'] as const;
  const classes = clientMembers().flatMap(([, className]) =>
    kinds.map((kind) => {
      const methods = operations.flatMap((each) => {
        const name = names.get(each.operationId);
        return name?.className === className ? [methodOf(kind, types, name.method, each)] : [];
      });
      return `class ${kind}${className}Resource(${kind}Resource):\n${methods.join('\n')}`;
    }),
  );
  const clients = kinds.map((kind) => {
    const members = clientMembers().map(
      ([member, name]) => `        self.${member} = ${kind}${name}Resource(transport)\n`,
    );
    return `class ${kind}Api:\n    def __init__(self, transport: ${kind}Transport) -> None:\n${members.join('')}`;
  });
  const text = [...classes, ...clients].join('\n\n');
  const used = [...types.texts.keys()].filter((name) => new RegExp(`\\b${name}\\b`).test(text)).sort();
  const note = '# Generated from docs/openapi.json by build/sdk/python.ts.\n';
  const files = {
    'schemas.py': `${note}"""The records and inputs of the API."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, TypedDict


${[...types.texts.values()].join('\n\n')}`,
    'resources.py': `${note}# mypy: no-warn-return-any
"""The methods of the API."""

from __future__ import annotations

from typing import Any, Literal, Mapping, Sequence

import httpx

from .lists import BY_CURSOR, BY_OFFSET, WHOLE, AsyncRecordList, Paging, RecordList
from .request import Request, RequestOptions, Upload, encoded
from .schemas import (
${used.map((name) => `    ${name},\n`).join('')})
from .transport import AsyncResource, AsyncTransport, Resource, Transport


${text}`,
  };
  return Object.fromEntries(Object.entries(files).map(([name, file]) => [`${FOLDER}/${name}`, file]));
};

if (import.meta.main)
  for (const [file, text] of Object.entries(generatePython())) writeFileSync(new URL(file, root), text);
