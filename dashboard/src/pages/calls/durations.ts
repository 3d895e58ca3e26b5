import { t } from '../../lib/i18n.ts';

/** A range of durations in seconds: `from` is part of it, `below` is not. */
export interface DurationRange {
  readonly from: number;
  readonly below: number | null;
}

/** The ranges that charts show and the filter offers. */
export const durationRanges: readonly DurationRange[] = [15, 30, 60, 120, 300, 600].flatMap(
  (limit, at, limits) => [
    { from: limits[at - 1] ?? 0, below: limit },
    ...(at === limits.length - 1 ? [{ from: limit, below: null }] : []),
  ],
);

const boundText = (seconds: number): string =>
  seconds < 60 || seconds % 60 !== 0
    ? t('{count} s', { count: seconds })
    : t('{count} min', { count: seconds / 60 });

/** `15 s – 30 s`, `10 min or more`. */
export const durationLabel = ({ from, below }: DurationRange): string =>
  below === null
    ? t('{time} or more', { time: boundText(from) })
    : from === 0
      ? t('below {time}', { time: boundText(below) })
      : `${boundText(from)} – ${boundText(below)}`;

/** The same in less space: `0–15 s`, `10+ min`. */
export const shortDuration = ({ from, below }: DurationRange): string => {
  const unit = (below ?? from) > 60 ? 60 : 1;
  const count = below === null ? `${from / unit}+` : `${from / unit}–${below / unit}`;
  return unit === 60 ? t('{count} min', { count }) : t('{count} s', { count });
};

/** The range in an address: `15..30`, `600..`. */
export const durationParam = ({ from, below }: DurationRange): string => `${from}..${below ?? ''}`;

/** Undefined if the text is no range. */
export const durationIn = (text: string): DurationRange | undefined => {
  const [, from = '', below = ''] = /^(\d{1,7})\.\.(\d{1,7})?$/.exec(text) ?? [];
  if (from === '' || (below !== '' && Number(below) <= Number(from))) return undefined;
  return { from: Number(from), below: below === '' ? null : Number(below) };
};
