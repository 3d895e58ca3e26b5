import type { Storage } from '../../db/storage.ts';
import {
  deleted,
  type HttpRequest,
  type HttpResponse,
  ok,
  open,
  routesOf,
} from '../../http/pipeline/route.ts';
import { forbidden, invalidField, notFound } from '../../lib/errors.ts';
import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import { member } from './access.ts';
import { hashPassword, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './password.ts';
import { roles } from './principal.ts';
import { currentToken, otherTokens, sessionCookies } from './session.cookies.ts';
import { assertNotCrossSite } from './session.guard.ts';
import { closeSession, findSession, getSessionInfo } from './session.service.ts';
import { checkPassword, type SignedIn, signIn, signInByLink } from './sign-in.service.ts';
import { findSelf, setPassword } from './user.service.ts';

const forAnyone = routesOf(open);
const forMembers = routesOf(member);

/** Small, because these bodies are read before the caller is authenticated. */
const MAX_BODY = 8_192;

const signInBody = v.object(
  {
    email: v.text({ max: 254 }),
    password: v.text({ max: MAX_PASSWORD_LENGTH }),
    workspace: v.text({
      max: 100,
      schema: { description: 'Workspace name. Required if several workspaces have a user with this email.' },
    }),
    add: v.boolean({
      description:
        'Whether to keep the current session of the browser, in order to switch between the two workspaces.',
    }),
  },
  { title: 'SignIn', required: ['email', 'password'] },
);
export const newPasswordField = v.text({ min: MIN_PASSWORD_LENGTH, max: MAX_PASSWORD_LENGTH });
const passwordBody = v.object(
  { current_password: v.text({ max: MAX_PASSWORD_LENGTH }), new_password: newPasswordField },
  { title: 'PasswordUpdate', required: ['new_password'] },
);
const linkBody = v.object({ token: v.text({ max: 100 }) }, { title: 'SignInByLink', required: ['token'] });

const accountProperties: Record<string, s.JsonSchema> = {
  id: s.string('The id of the user.'),
  email: s.string(),
  role: s.oneOf(roles),
};
export const userProperties: Record<string, s.JsonSchema> = {
  ...accountProperties,
  created_at: s.dateTime('When the user was added.'),
};
export const userSchema = s.object('User', userProperties);
const sessionProperties: Record<string, s.JsonSchema> = {
  ...accountProperties,
  workspace: s.object('SessionWorkspace', { name: s.string() }),
};
const sessionInfoSchema = s.object('SessionInfo', {
  ...sessionProperties,
  must_set_password: s.boolean(
    'Whether the user signed in with a link and must set a password. The current password is not required then.',
  ),
  after: s.nullableString(
    'The newest event: `GET /dashboard/api/live` continues after it, so that a page misses no change after this response. `null` if there are no events yet.',
  ),
});
const sessionWorkspaceSchema = s.object('SessionOfBrowser', {
  ...sessionProperties,
  current: s.boolean(),
});
const switchBody = v.object(
  { id: v.text({ min: 1, max: 64, schema: { description: 'The id of the user in the other workspace.' } }) },
  { title: 'SwitchWorkspace', required: ['id'] },
);

/** Responds with the cookie of a new session. Rejects cross-site requests. */
const openSessionFor = async (
  request: HttpRequest,
  open: (address: string) => Promise<SignedIn>,
  findOthers: () => Promise<readonly string[]> = async () => [],
): Promise<HttpResponse> => {
  const { address, base } = request.origin();
  assertNotCrossSite(request, base);
  const { token, user } = await open(address);
  const others = await findOthers();
  const cookies = sessionCookies(token, { base, headers: request.headers, others });
  return { ...(await ok(user)), headers: { 'Set-Cookie': cookies } };
};

/** Every valid session of the browser, the current one first. Each was opened by a password or a link of its user. */
const sessionsOf = async (storage: Storage, headers: HttpRequest['headers']) => {
  const tokens = [currentToken(headers), ...otherTokens(headers)];
  const found = await Promise.all(
    tokens.map(async (token) => {
      const principal = token && (await storage.run(findSession, null, { token }));
      return principal ? [{ token, principal }] : [];
    }),
  );
  return found.flat();
};

export const sessionRoutes = (storage: Storage) => ({
  'POST /dashboard/api/session': forAnyone({
    operationId: 'signIn',
    summary: 'Sign in',
    description:
      'Sets the cookie of a new session. After 10 failures for an account from one address, 20 for an account or 30 from an address within an hour, each additional failure doubles a wait of one minute, up to fifteen: status 429 with `Retry-After`. For an address from which the account signed in within the last 90 days, only its own failures count.',
    body: signInBody,
    maxBody: MAX_BODY,
    data: userSchema,
    status: 200,
    errors: ['RATE_LIMITED'],
    handle: (request) => {
      const { add = false, ...attempt } = request.body;
      return openSessionFor(
        request,
        (address) => signIn(storage, { ...attempt, ...request.principal, address }),
        // Only after a correct password: anyone can send cookies with many tokens.
        async () => (add ? await sessionsOf(storage, request.headers) : []).map(({ token }) => token),
      );
    },
  }),

  'POST /dashboard/api/session/link': forAnyone({
    operationId: 'signInWithLink',
    summary: 'Sign in with a link',
    description:
      'The token is the fragment of the link, after `#`. It works once and expires after 24 hours. The limits of sign-ins with a password do not apply.',
    body: linkBody,
    maxBody: MAX_BODY,
    data: userSchema,
    status: 200,
    errors: ['RATE_LIMITED'],
    handle: (request) =>
      openSessionFor(request, (address) =>
        signInByLink(storage, { ...request.body, ...request.principal, address }),
      ),
  }),

  'GET /dashboard/api/session': forMembers({
    run: getSessionInfo,
    summary: 'Get the signed-in user',
    data: sessionInfoSchema,
  }),

  'GET /dashboard/api/session/workspaces': forMembers({
    operationId: 'listSessionWorkspaces',
    summary: 'List the workspaces of the browser',
    description:
      'The workspaces in which this browser has a session, the current one first. A workspace is added by a sign-in with `add`.',
    data: s.list(sessionWorkspaceSchema),
    handle: async ({ headers, principal }) => {
      const sessions = await sessionsOf(storage, headers);
      return ok(
        Promise.all(
          sessions.map(async (each) => {
            const {
              must_set_password: _,
              after: __,
              ...info
            } = await storage.run(getSessionInfo, each.principal, null);
            return { ...info, current: each.principal.session === principal.session };
          }),
        ),
      );
    },
  }),

  'PUT /dashboard/api/session/workspace': forMembers({
    operationId: 'switchWorkspace',
    summary: 'Switch to another workspace of the browser',
    description: 'The other session becomes the current one. The sessions themselves do not change.',
    body: switchBody,
    maxBody: MAX_BODY,
    data: sessionInfoSchema,
    errors: ['NOT_FOUND'],
    handle: async ({ headers, body: { id }, origin }) => {
      const sessions = await sessionsOf(storage, headers);
      const chosen = sessions.find(({ principal }) => principal.actor === id);
      if (!chosen) throw notFound('session');
      const others = sessions.map(({ token }) => token);
      const cookies = sessionCookies(chosen.token, { base: origin().base, headers, others });
      const answer = await ok(storage.run(getSessionInfo, chosen.principal, null));
      return { ...answer, headers: { 'Set-Cookie': cookies } };
    },
  }),

  'DELETE /dashboard/api/session': forMembers({
    operationId: 'signOut',
    summary: 'Sign out',
    description: 'Ends every session of the browser, also those in other workspaces.',
    handle: async (request) => {
      const { principal, headers, origin } = request;
      for (const other of await sessionsOf(storage, headers))
        if (other.principal.session !== principal.session)
          await storage.run(closeSession, { ...other.principal, request: principal.request }, null);
      const answer = await deleted(storage.run(closeSession, principal, null));
      return { ...answer, headers: { 'Set-Cookie': sessionCookies('', { base: origin().base, headers }) } };
    },
  }),

  'PUT /dashboard/api/session/password': forMembers({
    operationId: 'changePassword',
    summary: 'Change the password',
    description:
      'Ends all other sessions of the user. The current password is required unless `must_set_password` is true. A wrong one counts as a failed sign-in.',
    body: passwordBody,
    maxBody: MAX_BODY,
    data: sessionInfoSchema,
    errors: ['RATE_LIMITED'],
    handle: async ({ principal, body, origin }) => {
      const { email, session: keep, request } = principal;
      const { current_password: password, new_password } = body;
      const { must_set_password: isFirstPassword } = await storage.run(getSessionInfo, principal, null);
      if (password === undefined && !isFirstPassword) throw invalidField('current_password', 'is required.');
      const find = () => storage.run(findSelf, principal, null);
      const user =
        isFirstPassword || password === undefined
          ? await find()
          : await checkPassword(
              storage,
              { email, password, address: origin().address, request },
              { hasSession: true, find },
            );
      const set =
        user &&
        (await storage.run(setPassword, principal, {
          id: user.id,
          was: user.password,
          passwordHash: await hashPassword(new_password),
          keep,
        }));
      if (set) return ok(storage.run(getSessionInfo, principal, null));
      throw forbidden(
        isFirstPassword
          ? 'The password was set in another session. Sign in with that password.'
          : 'Incorrect current password.',
      );
    },
  }),
});
