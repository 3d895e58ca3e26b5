import type { Figures } from '../../api/types.gen.ts';
import { dayText } from '../../app/charts/series.ts';
import { locale, plural, t } from '../../lib/i18n.ts';
import type { Compared } from './series.ts';

const percent = new Intl.NumberFormat(locale, {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
});
const signed = new Intl.NumberFormat(locale, { signDisplay: 'exceptZero' });
const points = new Intl.NumberFormat(locale, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });

/** The difference to the period before. Without a value there, a percentage has no meaning. */
export const changeText = ({ now, before }: Compared): string => {
  if (now === before) return t('no change');
  const difference = signed.format(now - before);
  return before === 0 ? difference : `${difference} (${percent.format((now - before) / before)})`;
};

/** The difference of two shares, in percentage points. */
export const shareChangeText = (now: number, before: number): string =>
  Math.abs(now - before) < 0.0005
    ? t('no change')
    : t('{difference} points', { difference: points.format((now - before) * 100) });

const DAY_MS = 86_400_000;

/** Whether the other period has as many days and ends the day before. */
const isBefore = ({ from, days, previous }: Figures): boolean => {
  const [first, start, end] = [from, previous.from, previous.to].map((day) => Date.parse(day)) as [
    number,
    number,
    number,
  ];
  return end + DAY_MS === first && start + days.length * DAY_MS === first;
};

/** A difference to the period before. */
export const Change = ({ text, figures }: { readonly text: string; readonly figures: Figures }) => {
  const { days, previous } = figures;
  const period = { from: dayText(previous.from), to: dayText(previous.to) };
  // A calendar month is not compared with as many days immediately before it.
  if (!isBefore(figures)) return t('{change} vs. {from} – {to}', { change: text, ...period });
  return (
    <span title={t('Compared with {from} – {to}', period)}>
      {plural(days.length, '{change} vs. the day before', '{change} vs. the # days before', { change: text })}
    </span>
  );
};
