import type { Storage } from '../../db/storage.ts';
import { ok, routesOf } from '../../http/pipeline/route.ts';
import type { Runner } from '../../jobs/runner.ts';
import { needs } from '../workspaces/access.ts';
import { startDuplicates } from './duplicate.jobs.ts';
import { duplicateListSchema, duplicateQuery, duplicateSchema } from './duplicate.schema.ts';
import { dismissDuplicate, getDuplicate, listDuplicates, restoreDuplicate } from './duplicate.service.ts';

const read = routesOf(needs('contacts:read'));
const write = routesOf(needs('contacts:write', { also: ['contacts:read'] }));

/** Contacts that are likely the same person. */
export const duplicateRoutes = (storage: Storage, { runner }: { readonly runner: Pick<Runner, 'wake'> }) => ({
  'GET /v1/duplicates': read({
    operationId: 'listDuplicates',
    summary: 'List likely duplicates',
    description:
      'Groups of contacts that are likely the same person, newest first. The first request of a workspace starts the comparison of its contacts: `status` is `building` until all are compared. From then on, changes of contacts are compared in the background, usually within two seconds. A value that more than 20 contacts share has no group.',
    query: duplicateQuery,
    data: duplicateListSchema,
    handle: async ({ principal, query }) => {
      const { status, ...list } = await storage.run(listDuplicates, principal, query);
      if (status === undefined) {
        await storage.run(startDuplicates, principal, null);
        runner.wake();
      }
      return ok({ status: status ?? 'building', progress: 0, ...list });
    },
  }),

  'GET /v1/duplicates/:id': read({
    run: getDuplicate,
    summary: 'Get a group of likely duplicates',
    description: 'A group exists while at least two contacts, and at most 20, have its value in common.',
    data: duplicateSchema,
  }),

  'POST /v1/duplicates/:id/dismiss': write({
    run: dismissDuplicate,
    summary: 'Dismiss a group of likely duplicates',
    description:
      'Remembers for each pair of the contacts that they are different people, whatever they have in common. The group is no longer listed. If another contact joins it, it is listed again, with `dismissed_pairs`.',
    status: 200,
    data: duplicateSchema,
  }),

  'DELETE /v1/duplicates/:id/dismissal': write({
    run: restoreDuplicate,
    summary: 'Undo the dismissal of a group',
    description:
      'Lists the group again. Pairs of its contacts that were dismissed with another group are restored as well.',
    data: duplicateSchema,
  }),
});
