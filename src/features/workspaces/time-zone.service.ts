import type { Db } from '../../db/db.ts';
import { read, write } from '../../db/operation.ts';
import { statementsOver } from '../../db/statement.ts';
import { notFound } from '../../lib/errors.ts';
import { timeZoneName } from '../../lib/time-zone.ts';
import { change } from '../../records/change.ts';
import type { Principal } from './principal.ts';

const DEFAULT_TIME_ZONE = 'UTC';

const statement = statementsOver<{ workspaces: { id: number; time_zone: string | null } }>();

const findTimeZone = statement((query, { workspace }: { workspace: number }) =>
  query.selectFrom('workspaces').select('time_zone').where('id', '=', workspace),
);
const setTimeZone = statement((query, { workspace, time_zone }: { workspace: number; time_zone: string }) =>
  query.updateTable('workspaces').set({ time_zone }).where('id', '=', workspace),
);

export interface WorkspaceTimeZone {
  time_zone: string;
  /** Whether an owner has chosen the zone; otherwise it is the default. */
  chosen: boolean;
}

export const getTimeZone = read(
  'getTimeZone',
  async (db: Db, { workspace }: Principal): Promise<WorkspaceTimeZone> => {
    const found = await db.get(findTimeZone, { workspace });
    if (!found) throw notFound('workspace');
    return { time_zone: found.time_zone ?? DEFAULT_TIME_ZONE, chosen: found.time_zone !== null };
  },
);

/** The time zone of the days of a workspace. */
export const timeZoneOf = async (db: Db, principal: Principal): Promise<string> =>
  (await getTimeZone(db, principal)).time_zone;

export const updateTimeZone = write(
  'updateTimeZone',
  async (db: Db, principal: Principal, input: { time_zone: string }): Promise<WorkspaceTimeZone> => {
    const time_zone = timeZoneName(input.time_zone) ?? DEFAULT_TIME_ZONE;
    await db.run(setTimeZone, { workspace: principal.workspace, time_zone });
    change(db, principal, { action: 'settings.updated', fields: ['time_zone'] });
    return { time_zone, chosen: true };
  },
);
