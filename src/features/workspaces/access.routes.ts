import type { Storage } from '../../db/storage.ts';
import { created, deleted, deletedSchema, ok, route } from '../../http/pipeline/route.ts';
import { findById } from '../../lib/page.ts';
import { parseRate, RATE_FORM } from '../../lib/rate-limit.ts';
import {
  dateTime,
  dateTimeSchema,
  type JsonSchema,
  nullable,
  objectOf,
  objectSchema,
  oneOf,
  text,
} from '../../lib/validation.ts';
import { createKey, listKeys, revokeKey } from './key.service.ts';
import { createLink, inviteUser } from './link.service.ts';
import { hashPassword } from './password.ts';
import { roles, scopes, type UserPrincipal } from './principal.ts';
import { newPasswordField, userProperties, userSchema } from './session.routes.ts';
import { addUser, listUsers, removeUser, setRole } from './user.service.ts';

const rateSchema: JsonSchema = {
  description: 'Requests per interval, such as `600/1m`; units are s, m and h.',
  pattern: '^\\d{1,7}/\\d{1,5}[smh]$',
};
const keyBody = objectOf(
  {
    name: text({ min: 1, max: 100, schema: { pattern: '\\S' } }),
    scope: oneOf(scopes),
    expires_at: nullable(dateTime()),
    rate_limit: nullable(
      text({ schema: rateSchema, check: (rate) => (parseRate(rate) ? undefined : `${RATE_FORM}.`) }),
    ),
  },
  { required: ['name'] },
);
const userBody = objectOf(
  {
    email: text({
      min: 3,
      max: 254,
      check: (email) => (/^[^\s@]+@[^\s@]+$/.test(email) ? undefined : 'must be an email address.'),
    }),
    password: newPasswordField,
    role: oneOf(roles),
  },
  { required: ['email'] },
);
const roleBody = objectOf({ role: oneOf(roles) }, { required: ['role'] });

const nullableSchema = (schema: JsonSchema): JsonSchema => ({ oneOf: [schema, { type: 'null' }] });
const keyProperties: Record<string, JsonSchema> = {
  id: { type: 'string' },
  name: { type: 'string' },
  scope: { type: 'string', enum: scopes },
  created_at: dateTimeSchema('When the key was created.'),
  expires_at: nullableSchema(dateTimeSchema('When the key expires.')),
  rate_limit: nullableSchema({ type: 'string', ...rateSchema }),
  revoked_at: nullableSchema(dateTimeSchema('When the key was revoked.')),
  last_used_at: nullableSchema(dateTimeSchema('When the key was last used.')),
};
const keySchema = objectSchema('Key', keyProperties);
const createdKeySchema = objectSchema('CreatedKey', {
  ...keyProperties,
  key: { type: 'string', description: 'The key itself. It is returned only here.' },
});
const linkSchema = objectSchema('SignInLink', {
  url_path: {
    type: 'string',
    description:
      "Path of the link, relative to the dashboard's origin. It is returned only here and works once.",
  },
  expires_at: dateTimeSchema('When the link expires.'),
});
const createdUserSchema = objectSchema('CreatedUser', {
  ...userProperties,
  link: { ...nullableSchema(linkSchema), description: '`null` if a password was given.' },
});
const arrayOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

/** Keys and users, for owners. */
export const accessRoutes = (storage: Storage) => ({
  listKeys: route<UserPrincipal>({
    access: 'owner',
    document: {
      group: 'Keys',
      operationId: 'listApiKeys',
      summary: 'List API keys',
      data: arrayOf(keySchema),
      errors: [],
    },
    handle: ({ principal: { workspace } }) => ok(storage.run(listKeys, null, { workspace })),
  }),

  createKey: route<UserPrincipal, unknown, ReturnType<typeof keyBody.read>>({
    access: 'owner',
    body: keyBody,
    document: {
      group: 'Keys',
      operationId: 'createApiKey',
      summary: 'Create an API key',
      data: createdKeySchema,
      errors: ['VALIDATION_ERROR'],
    },
    handle: (request) => {
      const { scope = 'read_write', expires_at = null, ...rest } = request.body;
      return created(request, storage.run(createKey, request.principal, { scope, expires_at, ...rest }));
    },
  }),

  getKey: route<UserPrincipal>({
    access: 'owner',
    document: {
      group: 'Keys',
      operationId: 'getApiKey',
      summary: 'Get an API key',
      data: keySchema,
      errors: ['NOT_FOUND'],
    },
    handle: ({ principal: { workspace }, params: { id } }) =>
      ok(findById('key', id, storage.run(listKeys, null, { workspace }))),
  }),

  revokeKey: route<UserPrincipal>({
    access: 'owner',
    document: {
      group: 'Keys',
      operationId: 'revokeApiKey',
      summary: 'Revoke an API key',
      data: deletedSchema,
      errors: ['NOT_FOUND'],
    },
    handle: ({ principal, params: { id } }) => deleted(storage.run(revokeKey, principal, { id })),
  }),

  listUsers: route<UserPrincipal>({
    access: 'owner',
    document: {
      group: 'Users',
      operationId: 'listUsers',
      summary: 'List users',
      data: arrayOf(userSchema),
      errors: [],
    },
    handle: ({ principal }) => ok(storage.run(listUsers, principal, null)),
  }),

  createUser: route<UserPrincipal, unknown, ReturnType<typeof userBody.read>>({
    access: 'owner',
    body: userBody,
    document: {
      group: 'Users',
      operationId: 'createUser',
      summary: 'Create a user',
      description:
        'Without a password, the response contains a link with which the user signs in and sets one.',
      data: createdUserSchema,
      errors: ['VALIDATION_ERROR', 'CONFLICT'],
    },
    handle: async (request) => {
      const { email, password, role = 'member' } = request.body;
      if (password === undefined)
        return created(request, storage.run(inviteUser, request.principal, { email, role }));
      const passwordHash = await hashPassword(password);
      const user = await storage.run(addUser, request.principal, { email, passwordHash, role });
      return created(request, Promise.resolve({ ...user, link: null }));
    },
  }),

  linkUser: route<UserPrincipal>({
    access: 'owner',
    document: {
      group: 'Users',
      operationId: 'createSignInLink',
      summary: 'Create a sign-in link for a user',
      description: 'For a user who has no password or forgot it. Invalidates the previous link.',
      data: linkSchema,
      status: 200,
      errors: ['NOT_FOUND'],
    },
    handle: ({ principal, params: { id } }) => ok(storage.run(createLink, principal, { id })),
  }),

  getUser: route<UserPrincipal>({
    access: 'owner',
    document: {
      group: 'Users',
      operationId: 'getUser',
      summary: 'Get a user',
      data: userSchema,
      errors: ['NOT_FOUND'],
    },
    handle: ({ principal, params: { id } }) =>
      ok(findById('user', id, storage.run(listUsers, principal, null))),
  }),

  updateUser: route<UserPrincipal, unknown, ReturnType<typeof roleBody.read>>({
    access: 'owner',
    body: roleBody,
    document: {
      group: 'Users',
      operationId: 'updateUser',
      summary: 'Change the role of a user',
      data: userSchema,
      errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT'],
    },
    handle: ({ principal, params: { id }, body: { role } }) =>
      ok(storage.run(setRole, principal, { id, role })),
  }),

  deleteUser: route<UserPrincipal>({
    access: 'owner',
    document: {
      group: 'Users',
      operationId: 'deleteUser',
      summary: 'Delete a user',
      data: deletedSchema,
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
    handle: ({ principal, params: { id } }) => deleted(storage.run(removeUser, principal, { id })),
  }),
});
