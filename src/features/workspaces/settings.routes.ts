import { routesOf } from '../../http/pipeline/route.ts';
import * as s from '../../lib/schemas.ts';
import { TIME_ZONE_PATTERN, timeZoneName } from '../../lib/time-zone.ts';
import * as v from '../../lib/validation.ts';
import { needs, owner } from './access.ts';
import { country } from './country.ts';
import { nameField } from './name.ts';
import { getSettings, renameWorkspace, updateSettings } from './settings.service.ts';

/** Members read the settings that apply to them. */
const read = routesOf(needs('admin', { role: 'member' }));
const write = routesOf(needs('admin'));
const forOwners = routesOf(owner);

/** The name of an IANA time zone. */
const timeZone = v.text({
  schema: {
    title: 'TimeZone',
    pattern: TIME_ZONE_PATTERN,
    description: 'Name of an IANA time zone, for example Europe/Berlin.',
    examples: ['Europe/Berlin'],
  },
  check: (name) =>
    timeZoneName(name) === undefined
      ? 'must be the name of an IANA time zone, for example Europe/Berlin.'
      : undefined,
});

const settingsBody = v.object(
  { default_country: v.nullable(country), time_zone: timeZone },
  { title: 'SettingsUpdate' },
);

const nameBody = v.object({ name: nameField }, { title: 'WorkspaceRename', required: ['name'] });

const settingsSchema = s.object('Settings', {
  name: s.string(),
  default_country: s.nullableString('Default country for phone numbers without a country code.'),
  time_zone: s.string(
    'The IANA time zone of the days and schedules of the workspace. `UTC` until an owner chooses one.',
  ),
  time_zone_chosen: s.boolean('Whether an owner has chosen the time zone.'),
});

export const settingsRoutes = {
  'GET /v1/settings': read({
    run: getSettings,
    summary: 'Get the settings',
    data: settingsSchema,
  }),

  'PATCH /v1/settings': write({
    run: updateSettings,
    summary: 'Update the settings',
    body: settingsBody,
    data: settingsSchema,
  }),

  'PATCH /dashboard/api/settings/name': forOwners({
    run: renameWorkspace,
    summary: 'Rename the workspace',
    description:
      'The name is unique, because people sign in with it if their email is in several workspaces.',
    body: nameBody,
    data: settingsSchema,
    errors: ['CONFLICT'],
  }),
};
