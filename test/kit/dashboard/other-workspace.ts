import { openStorage } from '../../../src/db/open/open.ts';
import { createWorkspace } from '../../../src/features/workspaces/workspace.service.ts';
import type { TestService } from '../service/test-service.ts';
import { type CheckedUser, checkedUser } from './checked-client.ts';
import { signedInUser } from './users.ts';

let count = 0;

/** Another workspace, empty except for its owner. */
export const makeOtherWorkspace = async (
  service: TestService,
  email = `owner${++count}@neighbour.example`,
): Promise<{ workspace: number; owner: CheckedUser }> => {
  const storage = await openStorage(service.database.database, { onFault: () => {} });
  const { id } = await storage.run(createWorkspace, null, { name: `neighbour of ${email}` });
  await storage.close();
  return {
    workspace: id,
    owner: await checkedUser(service, await signedInUser(service, email, 'owner', id)),
  };
};
