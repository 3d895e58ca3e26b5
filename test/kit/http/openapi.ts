import assert from 'node:assert/strict';
import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Json, Reply } from '../service/test-service.ts';

/** An OpenAPI document that responses can be checked against. */
export interface Contract {
  /** Each operation as `get /v1/contacts/{id}`. */
  readonly operations: ReadonlyMap<string, Json>;
  /** Checks a request and its response against the document, and records that this status was seen. */
  check(method: string, path: string, reply: Reply, body?: unknown): void;
  /** Compiles every schema, and so checks that it is one. */
  compileAll(): void;
  /** The statuses that were seen, as `get /v1/contacts/{id} 200`. */
  readonly seen: ReadonlySet<string>;
}

/** A validator for JSON Schema 2020-12 with all formats. Most validators run a few times, so optimizing them does not pay. ajv-formats is a CommonJS module with its export in `default`. */
export const createAjv = (options: Options): Ajv2020 => {
  const ajv = new Ajv2020({ ...options, code: { optimize: false } });
  formats.default(ajv);
  return ajv;
};

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

export const operationsOf = (document: Json): Map<string, Json> =>
  new Map(
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item as object)
        .filter(([method]) => METHODS.includes(method))
        .map(([method, operation]) => [`${method} ${path}`, operation] as const),
    ),
  );

/** A segment of a JSON pointer. */
const step = (name: string) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));

/** Reads a document. A schema is compiled by the strict rules of JSON Schema 2020-12 when it is first used. */
export const readContract = (document: Json): Contract => {
  const ajv = createAjv({ strict: true, allowUnionTypes: true, allErrors: true });
  ajv.addVocabulary(['openapi', 'info', 'servers', 'tags', 'security', 'paths', 'webhooks', 'components']);
  ajv.addSchema({ $id: 'roster:/openapi', ...document });

  const operations = operationsOf(document);
  const compiled = new Map<string, ValidateFunction>();
  const validatorAt = (...pointer: string[]): ValidateFunction => {
    const $ref = `roster:/openapi#/${pointer.map(step).join('/')}`;
    const validate = compiled.get($ref) ?? ajv.compile({ $ref });
    compiled.set($ref, validate);
    return validate;
  };
  const assertValid = (validate: ValidateFunction, value: unknown, label: string) => {
    assert.ok(validate(value), `${label}: ${ajv.errorsText(validate.errors)}`);
  };

  const compileAll = () => {
    for (const [name, operation] of operations) {
      const [method = '', path = ''] = name.split(' ');
      for (const [status, { content }] of Object.entries<Json>(operation.responses)) {
        if (!content?.['application/json']) continue;
        validatorAt('paths', path, method, 'responses', status, 'content', 'application/json', 'schema');
      }
      if (operation.requestBody?.content['application/json']) {
        validatorAt('paths', path, method, 'requestBody', 'content', 'application/json', 'schema');
      }
    }
  };

  const templateOf = (path: string) => {
    const [plain = ''] = path.replace(/^\/api\//, '/').split('?');
    return plain in document.paths ? plain : plain.replace(/[^/]+$/, '{id}');
  };
  const seen = new Set<string>();
  return {
    operations,
    seen,
    compileAll,
    check: (method, path, reply, body) => {
      const template = templateOf(path);
      const label = `${method} ${template} ${reply.status}`;
      const operation = operations.get(`${method} ${template}`);
      const documented = operation?.responses[reply.status];
      assert.ok(documented, `${label} is not in the document: ${reply.text}`);
      seen.add(label);
      for (const [header, { required }] of Object.entries<Json>(documented.headers ?? {})) {
        if (required === false) continue;
        assert.ok(reply.headers.get(header), `${label} has no ${header}`);
      }
      if (!documented.content) {
        assert.equal(reply.text, '', `${label} has no body`);
        return;
      }
      assert.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8');
      const content = ['content', 'application/json', 'schema'];
      const answer = ['paths', template, method, 'responses', `${reply.status}`, ...content];
      assertValid(validatorAt(...answer), reply.body, label);
      if (body !== undefined && reply.status < 300) {
        const request = ['paths', template, method, 'requestBody', ...content];
        assertValid(validatorAt(...request), body, `the body that ${label} accepted`);
      }
      if (reply.status >= 400) assert.equal(reply.body.error.code, documented.description);
    },
  };
};
