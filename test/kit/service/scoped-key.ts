import { createKey } from '../../../src/features/workspaces/key.service.ts';
import type { KeyScope } from '../../../src/lib/scopes.ts';
import { COMMAND_LINE } from '../../../src/records/change.ts';
import type { TestDatabase } from '../database/engines.ts';
import { openTestStorage } from '../database/workspaces.ts';

/** Creates a key of the workspace `default` with exactly these scopes. */
export const createScopedKey = async (
  database: TestDatabase,
  ...scopes: readonly KeyScope[]
): Promise<string> => {
  const [workspace] = await database.query(`select id from workspaces where name = 'default'`);
  const principal = { workspace: Number(workspace?.id), actor: COMMAND_LINE };
  const storage = await openTestStorage(database);
  try {
    return (await storage.run(createKey, principal, { name: 'scoped', scopes, expires_at: null })).key;
  } finally {
    await storage.close();
  }
};
