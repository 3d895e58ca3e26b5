import type { Storage } from '../../db/storage.ts';
import { routesOf } from '../../http/pipeline/route.ts';
import { download, type StreamLimits } from '../../http/pipeline/stream-limits.ts';
import { invalidField } from '../../lib/errors.ts';
import { objectOf, text } from '../../lib/validation.ts';
import { assertMayFilter } from '../contacts/contact.filters.ts';
import { filterFields } from '../contacts/contact.schema.ts';
import { contactId } from '../contacts/contact.service.ts';
import { needs } from '../workspaces/access.ts';
import { EXPORT_TYPES, exportContacts, exportFormat } from './export.ts';

const route = routesOf(needs('contacts:read'));

const exportQuery = objectOf({
  format: exportFormat,
  ...filterFields,
  except: text({
    schema: { description: 'Ids of contacts to exclude, separated by commas; at most 100.' },
  }),
});

const MAX_EXCEPTIONS = 100;

const exceptionsIn = (except: string | undefined): string[] => {
  const ids = except ? except.split(',') : [];
  const problem =
    ids.length > MAX_EXCEPTIONS
      ? `must name at most ${MAX_EXCEPTIONS} contacts.`
      : ids.some((id) => !contactId.parse(id)) && 'must be contact ids, separated by commas.';
  if (problem) throw invalidField('except', problem);
  return ids.map((id) => contactId.parse(id) ?? id);
};

export const exportRoutes = (storage: Storage, { downloads }: StreamLimits) => ({
  'GET /v1/contacts/export': route({
    operationId: 'exportContacts',
    summary: 'Export contacts',
    description:
      'All contacts, or those that match every filter, oldest first, as CSV or as one JSON object per line. The filters `campaign` and `in_campaign` also require the scope `campaigns:read`, and `called` and `last_activity_…` require `calls:read`.',
    query: exportQuery,
    file: Object.values(EXPORT_TYPES),
    handle: async ({ principal, query: { format = 'csv', except, ...filter } }) => {
      assertMayFilter(principal, filter);
      const exceptions = exceptionsIn(except);
      const selection = { filter, except: exceptions };
      const body = exportContacts(storage, principal, { selection, format });
      return download(downloads, principal, { name: `contacts.${format}`, type: EXPORT_TYPES[format], body });
    },
  }),
});
