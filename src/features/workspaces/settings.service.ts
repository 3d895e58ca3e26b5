import { sql } from 'kysely';
import type { Db } from '../../db/db.ts';
import { read, write } from '../../db/operation.ts';
import { statement } from '../../db/statement.ts';
import { conflict, existing } from '../../lib/errors.ts';
import { timeZoneName } from '../../lib/time-zone.ts';
import { change } from '../../records/change.ts';
import type { Principal } from './principal.ts';
import { DEFAULT_WORKSPACE } from './workspace.store.ts';

type Settings = { name: string; default_country: string | null; time_zone: string | null };

export const DEFAULT_TIME_ZONE = 'UTC';

const findSettings = statement(
  ({ workspace }: { workspace: number }) =>
    sql<Settings>`select name, default_country, time_zone from workspaces where id = ${workspace}`,
);
const setCountry = statement(
  ({ workspace, country }: { workspace: number; country: string | null }) =>
    sql<never>`update workspaces set default_country = ${country} where id = ${workspace}`,
);
const setTimeZone = statement(
  ({ workspace, time_zone }: { workspace: number; time_zone: string }) =>
    sql<never>`update workspaces set time_zone = ${time_zone} where id = ${workspace}`,
);

/** Only the workspace that the service set up may be called `default`: commands without `--workspace` act on that name. */
const setName = statement(
  ({ workspace, name }: { workspace: number; name: string }) => sql<never>`
    update workspaces set name = ${name}
    where id = ${workspace} and (${name} <> ${sql.lit(DEFAULT_WORKSPACE)} or is_default = 1 or name = ${name})
    and not exists (select 1 from workspaces as others where others.name = ${name} and others.id <> ${workspace})`,
);

export const getSettings = read('getSettings', async (db, { workspace }: Pick<Principal, 'workspace'>) => {
  const found = existing('workspace', await db.get(findSettings, { workspace }));
  const { name, default_country, time_zone } = found;
  return {
    name,
    default_country,
    time_zone: time_zone ?? DEFAULT_TIME_ZONE,
    time_zone_chosen: time_zone !== null,
  };
});

/** The time zone of the days of a workspace. */
export const timeZoneOf = async (db: Db, principal: Pick<Principal, 'workspace'>): Promise<string> =>
  (await getSettings(db, principal)).time_zone;

export const updateSettings = write(
  'updateSettings',
  async (db, principal: Principal, fields: { default_country?: string | null; time_zone?: string }) => {
    const { workspace } = principal;
    const { default_country: country, time_zone } = fields;
    const before = await getSettings(db, principal);
    if (country !== undefined) await db.run(setCountry, { workspace, country });
    if (time_zone !== undefined)
      await db.run(setTimeZone, { workspace, time_zone: timeZoneName(time_zone) ?? DEFAULT_TIME_ZONE });
    const changed = Object.keys(fields);
    const after = await getSettings(db, principal);
    const values = { before, after };
    if (changed.length > 0) change(db, principal, { action: 'settings.updated', fields: changed, values });
    return after;
  },
);

export const renameWorkspace = write(
  'renameWorkspace',
  async (db, principal: Principal, { name }: { name: string }) => {
    const { workspace } = principal;
    const before = await getSettings(db, principal);
    if ((await db.run(setName, { workspace, name })) === 0)
      throw conflict('This name is not available. Choose another one.');
    const after = { ...before, name };
    change(db, principal, { action: 'settings.updated', fields: ['name'], values: { before, after } });
    return after;
  },
);
