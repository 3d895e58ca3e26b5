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

/** A difference to the period before. */
export const Change = ({ text, figures }: { readonly text: string; readonly figures: Figures }) => {
  const { days, previous } = figures;
  const period = { from: dayText(previous.from), to: dayText(previous.to) };
  return (
    <span title={t('Compared with {from} – {to}', period)}>
      {plural(days.length, '{change} vs. the day before', '{change} vs. the # days before', { change: text })}
    </span>
  );
};
