import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { readOperation } from '../../src/features/contacts/batch.schema.ts';
import { webhookRules } from '../../src/features/webhooks/webhook.url.ts';
import { ApiError, type Problem } from '../../src/lib/errors.ts';
import type { ObjectReader } from '../../src/lib/validation.ts';
import { describeApi, describeDashboard } from '../../src/wiring/documents.ts';
import { routeTables } from '../../src/wiring/routes.ts';
import { createAjv } from '../kit/http/openapi.ts';
import { candidatesOf, type Resolve } from '../kit/http/schema-candidates.ts';
import { fieldRules, type UnpublishedRule } from '../kit/http/unpublished-rules.ts';
import type { Json } from '../kit/service/test-service.ts';

/** A request schema as the document publishes it, and the reader that the service validates with. */
interface RequestSchema {
  readonly name: string;
  readonly schema: Json;
  readonly resolve: Resolve;
  readonly validate: ValidateFunction;
  readonly reader: ObjectReader<unknown>;
}

const options = { webhooks: { rules: webhookRules({ allowHttp: true, allowedNetworks: [] }) } } as never;

/** Every documented query and body. */
const requestSchemas = (): { bodies: RequestSchema[]; queries: RequestSchema[] } => {
  const bodies: RequestSchema[] = [];
  const queries: RequestSchema[] = [];
  const { api, dashboard, hooks } = routeTables(options);
  for (const [id, document, routes] of [
    ['api', describeApi(options) as Json, [...api, ...hooks]],
    ['dashboard', describeDashboard(options) as Json, dashboard],
  ] as const) {
    const ajv = createAjv({ strict: true, allowUnionTypes: true });
    ajv.addVocabulary(['components']);
    ajv.addSchema({ $id: `roster:/${id}`, components: document.components } as Json);
    const resolve: Resolve = (schema) =>
      schema.$ref ? resolve(document.components.schemas[schema.$ref.split('/').at(-1)]) : schema;
    const compile = (schema: Json) =>
      ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#', `"$ref":"roster:/${id}#`)));
    for (const { method, path, route } of routes) {
      const name = `${method} ${path}`;
      const operation = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
      if (typeof route.body === 'object') {
        const { schema } = operation.requestBody.content['application/json'];
        bodies.push({ name, schema, resolve, validate: compile(schema), reader: route.body });
      }
      if (route.query) {
        const parameters = operation.parameters.filter((each: Json) => each.in === 'query');
        const schema = {
          type: 'object',
          properties: Object.fromEntries(parameters.map((each: Json) => [each.name, each.schema])),
          required: parameters.filter((each: Json) => each.required).map((each: Json) => each.name),
          additionalProperties: route.query.schema.additionalProperties,
        };
        queries.push({
          name: `the query of ${name}`,
          schema,
          resolve,
          validate: compile(schema),
          reader: route.query,
        });
      }
    }
  }
  return { bodies, queries };
};

/** The problems that the service finds, also in the operations of a batch, which have errors of their own; none if it accepts the value. */
const problemsOf = ({ name, reader }: RequestSchema, value: Json): readonly Problem[] => {
  try {
    reader.read(value);
    if (/^POST .*\/contacts\/batch$/.test(name)) value.operations.forEach(readOperation);
    return [];
  } catch (error) {
    assert.ok(error instanceof ApiError && error.code === 'VALIDATION_ERROR', String(error));
    return error.details as readonly Problem[];
  }
};

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const used = new Set<string>();

const show = (value: unknown) => {
  const text = JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
};

/** Fails if the schema and the service disagree, except for a rule that the schema cannot express. */
const assertAgreement = (request: RequestSchema, value: Json, sent: Json = value): boolean => {
  const problems = problemsOf(request, sent);
  const isPublished = request.validate(value);
  const label = `${request.name} ${show(value)}`;
  if (problems.length === 0)
    assert.ok(
      isPublished,
      `accepted, but not by the schema: ${label} ${JSON.stringify(request.validate.errors)}`,
    );
  else if (isPublished) {
    for (const problem of problems) {
      const rule: UnpublishedRule | undefined = fieldRules.find(({ explains }) =>
        explains(problem, JSON.stringify(value)),
      );
      assert.ok(rule, `accepted by the schema, but refused: ${label} ${JSON.stringify(problem)}`);
      used.add(rule.rule);
    }
  }
  return problems.length === 0;
};

/** The form of a value in a query; undefined if a text would mean another value there. */
const inQuery = (given: Json, value: unknown): string | undefined => {
  const schema = given.anyOf?.[0] ?? given;
  if (typeof value === 'number' || typeof value === 'boolean')
    return schema.type === 'string' || schema.enum ? undefined : String(value);
  if (typeof value !== 'string') return undefined;
  const isText = schema.type === 'string' || schema.enum !== undefined;
  return isText || (Number.isNaN(Number(value)) && !/^(?:true|false)$/.test(value)) || value.trim() === ''
    ? value
    : undefined;
};

const querySent = ({ schema, resolve }: RequestSchema, value: Json): Json | undefined => {
  const entries = Object.entries(value).map(([name, each]) => [
    name,
    inQuery(resolve(schema.properties[name] ?? { type: 'integer' }), each),
  ]);
  return entries.some(([, text]) => text === undefined) ? undefined : Object.fromEntries(entries);
};

describe('Published request schemas', () => {
  const { bodies, queries } = requestSchemas();

  it('Every request body is a named schema', () => {
    assert.ok(bodies.length >= 30);
    for (const { name, schema } of bodies)
      assert.match(schema.$ref ?? '', /^#\/components\/schemas\/[A-Z]\w+$/, name);
  });

  it('The published schema of every body and the service accept the same values', () => {
    for (const request of bodies) {
      const values = candidatesOf(request.schema, request.resolve).filter(isObject);
      const accepted = values.filter((value) => assertAgreement(request, value));
      assert.ok(accepted.length > 0, `${request.name}: no candidate is accepted`);
    }
  });

  it('The published schema of every body and the service agree on random combinations of fields', () => {
    for (const request of bodies) {
      const { properties, oneOf = [] } = request.resolve(request.schema);
      // The actions of a bulk job have fields of their own.
      const all: Record<string, Json> =
        properties ?? Object.assign({}, ...oneOf.map((each: Json) => request.resolve(each).properties));
      const fields = Object.fromEntries(
        Object.entries(all).map(([name, schema]) => [
          name,
          fc.constantFrom(...candidatesOf(schema, request.resolve, 2)),
        ]),
      );
      fc.assert(
        fc.property(fc.record(fields, { requiredKeys: [] }), (value) => {
          assertAgreement(request, JSON.parse(JSON.stringify(value)));
        }),
        { numRuns: 100 },
      );
    }
  });

  it('The published schema of every query and the service accept the same values', () => {
    assert.ok(queries.length >= 20);
    for (const request of queries) {
      let accepted = 0;
      for (const value of candidatesOf(request.schema, request.resolve).filter(isObject)) {
        const sent = querySent(request, value);
        if (sent && assertAgreement(request, value, sent)) accepted++;
      }
      assert.ok(accepted > 0, `${request.name}: no candidate is accepted`);
    }
  });

  it('Every rule that the schemas do not express is still needed', () => {
    assert.deepEqual(
      fieldRules.map(({ rule }) => rule).filter((rule) => !used.has(rule)),
      [],
    );
  });
});
