import { deleted, record, route } from '../http/route.ts';
import { ApiError } from '../kernel/errors.ts';
import { exactly, shape, text, timeSchema } from '../kernel/shape.ts';
import type { Storage } from '../storage/storage.ts';
import { LONGEST_PASSWORD, SHORTEST_PASSWORD, sealPassword } from './password.ts';
import { roles, type UserPrincipal } from './principal.ts';
import { assertNotForeign, sessionCookie } from './session.guard.ts';
import { closeSession } from './session.service.ts';
import { checkPassword, signIn } from './sign-in.service.ts';
import { setPassword } from './user.service.ts';

const group = 'Session';

const signInBody = shape(
  { email: text({ max: 254 }), password: text({ max: LONGEST_PASSWORD }) },
  { required: ['email', 'password'] },
);
export const newPasswordField = text({ min: SHORTEST_PASSWORD, max: LONGEST_PASSWORD });
const passwordBody = shape(
  { current_password: text({ max: LONGEST_PASSWORD }), new_password: newPasswordField },
  { required: ['current_password', 'new_password'] },
);

export const userSchema = exactly('User', {
  id: { type: 'string' },
  email: { type: 'string' },
  role: { type: 'string', enum: roles },
  created_at: timeSchema('When the user was added.'),
});
const whoSchema = exactly('Who', {
  id: { type: 'string' },
  email: { type: 'string' },
  role: { type: 'string', enum: roles },
});

export const sessionRoutes = (storage: Storage) => ({
  signIn: route<undefined, unknown, ReturnType<typeof signInBody.read>>({
    access: 'open',
    body: signInBody,
    document: {
      group,
      summary: 'Sign in',
      description:
        'Answers with the cookie of a new session. Ten failures in fifteen minutes lock further tries.',
      data: userSchema,
      status: 200,
      errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'RATE_LIMITED'],
    },
    handle: async (call) => {
      const { address, base } = call.origin();
      assertNotForeign(call, base);
      const { token, user } = await signIn(storage, { ...call.body, address });
      const answer = await record(user);
      return { ...answer, headers: { 'Set-Cookie': sessionCookie(token, base) } };
    },
  }),

  who: route<UserPrincipal>({
    access: 'member',
    document: { group, summary: 'Tell who is signed in', data: whoSchema, errors: [] },
    handle: ({ principal: { actor, email, role } }) => record({ id: actor, email, role }),
  }),

  signOut: route<UserPrincipal>({
    access: 'member',
    document: {
      group,
      summary: 'Sign out',
      data: exactly('Deleted', { deleted: { const: true } }),
      errors: [],
    },
    handle: async (call) => {
      const answer = await deleted(storage.write(closeSession, call.principal, null));
      return { ...answer, headers: { 'Set-Cookie': sessionCookie('', call.origin().base) } };
    },
  }),

  changePassword: route<UserPrincipal, unknown, ReturnType<typeof passwordBody.read>>({
    access: 'member',
    body: passwordBody,
    document: {
      group,
      summary: 'Change the password',
      description:
        'Ends all other sessions of the user. A wrong current password counts as a failed sign-in does.',
      data: whoSchema,
      errors: ['VALIDATION_ERROR', 'RATE_LIMITED'],
    },
    handle: async ({ principal, body, origin }) => {
      const { email, session: keep } = principal;
      const { address } = origin();
      const user = await checkPassword(storage, { email, password: body.current_password, address });
      const set =
        user &&
        (await storage.write(setPassword, principal, {
          id: user.id,
          was: user.password,
          sealed: await sealPassword(body.new_password),
          keep,
        }));
      if (!set) throw new ApiError('FORBIDDEN', 'The current password is not right.');
      return record({ id: user.id, email, role: user.role });
    },
  }),
});
