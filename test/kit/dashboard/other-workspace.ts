import { openStorage } from '../../../src/db/open.ts';
import { createWorkspace } from '../../../src/features/workspaces/workspace.service.ts';
import type { TestService } from '../service/test-service.ts';
import { type Asker, described } from './checked-client.ts';
import { signedIn } from './users.ts';

let count = 0;

/** A workspace of its own beside `default`, empty but for its owner. */
export const makeNeighbour = async (
  service: TestService,
  email = `owner${++count}@neighbour.example`,
): Promise<{ workspace: number; owner: Asker }> => {
  const storage = await openStorage(service.database.database, { onFault: () => {} });
  const { id } = await storage.run(createWorkspace, null, { name: `neighbour of ${email}` });
  await storage.close();
  return { workspace: id, owner: await described(service, await signedIn(service, email, 'owner', id)) };
};
