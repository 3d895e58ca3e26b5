import type { Storage } from '../../db/storage.ts';
import { route } from '../../http/pipeline/route.ts';
import type { StreamLimits } from '../../http/pipeline/stream-limits.ts';
import { invalid } from '../../lib/errors.ts';
import { objectOf, oneOf, text } from '../../lib/validation.ts';
import { contactId } from '../contacts/contact.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import { exportContacts, exportFormats } from './export.ts';

const exportQuery = objectOf({
  format: oneOf(exportFormats),
  tag: text({ schema: { description: 'Only contacts with this tag.' } }),
  search: text({ schema: { description: 'Only contacts that match this search.' } }),
  company: text({ schema: { description: 'Only contacts with this company name.' } }),
  except: text({
    schema: { description: 'Ids of contacts to exclude, separated by commas; at most 100.' },
  }),
});

const MAX_EXCEPTIONS = 100;

const exceptionsIn = (except: string | undefined): ReadonlySet<string> => {
  const ids = except ? except.split(',') : [];
  const problem =
    ids.length > MAX_EXCEPTIONS
      ? `must name at most ${MAX_EXCEPTIONS} contacts.`
      : ids.some((id) => !contactId.parse(id)) && 'must be contact ids, separated by commas.';
  if (problem) throw invalid([{ field: 'except', message: problem }]);
  return new Set(ids.map((id) => contactId.parse(id) ?? id));
};

const TYPES = { csv: 'text/csv', jsonl: 'application/jsonl' } as const;

export const exportRoutes = (storage: Storage, { downloads }: StreamLimits) => ({
  contacts: route<Principal, ReturnType<typeof exportQuery.read>>({
    access: 'member',
    query: exportQuery,
    document: {
      group: 'Contacts',
      operationId: 'exportContacts',
      summary: 'Export contacts',
      description:
        'All contacts, or those that match every filter, oldest first, as CSV or as one JSON object per line.',
      file: Object.values(TYPES),
      errors: ['VALIDATION_ERROR', 'RATE_LIMITED'],
    },
    handle: ({ principal, query: { format = 'csv', tag, search, company, except } }) => {
      const selection = { tag, search, company };
      const exceptions = exceptionsIn(except);
      return {
        status: 200,
        onClose: downloads.acquire(principal),
        body: exportContacts(storage, principal, { selection, except: exceptions, format }),
        type: `${TYPES[format]}; charset=utf-8`,
        headers: { 'Content-Disposition': `attachment; filename="contacts.${format}"` },
      };
    },
  }),
});
