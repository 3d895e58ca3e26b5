import { readCounters } from '../../db/counters.ts';
import type { Db } from '../../db/db.ts';
import { type EnrollmentStatus, enrollmentStatuses } from './campaign.schema.ts';

/** How many contacts are enrolled, by status; empty statuses are left out. */
export type Enrolled = Partial<Record<EnrollmentStatus, number>>;

/** The name under which the enrollments of a campaign are counted that have a status. */
export const listOfStatus = (campaign: string, status: EnrollmentStatus): string =>
  `enrollments@${campaign}/${status}`;

/** How many contacts are enrolled in some campaigns, by the ids of the campaigns. */
export const countEnrolled = async (
  db: Db,
  workspace: number,
  campaigns: readonly string[],
): Promise<Map<string, Enrolled>> => {
  const lists = campaigns.flatMap((id) => enrollmentStatuses.map((status) => listOfStatus(id, status)));
  const totals = await readCounters(db, workspace, lists);
  const enrolled = (id: string): Enrolled =>
    Object.fromEntries(
      enrollmentStatuses
        .map((status) => [status, totals.get(listOfStatus(id, status)) ?? 0] as const)
        .filter(([, count]) => count > 0),
    );
  return new Map(campaigns.map((id) => [id, enrolled(id)]));
};
