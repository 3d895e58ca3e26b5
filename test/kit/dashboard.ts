import assert from 'node:assert/strict';
import { START } from '../../src/audit/audit.service.ts';
import { openStorage } from '../../src/storage/open.ts';
import type { Role } from '../../src/workspaces/principal.ts';
import { addUser } from '../../src/workspaces/user.service.ts';
import type { CallOptions, Reply, TestService } from './service.ts';

export const PASSWORD = 'correct horse battery';

/** The same, sealed once for all runs: it takes a while by design. */
const SEALED = 'argon2id$t6IEIClP0JHopvs/gBvtWQ==$ujArHMzL645R0B+avzkb5iuITlJl4Jk6YKl5FHVMtlQ=';

/** Adds a person to the workspace `default`, as the first start or an owner would. */
export const addPerson = async (
  service: TestService,
  email: string,
  role: Role = 'owner',
  workspace = 1,
): Promise<void> => {
  const storage = await openStorage(service.database.database, { onFault: () => {} });
  await storage.write(addUser, { workspace, actor: START }, { email, sealed: SEALED, role });
  await storage.close();
};

export interface Person {
  readonly cookie: string;
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Reply>;
}

/** Signs a person in; calls go to the dashboard's interface with the cookie and a proof of origin. */
export const signIn = async (service: TestService, email: string, password = PASSWORD): Promise<Person> => {
  const reply = await service.post(
    '/dashboard/api/session',
    { email, password },
    { headers: { authorization: null } },
  );
  assert.equal(reply.status, 200, reply.text);
  const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? '';
  return {
    cookie,
    call: (method, path, body, options = {}) =>
      service.call(method, `/dashboard/api${path}`, body, {
        ...options,
        headers: { authorization: null, cookie, origin: service.url, ...options.headers },
      }),
  };
};

/** A new owner, signed in. */
export const signedInOwner = async (service: TestService, email = 'owner@example.com'): Promise<Person> => {
  await addPerson(service, email);
  return signIn(service, email);
};
