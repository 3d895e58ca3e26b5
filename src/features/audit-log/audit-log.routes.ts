import type { Storage } from '../../db/storage.ts';
import { page, route } from '../../http/pipeline/route.ts';
import { pageRequestOf } from '../../lib/page.ts';
import { needs } from '../workspaces/access.ts';
import type { Principal } from '../workspaces/principal.ts';
import { type AuditLogQuery, auditLogQuery, entrySchema } from './audit-log.schema.ts';
import { listAuditEntries } from './audit-log.service.ts';

const access = needs('audit:read');

export const auditLogRoutes = (storage: Storage) => ({
  list: route<Principal, AuditLogQuery>({
    access,
    query: auditLogQuery,
    document: {
      group: 'Activity',
      operationId: 'listAuditEntries',
      summary: 'List audit entries',
      description:
        'Every change and who made it, newest first. An entry must match every filter. A key sees the emails of users and the names of webhooks only with the scope `admin`, and the names of contacts with `contacts:read`.',
      data: entrySchema,
      list: true,
      errors: ['VALIDATION_ERROR'],
    },
    handle: ({ principal, query }) =>
      page(pageRequestOf(query), storage.run(listAuditEntries, principal, query)),
  }),
});
