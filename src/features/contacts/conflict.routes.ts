import { routesOf } from '../../http/pipeline/route.ts';
import { pageFields } from '../../lib/page.ts';
import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import { needs } from '../workspaces/access.ts';
import { listContactConflicts } from './conflict.service.ts';
import { contactResponses } from './contact.schema.ts';

const route = routesOf(needs('contacts:read'));

const conflictQuery = v.object({
  ...pageFields,
  contact_id: v.text({ schema: { description: 'Only conflicts of this contact.' } }),
});

/** Legacy contacts whose number needs a decision. */
export const conflictRoutes = {
  'GET /v1/contacts/conflicts': route({
    run: listContactConflicts,
    summary: 'List contacts with conflicting phone numbers',
    description:
      'Legacy contacts whose displayed and normalized numbers differ, each with the update that resolves it.',
    query: conflictQuery,
    data: s.object('PhoneConflict', {
      contact: contactResponses.listed,
      normalized_phone: { type: ['string', 'null'] },
      repair: s.object('PhoneRepair', {
        phone_number: { type: ['string', 'null'] },
        confirm_phone_change: { const: true },
      }),
    }),
    list: true,
  }),
};
