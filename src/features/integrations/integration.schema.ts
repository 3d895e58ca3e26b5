import {
  dateTimeSchema,
  type JsonSchema,
  mapOf,
  nullable,
  objectOf,
  objectSchema,
  text,
} from '../../lib/validation.ts';
import { ownedByServer, profile, receivedPhoneNumber } from '../contacts/contact.schema.ts';
import { expirySchema } from '../workspaces/grace-period.ts';

export const integrationCreate = objectOf({ name: text({ min: 1, max: 100 }) }, { required: ['name'] });
export type IntegrationCreate = ReturnType<typeof integrationCreate.read>;

/** The fields of a create, and the ids of the contact in CRMs. */
export const webhookContact = objectOf(
  {
    phone_number: receivedPhoneNumber,
    ...profile,
    crm_ids: mapOf(text({ min: 1, max: 64 }), nullable(text({ min: 1, max: 255 })), 50),
  },
  { required: ['phone_number'], ignored: ownedByServer.filter((name) => name !== 'crm_ids') },
);
export type WebhookContact = ReturnType<typeof webhookContact.read>;

const properties: Record<string, JsonSchema> = {
  id: { type: 'string' },
  name: { type: 'string' },
  old_secret_expires_at: expirySchema('the old secret'),
  created_at: dateTimeSchema('When the integration was created.'),
};

export const integrationResponses = {
  integration: objectSchema('Integration', properties),
  created: objectSchema('CreatedIntegration', {
    ...properties,
    secret: { type: 'string', description: 'Shown only once.' },
  }),
};
