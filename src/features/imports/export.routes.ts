import type { Storage } from '../../db/storage.ts';
import { routesOf } from '../../http/pipeline/route.ts';
import { download, type StreamLimits } from '../../http/pipeline/stream-limits.ts';
import * as v from '../../lib/validation.ts';
import { assertMayFilter, checkFilter } from '../contacts/contact.filters.ts';
import { filterFields } from '../contacts/contact.schema.ts';
import { needs } from '../workspaces/access.ts';
import { EXPORT_TYPES, exportContacts, exportFormat, exportInclude } from './export.ts';

const route = routesOf(needs('contacts:read'));

const exportQuery = v.object({ format: exportFormat, include: exportInclude, ...filterFields });

export const exportRoutes = (storage: Storage, { downloads }: StreamLimits) => ({
  'GET /v1/contacts/export': route({
    operationId: 'exportContacts',
    summary: 'Export contacts',
    description:
      'All contacts, or those that match every filter, oldest first, as CSV or as one JSON object per line. The filters `campaign` and `in_campaign` also require the scope `campaigns:read`, and `called` and `last_activity_…` require `calls:read`.',
    query: exportQuery,
    file: Object.values(EXPORT_TYPES),
    errors: ['NOT_FOUND'],
    handle: async ({ principal, query: { format = 'csv', include, ...filter } }) => {
      assertMayFilter(principal, filter);
      const found =
        filter.filter || filter.segment ? await storage.run(checkFilter, principal, { filter }) : filter;
      const body = exportContacts(storage, principal, {
        selection: { filter: found },
        format,
        withFields: include === 'fields',
      });
      return download(downloads, principal, { name: `contacts.${format}`, type: EXPORT_TYPES[format], body });
    },
  }),
});
