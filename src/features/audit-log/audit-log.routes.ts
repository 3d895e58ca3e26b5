import { routesOf } from '../../http/pipeline/route.ts';
import { needs } from '../workspaces/access.ts';
import { auditLogQuery, entrySchema } from './audit-log.schema.ts';
import { listAuditEntries } from './audit-log.service.ts';

const route = routesOf(needs('audit:read'));

export const auditLogRoutes = {
  'GET /v1/audit': route({
    run: listAuditEntries,
    summary: 'List audit entries',
    description:
      'Every change and who made it, newest first. An entry must match every filter. A key sees the emails of users and the names of webhooks only with the scope `admin`, and the names of contacts with `contacts:read`.',
    query: auditLogQuery,
    data: entrySchema,
    list: true,
  }),
};
