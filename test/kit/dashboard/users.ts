import assert from 'node:assert/strict';
import type { Storage } from '../../../src/db/storage.ts';
import type { Role } from '../../../src/features/workspaces/principal.ts';
import { SESSION_COOKIE } from '../../../src/features/workspaces/session.cookies.ts';
import { newSessionToken, openSession } from '../../../src/features/workspaces/session.service.ts';
import { addUser, findUser } from '../../../src/features/workspaces/user.service.ts';
import { START } from '../../../src/records/change.ts';
import type { TestDatabase } from '../database/engines.ts';
import { openTestStorage } from '../database/workspaces.ts';
import type { CallOptions, Reply, TestService } from '../service/test-service.ts';
import { userPath } from './user-path.ts';

export const PASSWORD = 'correct horse battery';

/** Its hash at the lowest cost, which test services use: at the usual cost, a check takes a third of a second. */
export const PASSWORD_HASH =
  '$argon2id$v=19$m=8,t=1,p=1$oLFjGF32VfQpFw+Vfv9Czw$QBAxV8u5sPvf1YPng5e8aQlOrsGgwOVbwbLW6vOQvoI';

/** Runs work on the storage of a running service. */
const withStorage = async <T>(
  database: Pick<TestDatabase, 'database'>,
  work: (storage: Storage) => Promise<T>,
): Promise<T> => {
  const storage = await openTestStorage(database);
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
};

const add = (storage: Storage, email: string, role: Role, workspace: number) =>
  storage.run(addUser, { workspace, actor: START }, { email, passwordHash: PASSWORD_HASH, role });

/** Adds a user to the workspace `default`, as the first start or an owner does. */
export const addDashboardUser = async (
  { database }: TestService,
  email: string,
  role: Role = 'owner',
  workspace = 1,
): Promise<void> => {
  await withStorage(database, (storage) => add(storage, email, role, workspace));
};

export interface DashboardUser {
  readonly cookie: string;
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Reply>;
}

/** Calls the dashboard's own operations and the API with the cookie and a matching origin. */
const userWithCookie = (service: TestService, cookie: string): DashboardUser => ({
  cookie,
  call: (method, path, body, options = {}) =>
    service.call(method, userPath(method, path), body, {
      ...options,
      headers: { authorization: null, cookie, origin: service.url, ...options.headers },
    }),
});

/** Signs in with a password. Use signedInUser where the password does not matter. */
export const signIn = async (
  service: TestService,
  email: string,
  password = PASSWORD,
): Promise<DashboardUser> => {
  const reply = await service.post(
    '/dashboard/api/session',
    { email, password },
    { headers: { authorization: null } },
  );
  assert.equal(reply.status, 200, reply.text);
  return userWithCookie(service, reply.headers.get('set-cookie')?.split(';')[0] ?? '');
};

/** The cookie of a new session. Adds the user if there is none with this email. */
export const createSessionCookie = (
  database: Pick<TestDatabase, 'database'>,
  email: string,
  role: Role = 'owner',
  workspace = 1,
): Promise<string> =>
  withStorage(database, async (storage) => {
    const find = () => storage.run(findUser, null, { email });
    if (!(await find())) await add(storage, email, role, workspace);
    const user = await find();
    assert.ok(user);
    const token = newSessionToken(user.workspace_id);
    const principal = { workspace: user.workspace_id, actor: user.id };
    assert.ok(await storage.run(openSession, principal, { password: user.password, token, byLink: false }));
    return `${SESSION_COOKIE}=${token}`;
  });

/** A signed-in user, by default an owner, without checking a password. */
export const signedInUser = async (
  service: TestService,
  email = 'owner@example.com',
  role?: Role,
  workspace?: number,
): Promise<DashboardUser> =>
  userWithCookie(service, await createSessionCookie(service.database, email, role, workspace));
