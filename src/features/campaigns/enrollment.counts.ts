import { countersInRange, prefixEnd, readCounters } from '../../db/counters.ts';
import type { Db } from '../../db/db.ts';
import {
  type EnrollmentReason,
  type EnrollmentStatus,
  enrollmentStatuses,
  type ProgressKind,
} from './campaign.schema.ts';

/** Enrolled contacts by status. */
export type Enrolled = Record<EnrollmentStatus, number>;

export const sumOf = (enrolled: Enrolled): number =>
  Object.values(enrolled).reduce((sum, count) => sum + count, 0);

/** The counter of the enrollments of a campaign with a status. */
const statusCounter = (campaign: string, status: EnrollmentStatus): string =>
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

/** What the counters of an enrollment depend on. */
export interface Counted {
  readonly status: EnrollmentStatus;
  readonly outcome: string | null;
  /** 1 if the outcome has a counter of its own. */
  readonly outcome_counted: number;
  readonly reason?: string | null;
}

const outcomePrefix = (campaign: string): string => `results@${campaign}/`;
const missingPrefix = (campaign: string): string => `missing@${campaign}/`;

/** All counters of an enrollment: its status, its outcome with that status, and the values that it waits for. */
export const countersOf = (
  campaign: string,
  { status, outcome, outcome_counted, reason }: Counted,
): string[] => {
  const holes = status === 'blocked' && reason ? (JSON.parse(reason) as EnrollmentReason).holes : [];
  return [
    statusCounter(campaign, status),
    ...(outcome === null
      ? []
      : [`${outcomePrefix(campaign)}${status}/${outcome_counted === 1 ? outcome : ''}`]),
    ...holes.map((hole) => missingPrefix(campaign) + hole),
  ];
};

/** How many outcomes of a campaign have counters of their own, because callers may report any text. A few more can have one if they are
 *  first reported at the same time. */
const MAX_OUTCOMES = 50;

type CountsByOutcome = Map<string, Partial<Enrolled>>;

/** The positive counters with a prefix, in the order of their names. */
const inPrefix = async (db: Db, workspace: number, prefix: string) => {
  const counters = await countersInRange(db, { workspace, from: prefix, end: prefixEnd(prefix) });
  return counters
    .filter(({ count }) => count > 0)
    .map(({ list, count }) => ({ name: list.slice(prefix.length), count }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
};

/** The enrollments with an outcome by outcome and status. The outcome '' is that of all without a counter of their own. */
const countOutcomes = async (db: Db, workspace: number, campaign: string): Promise<CountsByOutcome> => {
  const outcomes: CountsByOutcome = new Map();
  for (const { name, count } of await inPrefix(db, workspace, outcomePrefix(campaign))) {
    const [status = ''] = name.split('/', 1);
    const outcome = name.slice(status.length + 1);
    outcomes.set(outcome, { ...outcomes.get(outcome), [status]: count });
  }
  return outcomes;
};

/** Whether an outcome gets a counter of its own: one that is counted already, or another one while there are few. */
export const hasOwnCounter = async (
  db: Db,
  { workspace, campaign }: { workspace: number; campaign: string },
  outcome: string,
): Promise<boolean> => {
  const counted = await countOutcomes(db, workspace, campaign);
  counted.delete('');
  return counted.has(outcome) || counted.size < MAX_OUTCOMES;
};

/** The results of a campaign: its outcomes by status, the most frequent first and all others last, and the values that its blocked contacts lack. */
export const countResults = async (db: Db, workspace: number, campaign: string) => {
  const none = Object.fromEntries(enrollmentStatuses.map((status) => [status, 0])) as Enrolled;
  const counted = [...(await countOutcomes(db, workspace, campaign))];
  const outcomes = counted.map(([outcome, counts]) => ({ outcome: outcome || null, ...none, ...counts }));
  const total = ({ outcome, ...counts }: (typeof outcomes)[number]) => (outcome ? sumOf(counts) : 0);
  const missing = await inPrefix(db, workspace, missingPrefix(campaign));
  return {
    outcomes: outcomes.sort((one, other) => total(other) - total(one)),
    missing_values: missing
      .map(({ name, count }) => ({ name, contacts: count }))
      .sort((one, other) => other.contacts - one.contacts),
  };
};

/** What happened in a campaign is counted by hour in UTC, so that it can be summed up to the days of any time zone. The counters
 *  say what happened, so removing an enrollment does not change them. */
export const progressPrefix = (campaign: string): string => `progress@${campaign}/`;

/** The first 13 characters of a timestamp: `YYYY-MM-DDTHH`. */
export const hourOf = (at: string): string => at.slice(0, 13);

export const progressCounter = (campaign: string, at: string, kind: ProgressKind): string =>
  `${progressPrefix(campaign)}${hourOf(at)}/${kind}`;
