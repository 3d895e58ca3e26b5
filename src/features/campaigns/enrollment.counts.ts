import { readCounters } from '../../db/counters.ts';
import type { Db } from '../../db/db.ts';
import { type EnrollmentStatus, enrollmentStatuses } from './campaign.schema.ts';

/** Enrolled contacts by status, without those that have none. */
export type Enrolled = Partial<Record<EnrollmentStatus, number>>;

/** The counter of the enrollments of a campaign with a status. */
export const statusCounter = (campaign: string, status: EnrollmentStatus): string =>
  `enrollments@${campaign}/${status}`;

/** By the ids of the campaigns. */
export const countEnrolled = async (
  db: Db,
  workspace: number,
  campaigns: readonly string[],
): Promise<Map<string, Enrolled>> => {
  const lists = campaigns.flatMap((id) => enrollmentStatuses.map((status) => statusCounter(id, status)));
  const totals = await readCounters(db, workspace, lists);
  const enrolled = (id: string): Enrolled =>
    Object.fromEntries(
      enrollmentStatuses
        .map((status) => [status, totals.get(statusCounter(id, status)) ?? 0] as const)
        .filter(([, count]) => count > 0),
    );
  return new Map(campaigns.map((id) => [id, enrolled(id)]));
};
