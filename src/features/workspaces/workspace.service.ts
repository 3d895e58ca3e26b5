import { read, write } from '../../db/operation.ts';
import { timestamp } from '../../lib/clock.ts';
import { ApiError, conflict } from '../../lib/errors.ts';
import { COMMAND_LINE, change } from '../../records/change.ts';
import { assertName } from './name.ts';
import { updateSettings } from './settings.service.ts';
import * as store from './workspace.store.ts';

export const { DEFAULT_WORKSPACE } = store;

export const createWorkspace = write(
  'createWorkspace',
  async (db, _: null, { name, country = null }: { name: string; country?: string | null }) => {
    assertName(name);
    const created_at = timestamp();
    const inserted = await db.get(store.insertWorkspace, { name, created_at, is_default: 0 });
    if (!inserted) throw conflict(`The workspace ${name} already exists.`);
    const principal = { workspace: inserted.id, actor: COMMAND_LINE };
    change(db, principal, { action: 'workspace.created' });
    if (country !== null) await updateSettings(db, principal, { default_country: country });
    return { id: inserted.id, name, created_at };
  },
);

export const listWorkspaces = read('listWorkspaces', (db) => db.all(store.listWorkspaceRows, {}));

/** The workspace with this name. `default` is also the one that the service set up, after it was renamed. The error lists the existing ones. */
export const requireWorkspace = read('requireWorkspace', async (db, _: null, { name }: { name: string }) => {
  const found =
    (await db.get(store.findWorkspace, { name })) ??
    (name === DEFAULT_WORKSPACE ? await db.get(store.findDefault, { name }) : undefined);
  if (found) return found;
  const names = (await listWorkspaces(db)).map((workspace) => workspace.name).join(', ');
  throw new ApiError('NOT_FOUND', `There is no workspace ${name}. Existing workspaces: ${names || 'none'}.`);
});
