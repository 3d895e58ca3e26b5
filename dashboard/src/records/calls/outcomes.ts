import type { CallsOfVersion, GoalCounts } from '../../api/types.gen.ts';

/* What the counts of calls, dispositions and goals say. */

/** The service counts outcomes for as many days. */
export const MAX_OUTCOME_DAYS = 366;

export type CallSums = Pick<CallsOfVersion, 'calls' | 'timed_calls' | 'seconds' | 'statuses'>;

/** The completed calls, among those that ended. */
export const successShare = ({ statuses }: Pick<CallSums, 'statuses'>): Share => {
  const {
    completed = 0,
    busy = 0,
    no_answer = 0,
    canceled = 0,
    failed = 0,
  } = statuses as Partial<Record<string, number>>;
  return { count: completed, of: completed + busy + no_answer + canceled + failed };
};

/** The average duration of the calls that report one, in seconds. */
export const averageSeconds = ({ seconds, timed_calls }: CallSums): number | undefined =>
  timed_calls === 0 ? undefined : Math.round(seconds / timed_calls);

export interface Sums {
  readonly dispositions: Readonly<Record<string, number>>;
  readonly goals: Readonly<Record<string, GoalCounts>>;
}

/** A part of a whole. */
export interface Share {
  readonly count: number;
  readonly of: number;
}

export const rateOf = ({ count, of }: Share): number | undefined => (of === 0 ? undefined : count / of);

const reported = ({ dispositions }: Sums): number =>
  Object.values(dispositions).reduce((sum, count) => sum + count, 0);

/** The calls that reached a goal, among those that say whether they did. */
export const goalShare = ({ goals }: Sums, key: string): Share => {
  const { reached = 0, missed = 0 } = goals[key] ?? {};
  return { count: reached, of: reached + missed };
};

/** The calls with a disposition, among those that have one. */
export const dispositionShare = (sums: Sums, key: string): Share => ({
  count: sums.dispositions[key] ?? 0,
  of: reported(sums),
});

export const hasResults = (sums: Sums): boolean =>
  Object.keys(sums.dispositions).length > 0 || Object.keys(sums.goals).length > 0;

const weightOf = (all: readonly Sums[], key: string) =>
  all.reduce((sum, { goals }) => sum + (goals[key]?.reached ?? 0) + (goals[key]?.missed ?? 0), 0);

/** The goals that calls report, the most frequent ones first. */
export const goalKeys = (all: readonly Sums[]): string[] =>
  [...new Set(all.flatMap(({ goals }) => Object.keys(goals)))].sort(
    (one, other) => weightOf(all, other) - weightOf(all, one) || one.localeCompare(other),
  );

/** The dispositions that calls have, in the order of the settings. Others follow. */
export const dispositionKeys = (all: readonly Sums[], ordered: readonly string[]): string[] => {
  const used = new Set(all.flatMap(({ dispositions }) => Object.keys(dispositions)));
  return [
    ...ordered.filter((key) => used.has(key)),
    ...[...used].filter((key) => !ordered.includes(key)).sort(),
  ];
};

/** The difference of two rates in percentage points; undefined without both. */
export const difference = (one: Share, other: Share): number | undefined => {
  const [a, b] = [rateOf(one), rateOf(other)];
  return a === undefined || b === undefined ? undefined : Math.round((a - b) * 100);
};
