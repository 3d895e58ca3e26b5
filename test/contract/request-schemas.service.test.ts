import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Problem } from '../../src/lib/errors.ts';
import { keyScopes } from '../../src/lib/scopes.ts';
import { type DashboardUser, signedInUser } from '../kit/dashboard/users.ts';
import { createAjv, operationsOf } from '../kit/http/openapi.ts';
import { candidatesOf, type Resolve } from '../kit/http/schema-candidates.ts';
import { fieldRules, requestRules } from '../kit/http/unpublished-rules.ts';
import { type Json, onSqlite, type Reply } from '../kit/service/test-service.ts';

const UNKNOWN_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const PER_BODY = 8;

/** Passwords are slow by design, and hooks need signatures. */
const NOT_SENT = /\/session|^post .*\/users$|\/hooks\//;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Values spread over all candidates, the first ones included. */
const spread = (values: readonly Json[]): Json[] => {
  const step = Math.max(1, values.length / PER_BODY);
  return Array.from({ length: Math.min(PER_BODY, values.length) }, (_, at) => values[Math.floor(at * step)]);
};

interface RequestError {
  readonly message: string;
  readonly details?: readonly Problem[];
}

/** The error of a request, or of an operation of a batch. */
const validationError = ({ status, body }: Reply): RequestError | undefined => {
  const errors = status === 400 ? [body.error] : (body.data?.results ?? []).map(({ error }: Json) => error);
  return errors.find((error: Json) => error?.code === 'VALIDATION_ERROR');
};

onSqlite('Published schemas over HTTP', (service) => {
  let owner: DashboardUser;
  let key: string;
  before(async () => {
    owner = await signedInUser(service);
    const made = await owner.call('POST', '/keys', { name: 'All', scopes: keyScopes });
    key = made.body.data.key;
  });

  const explain = (label: string, body: Json, error: RequestError) => {
    assert.ok(Array.isArray(error.details), `${label}: ${error.message}`);
    for (const problem of error.details) {
      const isKnown = [...fieldRules, ...requestRules].some((rule) =>
        rule.explains(problem, JSON.stringify(body)),
      );
      assert.ok(isKnown, `${label}, which the schema accepts: ${JSON.stringify(problem)}`);
    }
  };

  const check = async (
    document: Json,
    send: (method: string, path: string, body: Json) => Promise<Reply>,
  ) => {
    const ajv = createAjv({ strict: true, allowUnionTypes: true });
    ajv.addVocabulary(['openapi', 'info', 'servers', 'tags', 'security', 'paths', 'webhooks', 'components']);
    ajv.addSchema({ $id: 'roster:/document', ...document });
    const resolve: Resolve = (schema) =>
      schema.$ref ? resolve(document.components.schemas[schema.$ref.split('/').at(-1)]) : schema;
    let [accepted, refused] = [0, 0];
    for (const [name, { requestBody }] of operationsOf(document)) {
      const schema = requestBody?.content['application/json']?.schema;
      if (!schema || NOT_SENT.test(name)) continue;
      const [method = '', template = ''] = name.split(' ');
      const path = template.replace('{phone}', '+14155550100').replace(/\{\w+\}/g, UNKNOWN_ID);
      const validate = ajv.compile({ $ref: `roster:/document${schema.$ref}` });
      const values = candidatesOf(schema, resolve).filter(isObject);
      for (const body of [...spread(values.filter((value) => validate(value))), ...spread(values)]) {
        const reply = await send(method.toUpperCase(), path, body);
        const label = `${name} ${JSON.stringify(body).slice(0, 300)}`;
        assert.ok(reply.status < 500, `${label}: ${reply.text}`);
        const error = validationError(reply);
        if (!validate(body)) assert.ok(error, `${label}, which the schema refuses: ${reply.text}`);
        else if (error) explain(label, body, error);
        if (error) refused++;
        else accepted++;
      }
    }
    assert.ok(accepted > 50 && refused > 50, `${accepted} accepted, ${refused} refused`);
  };

  it('The API accepts the bodies that its document accepts', async () => {
    const document = (await service.get('/openapi.json')).body;
    await check(document, (method, path, body) => service.call(method, path, body, { key }));
  });

  it('The dashboard API accepts the bodies that its document accepts', async () => {
    const document = (await service.get('/dashboard/openapi.json')).body;
    await check(document, (method, path, body) =>
      owner.call(method, path.replace(/^\/dashboard\/api/, ''), body),
    );
  });
});
