import { integerSchema, listSchema, orNull, stringSchema } from '../../lib/schemas.ts';
import {
  dateTimeSchema,
  type JsonSchema,
  mapOf,
  nullable,
  objectOf,
  objectSchema,
  text,
} from '../../lib/validation.ts';
import {
  contactResponses,
  MAX_CRM_ID,
  MAX_CRM_IDS,
  MAX_CRM_NAME,
  ownedByServer,
  profile,
  receivedPhoneNumber,
} from '../contacts/contact.schema.ts';
import { expirySchema } from '../workspaces/grace-period.ts';

const named = (title: string) =>
  objectOf({ name: text({ min: 1, max: 100 }) }, { title, required: ['name'] });

export const integrationCreate = named('IntegrationCreate');
export const integrationUpdate = named('IntegrationUpdate');
export type IntegrationUpdate = ReturnType<typeof integrationUpdate.read>;
export type IntegrationCreate = ReturnType<typeof integrationCreate.read>;

/** The fields of a create, and the ids of the contact in CRMs. */
export const webhookContact = objectOf(
  {
    phone_number: receivedPhoneNumber,
    ...profile,
    crm_ids: mapOf(
      text({ min: 1, max: MAX_CRM_NAME }),
      nullable(text({ min: 1, max: MAX_CRM_ID })),
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
  health: objectSchema('IntegrationHealth', {
    id: stringSchema(),
    last_delivery_at: orNull(dateTimeSchema('When a contact was last received.')),
    errors: listSchema(
      objectSchema('IntegrationError', {
        at: dateTimeSchema('When it happened last.'),
        status: integerSchema(),
        code: stringSchema(),
        fields: listSchema(stringSchema(), 'The invalid fields; `other` for one that does not exist.'),
        count: { type: 'integer', minimum: 1 },
      }),
      'The last rejected requests, newest first, one entry for each reason.',
    ),
  }),
  received: objectSchema('ReceivedContact', {
    action: { type: 'string', enum: ['created', 'updated'] },
    contact: contactResponses.full,
  }),
};
