import { openStorage } from '../../../src/db/open/open.ts';
import type { Storage } from '../../../src/db/storage.ts';
import { createKey } from '../../../src/features/workspaces/key.service.ts';
import type { Principal } from '../../../src/features/workspaces/principal.ts';
import { createWorkspace } from '../../../src/features/workspaces/workspace.service.ts';
import { COMMAND_LINE } from '../../../src/records/change.ts';
import type { TestDatabase } from './engines.ts';

export interface TestWorkspace {
  readonly principal: Principal;
  /** A key with write access. */
  readonly key: string;
}

/** Opens the storage of a test database, also while a service uses it. */
export const openTestStorage = (database: Pick<TestDatabase, 'database'>): Promise<Storage> =>
  openStorage(database.database, { onFault: () => {} });

let count = 0;

/** Creates an empty workspace and a key for it. */
export const makeWorkspace = async (storage: Storage): Promise<TestWorkspace> => {
  const { id } = await storage.run(createWorkspace, null, { name: `workspace ${++count}` });
  const principal = { workspace: id, actor: COMMAND_LINE };
  const wanted = { name: 'test', scope: 'read_write', expires_at: null } as const;
  const { key } = await storage.run(createKey, principal, wanted);
  return { principal, key };
};
