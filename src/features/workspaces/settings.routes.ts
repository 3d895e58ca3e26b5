import type { Storage } from '../../db/storage.ts';
import { ok, route } from '../../http/pipeline/route.ts';
import { nullable, objectOf, objectSchema } from '../../lib/validation.ts';
import { country } from './country.ts';
import type { Principal } from './principal.ts';
import { getSettings, updateSettings } from './settings.service.ts';

const group = 'Settings';
const settingsBody = objectOf({ default_country: nullable(country) }, { required: ['default_country'] });

const settingsSchema = objectSchema('Settings', {
  name: { type: 'string' },
  default_country: {
    type: ['string', 'null'],
    description: 'Default country for phone numbers without a country code.',
  },
});

export const settingsRoutes = (storage: Storage) => ({
  get: route<Principal>({
    access: 'member',
    document: {
      group,
      operationId: 'getSettings',
      summary: 'Get the settings',
      data: settingsSchema,
      errors: [],
    },
    handle: ({ principal }) => ok(storage.run(getSettings, principal, null)),
  }),

  update: route<Principal, unknown, ReturnType<typeof settingsBody.read>>({
    access: 'owner',
    body: settingsBody,
    document: {
      group,
      operationId: 'updateSettings',
      summary: 'Update the settings',
      data: settingsSchema,
      errors: ['VALIDATION_ERROR'],
    },
    handle: ({ principal, body }) => ok(storage.run(updateSettings, principal, body)),
  }),
});
