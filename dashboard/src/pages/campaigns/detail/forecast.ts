import type { Campaign, CampaignProgress } from '../../../api/types.gen.ts';
import { numberText, plural } from '../../../lib/i18n.ts';

/** A week, so that weekends count as they will in the days to come. */
const DAYS = 7;
/** Fewer results say little about the days to come. */
const MIN_RESULTS = 10;

/** The average of results on the last whole days, at most a week, since the first result; undefined without a basis. */
const paceOf = (days: CampaignProgress['days']): number | undefined => {
  const results = days.map(({ completed, failed }) => completed + failed);
  const first = results.findIndex((count) => count > 0);
  // Today is not over.
  const whole = first < 0 ? [] : results.slice(first, -1).slice(-DAYS);
  const sum = whole.reduce((total, count) => total + count, 0);
  return sum < MIN_RESULTS || sum < whole.length ? undefined : sum / whole.length;
};

/** How fast an active campaign is, and when it is done at this pace; undefined without a basis. */
export const forecastText = (
  days: CampaignProgress['days'],
  { status, enrolled }: Pick<Campaign, 'status' | 'enrolled'>,
): string | undefined => {
  const remaining = enrolled.pending + enrolled.in_progress;
  const pace = paceOf(days);
  if (status !== 'active' || remaining === 0 || pace === undefined) return undefined;
  return plural(
    Math.ceil(remaining / pace),
    'About {count} a day; done in about # day at this pace',
    'About {count} a day; done in about # days at this pace',
    { count: numberText(Math.round(pace)) },
  );
};
