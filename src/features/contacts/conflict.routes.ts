import type { Storage } from '../../db/storage.ts';
import { page, routesOf } from '../../http/pipeline/route.ts';
import { pageFields, pageRequestOf } from '../../lib/page.ts';
import { objectOf, objectSchema, text } from '../../lib/validation.ts';
import { needs } from '../workspaces/access.ts';
import { listConflicts } from './conflict.service.ts';
import { contactResponses } from './contact.schema.ts';

const route = routesOf(needs('contacts:read'));

const conflictQuery = objectOf({
  ...pageFields,
  contact_id: text({ schema: { description: 'Only conflicts of this contact.' } }),
});

/** Legacy contacts whose number needs a decision. */
export const conflictRoutes = (storage: Storage) => ({
  'GET /v1/contacts/conflicts': route({
    operationId: 'listContactConflicts',
    summary: 'List contacts with conflicting phone numbers',
    description:
      'Legacy contacts whose displayed and normalized numbers differ, each with the update that resolves it.',
    query: conflictQuery,
    data: objectSchema('PhoneConflict', {
      contact: contactResponses.listed,
      normalized_phone: { type: ['string', 'null'] },
      repair: objectSchema('PhoneRepair', {
        phone_number: { type: ['string', 'null'] },
        confirm_phone_change: { const: true },
      }),
    }),
    list: true,
    handle: ({ principal, query }) =>
      page(pageRequestOf(query), storage.run(listConflicts, principal, query)),
  }),
});
