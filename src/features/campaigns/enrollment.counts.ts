import { readCounters } from '../../db/counters.ts';
import type { Db } from '../../db/db.ts';
import { type EnrollmentStatus, enrollmentStatuses, type ProgressKind } from './campaign.schema.ts';

/** Enrolled contacts by status. */
export type Enrolled = Record<EnrollmentStatus, number>;

export const sumOf = (enrolled: Enrolled): number =>
  Object.values(enrolled).reduce((sum, count) => sum + count, 0);

/** The counter of the enrollments of a campaign with a status. */
export const statusCounter = (campaign: string, status: EnrollmentStatus): string =>
  `enrollments@${campaign}/${status}`;

/** The counts of each of the campaigns, by its id. */
export const countEnrolled = async (
  db: Db,
  workspace: number,
  campaigns: readonly string[],
): Promise<(id: string) => Enrolled> => {
  const lists = campaigns.flatMap((id) => enrollmentStatuses.map((status) => statusCounter(id, status)));
  const totals = await readCounters(db, workspace, lists);
  return (id) =>
    Object.fromEntries(
      enrollmentStatuses.map((status) => [status, totals.get(statusCounter(id, status)) ?? 0]),
    ) as Enrolled;
};

/** What happened in a campaign is counted by hour in UTC, so that it can be summed up to the days of any time zone. The counters
 *  say what happened, so removing an enrollment does not change them. */
export const progressPrefix = (campaign: string): string => `progress@${campaign}/`;

/** The first 13 characters of a timestamp: `YYYY-MM-DDTHH`. */
export const hourOf = (at: string): string => at.slice(0, 13);

export const progressCounter = (campaign: string, at: string, kind: ProgressKind): string =>
  `${progressPrefix(campaign)}${hourOf(at)}/${kind}`;
