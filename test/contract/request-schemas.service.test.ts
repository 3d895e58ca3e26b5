import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Problem } from '../../src/lib/errors.ts';
import { keyScopes } from '../../src/lib/scopes.ts';
import { checkedUser } from '../kit/dashboard/checked-client.ts';
import { makeRecordSet, pathOf } from '../kit/dashboard/operations.ts';
import { type DashboardUser, signedInUser } from '../kit/dashboard/users.ts';
import { createAjv, operationsOf } from '../kit/http/openapi.ts';
import { candidatesOf, type Resolve } from '../kit/http/schema-candidates.ts';
import { fieldRules, requestRules } from '../kit/http/unpublished-rules.ts';
import { everyApiOperation } from '../kit/service/api-operations.ts';
import { type Json, onSqlite, type Reply } from '../kit/service/test-service.ts';

const UNKNOWN_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const PER_BODY = 8;

/** Passwords are slow by design, and hooks need signatures. */
const NOT_SENT = /\/session|^post .*\/(?:users|reads)$|\/hooks\//;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Values spread over all candidates, the first ones included. */
const spread = (values: readonly Json[]): Json[] => {
  const step = Math.max(1, values.length / PER_BODY);
  return Array.from({ length: Math.min(PER_BODY, values.length) }, (_, at) => values[Math.floor(at * step)]);
};

/** The UUID that a TypeID encodes. */
const uuidOf = (token: string): string | undefined => {
  const digits = /^[a-z_]+_([0-7][0-9a-hjkmnp-tv-z]{25})$/.exec(token)?.[1];
  if (digits === undefined) return undefined;
  const bits = [...digits].reduce(
    (sum, digit) => sum * 32n + BigInt('0123456789abcdefghjkmnpqrstvwxyz'.indexOf(digit)),
    0n,
  );
  return bits
    .toString(16)
    .padStart(32, '0')
    .replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
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
    assert.ok(accepted > 20 && refused > 20, `${accepted} accepted, ${refused} refused`);
  };

  it('The API accepts the bodies that its document accepts', async () => {
    const document = (await service.get('/openapi.json')).body;
    await check(document, (method, path, body) => service.call(method, path, body, { key }));
  });

  it('The API finds a record by every form of its id that the document has, and by no other', async () => {
    const { paths } = (await service.get('/openapi.json')).body;
    const records = await makeRecordSet(service, await checkedUser(service, owner));
    let parsed = 0;
    for (const operation of everyApiOperation(records)) {
      const { method, path, params, query } = operation;
      const documented = method === 'GET' ? paths[`/v1${path}`]?.get : undefined;
      for (const { name, schema, ...parameter } of documented?.parameters ?? []) {
        if (parameter.in !== 'path') continue;
        const id = params[name] as string;
        assert.match(id, new RegExp(schema.pattern, 'u'), `${path} ${name}`);
        const uuid = uuidOf(id);
        if (uuid === undefined) continue;
        const target = pathOf({ ...operation, params: { ...params, [name]: uuid } });
        const reply = await service.get(`/v1${target}${query ? `?${query}` : ''}`, { key });
        const isDocumented = new RegExp(schema.pattern, 'u').test(uuid);
        assert.equal(reply.status, isDocumented ? 200 : 404, `${path} ${reply.text}`);
        if (isDocumented) parsed++;
      }
    }
    assert.ok(parsed > 10, `${parsed} ids were sent as UUIDs`);
  });

  it('The dashboard API accepts the bodies that its document accepts', async () => {
    const document = (await service.get('/dashboard/openapi.json')).body;
    await check(document, (method, path, body) =>
      owner.call(method, path.replace(/^\/dashboard\/api/, ''), body),
    );
  });
});
