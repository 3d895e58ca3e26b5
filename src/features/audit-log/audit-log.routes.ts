import type { Storage } from '../../db/storage.ts';
import { page, routesOf } from '../../http/pipeline/route.ts';
import { pageRequestOf } from '../../lib/page.ts';
import { needs } from '../workspaces/access.ts';
import { auditLogQuery, entrySchema } from './audit-log.schema.ts';
import { listAuditEntries } from './audit-log.service.ts';

const route = routesOf(needs('audit:read'));

export const auditLogRoutes = (storage: Storage) => ({
  'GET /v1/audit': route({
    operationId: 'listAuditEntries',
    summary: 'List audit entries',
    description:
      'Every change and who made it, newest first. An entry must match every filter. A key sees the emails of users and the names of webhooks only with the scope `admin`, and the names of contacts with `contacts:read`.',
    query: auditLogQuery,
    data: entrySchema,
    list: true,
    handle: ({ principal, query }) =>
      page(pageRequestOf(query), storage.run(listAuditEntries, principal, query)),
  }),
});
