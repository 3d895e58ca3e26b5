import type { Storage } from '../../db/storage.ts';
import { deleted, type HttpRequest, type HttpResponse, record, route } from '../../http/pipeline/route.ts';
import { ApiError, invalid } from '../../lib/errors.ts';
import { dateTimeSchema, type JsonSchema, objectOf, objectSchema, text } from '../../lib/validation.ts';
import { LONGEST_PASSWORD, SHORTEST_PASSWORD, sealPassword } from './password.ts';
import { type Caller, roles, type UserPrincipal } from './principal.ts';
import { assertNotForeign, sessionCookies } from './session.guard.ts';
import { closeSession, getWho } from './session.service.ts';
import { checkPassword, type SignedIn, signIn, signInByLink } from './sign-in.service.ts';
import { findSelf, setPassword } from './user.service.ts';

const group = 'Session';

/** Far more than an address and two passwords need: these bodies are read before the caller is known. */
const MAX_BODY = 8_192;

const signInBody = objectOf(
  {
    email: text({ max: 254 }),
    password: text({ max: LONGEST_PASSWORD }),
    workspace: text({
      max: 100,
      schema: { description: 'The name of the workspace, where several have a user with this email.' },
    }),
  },
  { required: ['email', 'password'] },
);
export const newPasswordField = text({ min: SHORTEST_PASSWORD, max: LONGEST_PASSWORD });
const passwordBody = objectOf(
  { current_password: text({ max: LONGEST_PASSWORD }), new_password: newPasswordField },
  { required: ['new_password'] },
);
const linkBody = objectOf({ token: text({ max: 100 }) }, { required: ['token'] });

export const userProperties: Record<string, JsonSchema> = {
  id: { type: 'string' },
  email: { type: 'string' },
  role: { type: 'string', enum: roles },
  created_at: dateTimeSchema('When the user was added.'),
};
export const userSchema = objectSchema('User', userProperties);
const whoSchema = objectSchema('Who', {
  id: { type: 'string' },
  email: { type: 'string' },
  role: { type: 'string', enum: roles },
  workspace: objectSchema('WhoseWorkspace', { name: { type: 'string' } }),
  must_set_password: {
    type: 'boolean',
    description: 'Whether a link has led here, so that a password is to be set, without the former one.',
  },
});

/** Answers with the cookie of a new session. One that another site asks for is not opened. */
const enter = async (
  request: HttpRequest,
  open: (address: string) => Promise<SignedIn>,
): Promise<HttpResponse> => {
  const { address, base } = request.origin();
  assertNotForeign(request, base);
  const { token, user } = await open(address);
  return { ...(await record(user)), headers: { 'Set-Cookie': sessionCookies(token, base) } };
};

export const sessionRoutes = (storage: Storage) => ({
  signIn: route<Caller, unknown, ReturnType<typeof signInBody.read>>({
    access: 'open',
    body: signInBody,
    maxBody: MAX_BODY,
    document: {
      group,
      operationId: 'signIn',
      summary: 'Sign in',
      description:
        'Answers with the cookie of a new session. After 10 failures of an account from one address within an hour, 20 of an account or 30 from an address, each further one doubles the wait from one minute to fifteen: 429 with `Retry-After`. An address from which the account has signed in within 90 days waits for its own failures only.',
      data: userSchema,
      status: 200,
      errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'RATE_LIMITED'],
    },
    handle: (request) =>
      enter(request, (address) => signIn(storage, { ...request.body, ...request.principal, address })),
  }),

  signInByLink: route<Caller, unknown, ReturnType<typeof linkBody.read>>({
    access: 'open',
    body: linkBody,
    maxBody: MAX_BODY,
    document: {
      group,
      operationId: 'signInWithLink',
      summary: 'Sign in with a link',
      description:
        'The token stands behind the `#` of the link. It works once, within 24 hours, also while sign-ins with a password have to wait.',
      data: userSchema,
      status: 200,
      errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'RATE_LIMITED'],
    },
    handle: (request) =>
      enter(request, (address) => signInByLink(storage, { ...request.body, ...request.principal, address })),
  }),

  who: route<UserPrincipal>({
    access: 'member',
    document: {
      group,
      operationId: 'getSession',
      summary: 'Get the signed-in user',
      data: whoSchema,
      errors: [],
    },
    handle: ({ principal }) => record(storage.run(getWho, principal, null)),
  }),

  signOut: route<UserPrincipal>({
    access: 'member',
    document: {
      group,
      operationId: 'signOut',
      summary: 'Sign out',
      data: objectSchema('Deleted', { deleted: { const: true } }),
      errors: [],
    },
    handle: async (request) => {
      const answer = await deleted(storage.run(closeSession, request.principal, null));
      return { ...answer, headers: { 'Set-Cookie': sessionCookies('', request.origin().base) } };
    },
  }),

  changePassword: route<UserPrincipal, unknown, ReturnType<typeof passwordBody.read>>({
    access: 'member',
    body: passwordBody,
    maxBody: MAX_BODY,
    document: {
      group,
      operationId: 'changePassword',
      summary: 'Change the password',
      description:
        'Ends all other sessions of the user. The current password is needed unless `must_set_password` is true; a wrong one counts as a failed sign-in does.',
      data: whoSchema,
      errors: ['VALIDATION_ERROR', 'RATE_LIMITED'],
    },
    handle: async ({ principal, body, origin }) => {
      const { email, session: keep, request } = principal;
      const { must_set_password: isFree } = await storage.run(getWho, principal, null);
      const user = isFree
        ? await storage.run(findSelf, principal, null)
        : await checkPassword(
            storage,
            { email, password: currentOf(body), address: origin().address, request },
            { hasSession: true, find: () => storage.run(findSelf, principal, null) },
          );
      const set =
        user &&
        (await storage.run(setPassword, principal, {
          id: user.id,
          was: user.password,
          sealed: await sealPassword(body.new_password),
          keep,
        }));
      if (set) return record(storage.run(getWho, principal, null));
      throw new ApiError(
        'FORBIDDEN',
        isFree ? 'The password was set in another session. Sign in with it.' : 'Incorrect current password.',
      );
    },
  }),
});

const currentOf = ({ current_password }: { current_password?: string }): string => {
  if (current_password !== undefined) return current_password;
  throw invalid([{ field: 'current_password', message: 'is required.' }]);
};
