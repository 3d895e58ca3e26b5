import { fillDemo } from '../../src/features/demo/demo.service.ts';
import { openSealer } from '../../src/features/workspaces/secret-key.ts';
import { jobHandlers } from '../../src/handlers.ts';
import { type Person, signedIn } from './dashboard.ts';
import type { TestService } from './service.ts';
import { openBeside } from './workspaces.ts';

/** Fills the workspace of sample data beside a running service, and signs in an owner of it. */
export const fillSample = async (service: TestService): Promise<Person> => {
  const storage = await openBeside(service.database);
  const sealer = await openSealer(storage, [Buffer.alloc(32, 1)], '');
  const { principal } = await fillDemo(storage, await sealer.current(), {
    handlers: jobHandlers,
    onProgress: () => {},
  });
  await storage.close();
  return signedIn(service, 'robin@example.com', 'owner', principal.workspace);
};
