import { read } from '../db/operation.ts';
import * as bulk from '../features/bulk/bulk.store.ts';
import type { WorkStates } from '../features/events/event.work.ts';
import * as imports from '../features/imports/import.store.ts';
import * as notices from '../features/notices/notice.store.ts';
import * as webhooks from '../features/webhooks/webhook.store.ts';
import type { UserPrincipal } from '../features/workspaces/principal.ts';

/** As many as the dashboard lists jobs; an import that is undone may be older. */
const NEWEST = { jobs: 20, imports: 50 };

/** What pages follow besides events: work that the service does, with the state that changes while it does. */
export const readWorkStates = read(
  'readWorkStates',
  async (db, { workspace, actor: user, role }: UserPrincipal): Promise<WorkStates> => ({
    jobs: JSON.stringify(await db.all(bulk.findProgress, { workspace, limit: NEWEST.jobs })),
    imports: JSON.stringify(await db.all(imports.findProgress, { workspace, limit: NEWEST.imports })),
    notices: JSON.stringify(await db.get(notices.findNewest, { workspace, user, role })),
    ...(role === 'owner' && {
      webhooks: JSON.stringify(await db.all(webhooks.findDeliveryState, { workspace })),
    }),
  }),
);
