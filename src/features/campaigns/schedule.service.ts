import type { Db } from '../../db/db.ts';
import { read, write } from '../../db/operation.ts';
import { timestamp, timestampAfter } from '../../lib/clock.ts';
import { conflict, invalid } from '../../lib/errors.ts';
import { assertIfMatch, type IfMatch, withEtag } from '../../lib/etag.ts';
import { changedFields } from '../../records/change.ts';
import type { Principal } from '../workspaces/principal.ts';
import { timeZoneOf } from '../workspaces/settings.service.ts';
import { cancelJobs, ENDING, STARTING, startJob, ZONES } from './campaign.jobs.ts';
import { findCampaign, lockCampaign, recordScheduleChange, scheduleOf } from './campaign.service.ts';
import * as store from './campaign.store.ts';
import { assertDispositions, parseRules } from './retry.service.ts';
import { type ScheduleUpdate, scheduleUpdate } from './schedule.schema.ts';

export const getCampaignSchedule = read(
  'getCampaignSchedule',
  async (db, principal: Principal, { id }: { id: string }) =>
    scheduleOf(await findCampaign(db, principal, id), await timeZoneOf(db, principal)),
);

const PAST = {
  starts_at: 'must be in the future. To start the campaign now, set its status to active.',
  ends_at: 'must be in the future. To end the campaign now, set its status to finished.',
};

/** A time that the caller leaves as it is may be over. */
const assertPossible = (before: store.Campaign, sent: ScheduleUpdate): void => {
  const now = timestamp();
  const past = (['starts_at', 'ends_at'] as const).filter((name) => {
    const at = sent[name] ?? null;
    return at !== null && at !== before[name] && at <= now;
  });
  if (past.length > 0) throw invalid(past.map((field) => ({ field, message: PAST[field] })));
  if (before.status === 'finished')
    throw conflict('This campaign has finished, so its schedule cannot be changed.');
  if (before.status === 'active' && sent.starts_at && sent.starts_at !== before.starts_at)
    throw conflict(
      'This campaign is already active, so it cannot start later. Pause it first, or leave starts_at as it was.',
    );
};

const msUntil = (at: string): number => Math.max(0, Date.parse(at) - Date.now());

const scheduleOrCancel = (db: Db, row: store.Campaign, kind: string, at: string | null): Promise<void> =>
  at === null ? cancelJobs(db, row, kind) : startJob(db, row, kind, msUntil(at));

const NAMES = Object.keys(scheduleUpdate.fields) as (keyof ScheduleUpdate)[];

/** Replaces the schedule. Omitted fields are cleared. */
export const updateCampaignSchedule = write(
  'updateCampaignSchedule',
  async (
    db,
    principal: Principal,
    { id, match, ...fields }: ScheduleUpdate & { id: string; match?: IfMatch },
  ) => {
    const before = await lockCampaign(db, principal, id);
    const time_zone = await timeZoneOf(db, principal);
    assertIfMatch('schedule', withEtag(scheduleOf(before, time_zone)).etag, match);
    assertPossible(before, fields);
    const { starts_at = null, ends_at = null, max_attempts = null, min_retry_minutes = null } = fields;
    const call_window = fields.call_window ? JSON.stringify(fields.call_window) : null;
    const rules = fields.retry_rules ?? [];
    await assertDispositions(db, principal, rules, parseRules(before.retry_rules));
    const retry_rules = rules.length > 0 ? JSON.stringify(rules) : null;
    const needsZones = call_window !== null && before.call_window === null;
    const row = {
      ...before,
      starts_at,
      ends_at,
      start_state: starts_at === before.starts_at ? before.start_state : null,
      call_window,
      max_attempts,
      min_retry_minutes,
      retry_rules,
      zones_after: needsZones ? '' : call_window === null ? null : before.zones_after,
      updated_at: timestampAfter(before.updated_at),
    };
    const changed = changedFields(before, row, NAMES);
    if (changed.length === 0) return scheduleOf(before, time_zone);
    await db.run(store.updateSchedule, row);
    const values = { before: scheduleOf(before, time_zone), after: scheduleOf(row, time_zone) };
    await recordScheduleChange(db, principal, row.id, { fields: changed, values });
    if (changed.includes('starts_at')) await scheduleOrCancel(db, row, STARTING, starts_at);
    if (changed.includes('ends_at')) await scheduleOrCancel(db, row, ENDING, ends_at);
    if (needsZones) await startJob(db, row, ZONES);
    else if (call_window === null) await cancelJobs(db, row, ZONES);
    return scheduleOf(row, time_zone);
  },
);
