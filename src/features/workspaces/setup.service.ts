import type { Db } from '../../db/db.ts';
import { read, write } from '../../db/operation.ts';
import type { Storage } from '../../db/storage.ts';
import { timestamp } from '../../lib/clock.ts';
import { ApiError } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import { record, START } from '../audit/audit.service.ts';
import { createKey } from './key.service.ts';
import { inviteUser, type Link } from './link.service.ts';
import { isPassword, sealPassword } from './password.ts';
import { addUser, findMember, setPassword } from './user.service.ts';
import { DEFAULT_WORKSPACE } from './workspace.service.ts';
import { findWorkspace, insertWorkspace } from './workspace.store.ts';

/** What a start found or made. The secrets can be read only here and now. */
export interface SetUp {
  workspace: number;
  made: boolean;
  key: string | undefined;
  /** How the first owner comes in. */
  signIn: ({ email: string } & Link) | undefined;
}

type Owner = { email: string; password: string };

/** The owner of a first start that is not told of one. */
const FIRST_OWNER = 'admin@roster.local';

/** Makes the workspace `default` with an owner and, where none is configured, a key; finds it on every later start. */
export const setUp = async (
  storage: Storage,
  { withKey, admin, log }: { withKey: boolean; admin: Owner | undefined; log: Pick<Log, 'warn'> },
): Promise<SetUp> => {
  const known = await storage.run(findDefault, null, null);
  const made =
    known === undefined
      ? await storage.run(makeDefault, null, {
          withKey,
          owner: admin ? { email: admin.email, sealed: await sealPassword(admin.password) } : undefined,
        })
      : undefined;
  if (made?.made) return made;
  const workspace = known ?? made?.workspace ?? 0;
  if (admin) await ensureOwner(storage, workspace, admin, log);
  return { workspace, made: false, key: undefined, signIn: undefined };
};

export const findDefault = read(
  'findDefault',
  async (db: Db): Promise<number | undefined> =>
    (await db.get(findWorkspace, { name: DEFAULT_WORKSPACE }))?.id,
);

/** Of two instances that start together, one makes it. */
export const makeDefault = write(
  'makeDefault',
  async (
    db: Db,
    _: null,
    { withKey, owner }: { withKey: boolean; owner: { email: string; sealed: string } | undefined },
  ): Promise<SetUp> => {
    const nothing = { key: undefined, signIn: undefined };
    const made = await db.get(insertWorkspace, { name: DEFAULT_WORKSPACE, created_at: timestamp() });
    if (!made) return { workspace: (await findDefault(db)) ?? 0, made: false, ...nothing };
    const workspace = made.id;
    const who = { workspace, actor: START };
    record(db, who, { action: 'workspace.created' });
    if (owner) await addUser(db, who, { ...owner, role: 'owner' });
    const invited = owner ? undefined : await inviteUser(db, who, { email: FIRST_OWNER, role: 'owner' });
    const key = withKey
      ? (await createKey(db, who, { name: 'first key', scope: 'read_write', expires_at: null })).key
      : undefined;
    return { workspace, made: true, key, signIn: invited && { email: invited.email, ...invited.link } };
  },
);

/** Makes sure that the configured owner can sign in with the configured password. What owners have changed since is no
 *  reason to refuse the start: a user who is no longer an owner stays one who is not, and the log has a warning. */
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
      'ROSTER_ADMIN_EMAIL names a user who is not an owner of the workspace default. The user was not changed. Make the user an owner again, or set ROSTER_ADMIN_EMAIL to another email.',
    );
    return;
  }
  if (known && (await isPassword(password, known.password))) return;
  const sealed = await sealPassword(password);
  if (known) await storage.run(setPassword, who, { id: known.id, was: known.password, sealed, keep: null });
  else await storage.run(addUser, who, { email, sealed, role: 'owner' }).catch(unlessCreatedMeanwhile);
};

/** Of several instances that start together, one creates the owner. */
const unlessCreatedMeanwhile = (error: unknown) => {
  if (!(error instanceof ApiError && error.code === 'CONFLICT')) throw error;
};
