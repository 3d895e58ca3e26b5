import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import {
  contactResponses,
  MAX_CRM_ID,
  MAX_CRM_IDS,
  MAX_CRM_NAME,
  ownedByServer,
  profile,
  receivedPhoneNumber,
} from '../contacts/contact.schema.ts';
import { fieldValues } from '../fields/field.schema.ts';
import { expirySchema } from '../workspaces/grace-period.ts';

const named = (title: string) =>
  v.object({ name: v.text({ min: 1, max: 100 }) }, { title, required: ['name'] });

export const integrationCreate = named('IntegrationCreate');
export const integrationUpdate = named('IntegrationUpdate');

/** The fields of a create, and the ids of the contact in CRMs. */
export const webhookContact = v.object(
  {
    phone_number: receivedPhoneNumber,
    ...profile,
    fields: fieldValues,
    crm_ids: v.mapOf(
      v.text({ min: 1, max: MAX_CRM_NAME }),
      v.nullable(v.text({ min: 1, max: MAX_CRM_ID })),
      MAX_CRM_IDS,
    ),
  },
  {
    title: 'WebhookContact',
    required: ['phone_number'],
    ignored: ownedByServer.filter((name) => name !== 'crm_ids'),
  },
);
export type WebhookContact = ReturnType<typeof webhookContact.read>;

const properties: Record<string, s.JsonSchema> = {
  id: s.string(),
  name: s.string(),
  old_secret_expires_at: expirySchema('the old secret'),
  created_at: s.dateTime('When the integration was created.'),
};

export const integrationResponses = {
  integration: s.object('Integration', properties),
  created: s.object('CreatedIntegration', {
    ...properties,
    secret: s.string('Shown only once.'),
  }),
  health: s.object('IntegrationHealth', {
    id: s.string(),
    last_delivery_at: s.orNull(s.dateTime('When a contact was last received.')),
    errors: s.list(
      s.object('IntegrationError', {
        at: s.dateTime('When it happened last.'),
        status: s.integer(),
        code: s.string(),
        fields: s.list(s.string(), 'The invalid fields; `other` for one that does not exist.'),
        count: { type: 'integer', minimum: 1 },
      }),
      'The last rejected requests, newest first, one entry for each reason.',
    ),
  }),
  received: s.object('ReceivedContact', {
    action: { type: 'string', enum: ['created', 'updated'] },
    contact: contactResponses.full,
  }),
};
