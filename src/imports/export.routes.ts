import type { StreamLimits } from '../http/concurrency.ts';
import { route } from '../http/route.ts';
import { choice, shape, text } from '../kernel/shape.ts';
import type { Storage } from '../storage/storage.ts';
import type { Principal } from '../workspaces/principal.ts';
import { exportContacts, exportFormats } from './export.ts';

const exportQuery = shape({
  format: choice(exportFormats),
  tag: text({ schema: { description: 'Those with this tag.' } }),
  search: text({ schema: { description: 'Those that the list finds by this text.' } }),
  company: text({ schema: { description: 'Those of this company.' } }),
});

const TYPES = { csv: 'text/csv', jsonl: 'application/jsonl' } as const;

export const exportRoutes = (storage: Storage, { downloads }: StreamLimits) => ({
  contacts: route<Principal, ReturnType<typeof exportQuery.read>>({
    access: 'member',
    query: exportQuery,
    document: {
      group: 'Contacts',
      summary: 'Export contacts',
      description:
        'All of them, or those of a tag and a search, oldest first: CSV for spreadsheets, or an object a line.',
      file: Object.values(TYPES),
      errors: ['VALIDATION_ERROR', 'RATE_LIMITED'],
    },
    handle: ({ principal, query: { format = 'csv', tag, search, company } }) => ({
      status: 200,
      onClose: downloads.acquire(principal),
      body: exportContacts(storage, principal, { selection: { tag, search, company }, format }),
      type: `${TYPES[format]}; charset=utf-8`,
      headers: { 'Content-Disposition': `attachment; filename="contacts.${format}"` },
    }),
  }),
});
