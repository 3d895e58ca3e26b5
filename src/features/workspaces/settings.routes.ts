import type { Storage } from '../../db/storage.ts';
import { ok, route } from '../../http/pipeline/route.ts';
import { nullable, objectOf, objectSchema, text } from '../../lib/validation.ts';
import { needs, owner } from './access.ts';
import { country } from './country.ts';
import type { Principal } from './principal.ts';
import { getSettings, renameWorkspace, updateSettings } from './settings.service.ts';
import { getTimeZone, updateTimeZone } from './time-zone.service.ts';
import { timeZone } from './time-zone.ts';

/** Members read the settings that apply to them. */
const access = { read: needs('admin', { role: 'member' }), write: needs('admin') };

const group = 'Settings';
const settingsBody = objectOf(
  { default_country: nullable(country) },
  { title: 'SettingsUpdate', required: ['default_country'] },
);

const nameBody = objectOf(
  {
    name: text({
      min: 1,
      max: 100,
      schema: { pattern: '\\S' },
      check: (name) => (/\S/.test(name) ? undefined : 'must not be blank.'),
    }),
  },
  { title: 'WorkspaceRename', required: ['name'] },
);

const settingsSchema = objectSchema('Settings', {
  name: { type: 'string' },
  default_country: {
    type: ['string', 'null'],
    description: 'Default country for phone numbers without a country code.',
  },
});

const timeZoneBody = objectOf({ time_zone: timeZone }, { title: 'TimeZoneUpdate', required: ['time_zone'] });

const timeZoneSchema = objectSchema('WorkspaceTimeZone', {
  time_zone: {
    type: 'string',
    description:
      'The IANA time zone of the days and schedules of the workspace. `UTC` until an owner chooses one.',
  },
  chosen: { type: 'boolean', description: 'Whether an owner has chosen the time zone.' },
});

export const settingsRoutes = (storage: Storage) => ({
  get: route<Principal>({
    access: access.read,
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
    access: access.write,
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

  rename: route<Principal, unknown, ReturnType<typeof nameBody.read>>({
    access: owner,
    body: nameBody,
    document: {
      group,
      operationId: 'renameWorkspace',
      summary: 'Rename the workspace',
      description:
        'The name is unique, because people sign in with it if their email is in several workspaces.',
      data: settingsSchema,
      errors: ['VALIDATION_ERROR', 'CONFLICT'],
    },
    handle: ({ principal, body }) => ok(storage.run(renameWorkspace, principal, body)),
  }),

  getTimeZone: route<Principal>({
    access: access.read,
    document: {
      group,
      operationId: 'getTimeZone',
      summary: 'Get the time zone',
      data: timeZoneSchema,
      errors: [],
    },
    handle: ({ principal }) => ok(storage.run(getTimeZone, principal, null)),
  }),

  updateTimeZone: route<Principal, unknown, ReturnType<typeof timeZoneBody.read>>({
    access: access.write,
    body: timeZoneBody,
    document: {
      group,
      operationId: 'updateTimeZone',
      summary: 'Choose the time zone',
      data: timeZoneSchema,
      errors: ['VALIDATION_ERROR'],
    },
    handle: ({ principal, body }) => ok(storage.run(updateTimeZone, principal, body)),
  }),
});
