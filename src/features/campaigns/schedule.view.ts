import type { CallWindow } from './call-window.ts';
import type { ScheduleColumns } from './campaign.store.ts';

/** A schedule as the API shows it. */
export const scheduleOf = (row: ScheduleColumns & { id: string }, time_zone: string) => ({
  campaign_id: row.id,
  starts_at: row.starts_at,
  start_status: row.starts_at === null ? null : (row.start_state ?? ('scheduled' as const)),
  ends_at: row.ends_at,
  call_window: row.call_window === null ? null : (JSON.parse(row.call_window) as CallWindow),
  max_attempts: row.max_attempts,
  min_retry_minutes: row.min_retry_minutes,
  time_zone,
});

export type CampaignSchedule = ReturnType<typeof scheduleOf>;
