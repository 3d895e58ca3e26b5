import assert from 'node:assert/strict';
import { createAjv } from '../http/openapi.ts';
import type { CallOptions, Json, Reply, TestService } from '../service/test-service.ts';
import { userPath } from './user-path.ts';
import type { DashboardUser } from './users.ts';

/** Checks a response against an OpenAPI document: its status, and every field of its body. */
export type ResponseCheck = (method: string, path: string, reply: Reply) => void;

const pointer = (...parts: string[]) =>
  parts.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** The same for path templates. Each schema is compiled once. */
export const templateResponseCheck = (document: Json): ResponseCheck => {
  const ajv = createAjv({ strict: false, allErrors: true });
  ajv.addSchema(document, 'document');
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>();
  const validatorAt = (...parts: string[]) => {
    const $ref = `document#${encodeURI(pointer(...parts))}`;
    const validate = compiled.get($ref) ?? ajv.compile({ $ref });
    compiled.set($ref, validate);
    return validate;
  };
  return (method, template, reply) => {
    const verb = method.toLowerCase();
    const status = String(reply.status);
    const label = `${method} ${template} ${status}`;
    const described = document.paths[template]?.[verb]?.responses[status];
    assert.ok(described, `${label} is not in the document: ${reply.text}`);
    if (described.content && !described.content['application/json']) {
      const [type = ''] = reply.headers.get('content-type')?.split(';') ?? [];
      assert.ok(described.content[type], `${label} is not described as ${type}`);
    } else if (described.content) {
      const content = ['content', 'application/json', 'schema'];
      const validate = validatorAt('paths', template, verb, 'responses', status, ...content);
      assert.ok(validate(reply.body), `${label}: ${ajv.errorsText(validate.errors)} in ${reply.text}`);
    } else assert.equal(reply.text, '', `${label} has no body`);
    // A key that may not read contacts gets only what it sent.
    const isSent = template.startsWith('/v1/contacts/') && reply.body?.data?.updated_at === undefined;
    for (const [header, { required = true }] of Object.entries<Json>(described.headers)) {
      if (required && !(isSent && header === 'ETag'))
        assert.ok(reply.headers.has(header), `${label} has the header ${header}`);
    }
  };
};

export const responseCheck = (document: Json): ResponseCheck => {
  const describe = templateResponseCheck(document);
  const parameters = (template: string) => template.split('{').length;
  const templates = Object.keys(document.paths)
    .sort((one, other) => parameters(one) - parameters(other))
    .map((template) => ({
      template,
      fits: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`),
    }));
  return (method, path, reply) => {
    const pathname = path.split('?')[0] ?? '';
    describe(method, templates.find(({ fits }) => fits.test(pathname))?.template ?? pathname, reply);
  };
};

export interface CheckedUser extends DashboardUser {
  /** Calls the API, asserts the status and returns the data of the response. */
  request(method: string, path: string, body?: unknown, status?: number): Promise<Json>;
}

/** All services of a test file have the same document, so its compiled schemas are shared. */
const responseChecks = new Map<string, ResponseCheck>();

const responseCheckOf = async (service: TestService, address: string): Promise<ResponseCheck> => {
  const document = await service.get(address);
  const check = responseChecks.get(document.text) ?? responseCheck(document.body);
  responseChecks.set(document.text, check);
  return check;
};

/** A user whose responses are all checked against the OpenAPI documents. */
export const checkedUser = async (service: TestService, user: DashboardUser): Promise<CheckedUser> => {
  const api = await responseCheckOf(service, '/openapi.json');
  const dashboard = await responseCheckOf(service, '/dashboard/openapi.json');
  const call = async (method: string, path: string, body?: unknown, options?: CallOptions) => {
    const reply = await user.call(method, path, body, options);
    // A HEAD has the response of the GET without its body.
    const address = userPath(method, path);
    const describe = address.startsWith('/v1/') ? api : dashboard;
    if (method !== 'HEAD') describe(method, address, reply);
    return reply;
  };
  return {
    cookie: user.cookie,
    call,
    request: async (method, path, body, status = 200) => {
      const reply = await call(method, path, body);
      assert.equal(reply.status, status, `${method} ${path}: ${reply.text}`);
      return reply.body.data;
    },
  };
};
