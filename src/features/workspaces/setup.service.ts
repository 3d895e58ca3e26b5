import { read, write } from '../../db/operation.ts';
import type { Storage } from '../../db/storage.ts';
import { timestamp } from '../../lib/clock.ts';
import { ApiError } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import { change, START } from '../../records/change.ts';
import { createKey } from './key.service.ts';
import { inviteUser } from './link.service.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { addUser, findMember, setPassword } from './user.service.ts';
import { DEFAULT_WORKSPACE } from './workspace.service.ts';
import { findDefault, insertWorkspace } from './workspace.store.ts';

type Owner = { email: string; password: string };

/** The first owner if none is configured. */
const FIRST_OWNER = 'admin@roster.local';

/** Creates the workspace `default` with an owner and, with `withKey`, an API key. Later starts find it. */
export const setUpWorkspace = async (
  storage: Storage,
  { withKey, admin, log }: { withKey: boolean; admin: Owner | undefined; log: Pick<Log, 'warn'> },
): Promise<SetupResult> => {
  let workspace = await storage.run(findDefaultWorkspace, null, null);
  if (workspace === undefined) {
    const owner = admin && { email: admin.email, passwordHash: await hashPassword(admin.password) };
    const created = await storage.run(createDefaultWorkspace, null, { withKey, owner });
    if (created.isFirstStart) return created;
    workspace = created.workspace;
  }
  if (admin) await ensureOwner(storage, workspace, admin, log);
  return { workspace, ...LATER_START };
};

const LATER_START = { isFirstStart: false, key: undefined, signIn: undefined };

export const findDefaultWorkspace = read(
  'findDefaultWorkspace',
  async (db): Promise<number | undefined> => (await db.get(findDefault, { name: DEFAULT_WORKSPACE }))?.id,
);

/** If several instances start at the same time, one creates the workspace. Only its result contains the plain secrets; `signIn` is the
 *  link of the first owner. */
export const createDefaultWorkspace = write(
  'createDefaultWorkspace',
  async (
    db,
    _: null,
    { withKey, owner }: { withKey: boolean; owner: { email: string; passwordHash: string } | undefined },
  ) => {
    const created = await db.get(insertWorkspace, {
      name: DEFAULT_WORKSPACE,
      created_at: timestamp(),
      is_default: 1,
    });
    if (!created) return { workspace: (await findDefaultWorkspace(db)) ?? 0, ...LATER_START };
    const workspace = created.id;
    const who = { workspace, actor: START };
    change(db, who, { action: 'workspace.created' });
    if (owner) await addUser(db, who, { ...owner, role: 'owner' });
    const invited = owner ? undefined : await inviteUser(db, who, { email: FIRST_OWNER, role: 'owner' });
    const key = withKey
      ? (await createKey(db, who, { name: 'first key', scope: 'read_write', expires_at: null })).key
      : undefined;
    return {
      workspace,
      isFirstStart: true,
      key,
      signIn: invited && { email: invited.email, ...invited.link },
    };
  },
);

type SetupResult = Awaited<ReturnType<typeof createDefaultWorkspace>>;

/** Ensures that the configured owner can sign in with the configured password. If the user is no longer an owner, only logs
 *  a warning. */
const ensureOwner = async (
  storage: Storage,
  workspace: number,
  { email, password }: Owner,
  log: Pick<Log, 'warn'>,
): Promise<void> => {
  const who = { workspace, actor: START };
  const known = await storage.run(findMember, who, { email });
  if (known && known.role !== 'owner') {
    log.warn(
      'The user in ROSTER_ADMIN_EMAIL is not an owner of the workspace "default" and was not changed. Make the user an owner, or set ROSTER_ADMIN_EMAIL to another email.',
    );
    return;
  }
  if (known && (await verifyPassword(password, known.password, { isKnown: true }))) return;
  const passwordHash = await hashPassword(password);
  if (known)
    await storage.run(setPassword, who, { id: known.id, was: known.password, passwordHash, keep: null });
  else await storage.run(addUser, who, { email, passwordHash, role: 'owner' }).catch(ignoreConflict);
};

/** If several instances start at the same time, one creates the owner. */
const ignoreConflict = (error: unknown) => {
  if (!(error instanceof ApiError && error.code === 'CONFLICT')) throw error;
};
