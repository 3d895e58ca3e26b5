import type { Storage } from '../../db/storage.ts';
import { created, routesOf } from '../../http/pipeline/route.ts';
import * as s from '../../lib/schemas.ts';
import { keyScopes } from '../../lib/scopes.ts';
import * as v from '../../lib/validation.ts';
import { needs, owner } from './access.ts';
import { keyBody, presetNames, rateSchema } from './key.schema.ts';
import { createKey, getApiKey, listApiKeyDetails, listApiKeys, revokeKey } from './key.service.ts';
import { createSignInLink, inviteUser } from './link.service.ts';
import { hashPassword } from './password.ts';
import { isKey, roles } from './principal.ts';
import { newPasswordField, userProperties, userSchema } from './session.routes.ts';
import { addUser, deleteUser, getUser, listUsers, updateUser } from './user.service.ts';

const forOwners = routesOf(owner);
const route = routesOf(needs('admin'));

const EMAIL = /^[^\s@]+@[^\s@]+$/;
export const inviteFields = {
  email: v.text({
    min: 3,
    max: 254,
    schema: { pattern: EMAIL.source },
    check: (email) => (EMAIL.test(email) ? undefined : 'must be an email address.'),
  }),
  role: v.oneOf(roles),
};
const inviteBody = v.object(inviteFields, { title: 'UserInvite', required: ['email'] });
const userBody = v.object(
  { ...inviteFields, password: newPasswordField },
  { title: 'UserCreate', required: ['email'] },
);
type UserBody = ReturnType<typeof userBody.read>;
const roleBody = v.object({ role: v.oneOf(roles) }, { title: 'UserUpdate', required: ['role'] });

const keyProperties: Record<string, s.JsonSchema> = {
  id: s.string(),
  name: s.string(),
  scope: s.oneOf([...presetNames, 'custom'], '`custom` if the key was created with a list of scopes.'),
  scopes: s.list(s.oneOf(keyScopes), 'What the key may do.'),
  created_at: s.dateTime('When the key was created.'),
  expires_at: s.nullable(s.dateTime('When the key expires.')),
  rate_limit: s.nullable({ type: 'string', description: rateSchema.description }),
  revoked_at: s.nullable(s.dateTime('When the key was revoked.')),
  last_used_at: s.nullable(s.dateTime('When the key was last used.')),
};
const keySchema = s.object('Key', keyProperties);
const createdKeySchema = s.object('CreatedKey', {
  ...keyProperties,
  key: s.string('The key itself. It is returned only here.'),
});
const linkSchema = s.object('SignInLink', {
  url_path: s.string(
    "Path of the link, relative to the dashboard's origin. It is returned only here and works once.",
  ),
  expires_at: s.dateTime('When the link expires.'),
});
const createdUserSchema = s.object('CreatedUser', {
  ...userProperties,
  link: { ...s.nullable(linkSchema), description: '`null` if a password was given.' },
});
const keyDetailsSchema = s.object('KeyDetails', {
  id: s.string(),
  prefix: s.nullableString('The first characters of the key; `null` for a key of an earlier version.'),
  created_by: s.orNull(
    s.object('KeyCreator', {
      id: s.string('Of a user or an API key, or `command line`, `start` or `environment`.'),
      name: s.nullableString('The email or the name; `null` if it was deleted.'),
    }),
  ),
});

/** Keys and users, for owners and for API keys with the scope `admin`. */
export const accessRoutes = (storage: Storage) => ({
  /** What the dashboard shows of keys in addition. */
  'GET /dashboard/api/keys/details': forOwners({
    run: listApiKeyDetails,
    summary: 'List the prefixes and creators of API keys',
    data: s.list(keyDetailsSchema),
  }),

  'GET /v1/keys': route({
    run: listApiKeys,
    summary: 'List API keys',
    data: s.list(keySchema),
  }),

  'POST /v1/keys': route({
    summary: 'Create an API key',
    description: 'The key is shown only once. A caller with an API key grants only scopes that it has.',
    body: keyBody,
    returnsSecret: true,
    data: createdKeySchema,
    run: createKey,
  }),

  'GET /v1/keys/:id': route({
    run: getApiKey,
    summary: 'Get an API key',
    data: keySchema,
  }),

  'DELETE /v1/keys/:id': route({
    run: revokeKey,
    summary: 'Revoke an API key',
  }),

  'GET /v1/users': route({
    run: listUsers,
    summary: 'List users',
    data: s.list(userSchema),
  }),

  'POST /v1/users': route<unknown, UserBody>({
    operationId: 'createUser',
    summary: 'Create a user',
    description:
      'The response contains a link with which the user signs in and sets a password. An API key cannot create an owner.',
    body: inviteBody,
    // The user of an API key sets the password.
    bodyFor: (principal) => (isKey(principal) ? inviteBody : userBody),
    returnsSecret: true,
    data: createdUserSchema,
    errors: ['CONFLICT'],
    handle: async (request) => {
      const { email, password, role = 'member' } = request.body;
      if (password === undefined)
        return created(request, storage.run(inviteUser, request.principal, { email, role }));
      const passwordHash = await hashPassword(password);
      const user = await storage.run(addUser, request.principal, { email, passwordHash, role });
      return created(request, Promise.resolve({ ...user, link: null }));
    },
  }),

  'POST /v1/users/:id/link': route({
    run: createSignInLink,
    summary: 'Create a sign-in link for a user',
    description:
      'For a user who has no password or forgot it. Invalidates the previous link. An API key cannot create one for an owner.',
    returnsSecret: true,
    data: linkSchema,
    status: 200,
  }),

  'GET /v1/users/:id': route({
    run: getUser,
    summary: 'Get a user',
    data: userSchema,
  }),

  'PATCH /v1/users/:id': route({
    run: updateUser,
    summary: 'Change the role of a user',
    body: roleBody,
    data: userSchema,
    errors: ['CONFLICT'],
  }),

  'DELETE /v1/users/:id': route({
    run: deleteUser,
    summary: 'Delete a user',
    errors: ['CONFLICT'],
  }),
});
