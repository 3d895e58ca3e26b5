export interface Retention {
  /** How many of the newest backups to keep. */
  readonly count: number | undefined;
  /** Keep backups that are not older than this. */
  readonly days: number | undefined;
}

const DAY_MS = 86_400_000;

/** The backups to delete, of a list from the newest to the oldest. With both limits, a backup stays if one of them keeps it.
 *  The newest backup always stays. */
export const expired = <T extends { readonly created_at: string }>(
  newestFirst: readonly T[],
  { count, days }: Retention,
  now: number,
): T[] => {
  if (count === undefined && days === undefined) return [];
  const oldest = days === undefined ? Number.POSITIVE_INFINITY : now - days * DAY_MS;
  return newestFirst.filter(
    ({ created_at }, at) => at >= Math.max(1, count ?? 0) && Date.parse(created_at) < oldest,
  );
};
