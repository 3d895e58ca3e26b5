import type { CallSettings, Outcomes } from '../../../api/types.gen.ts';
import type { Point, Series } from '../../../app/charts/series.ts';
import { t } from '../../../lib/i18n.ts';
import { dispositionKeys } from '../../../records/calls/outcomes.ts';
import { dispositionText } from '../../../records/calls/settings.ts';

const colors = ['--chart-1', '--chart-2', '--chart-3', '--chart-4', '--chart-5'];
/** Not the key of a disposition. */
const OTHERS = '+';

/** The dispositions of each day. The most frequent ones have a color each, in the order of the settings. */
export const dispositionSeries = (
  { days, dispositions: sums, goals }: Pick<Outcomes, 'days' | 'dispositions' | 'goals'>,
  dispositions: CallSettings['dispositions'],
): { readonly series: Series[]; readonly points: Point[] } => {
  const keys = dispositionKeys(
    [{ dispositions: sums, goals }],
    dispositions.map(({ key }) => key),
  );
  const frequent = keys
    .toSorted((one, other) => (sums[other] ?? 0) - (sums[one] ?? 0))
    .slice(0, colors.length);
  const shown = keys.filter((key) => frequent.includes(key));
  const hidden = keys.filter((key) => !frequent.includes(key));
  const series = shown.map((key, at) => ({
    id: key,
    label: dispositionText(dispositions, key),
    color: `var(${colors[at]})`,
  }));
  const others = { id: OTHERS, label: t('Others'), color: 'var(--muted)' };
  const points = days.map(({ day, dispositions: counts }) => ({
    key: day,
    values: {
      ...Object.fromEntries(shown.map((key) => [key, counts[key] ?? 0])),
      ...(hidden.length > 0 && { [OTHERS]: hidden.reduce((sum, key) => sum + (counts[key] ?? 0), 0) }),
    },
  }));
  return { series: hidden.length > 0 ? [...series, others] : series, points };
};
