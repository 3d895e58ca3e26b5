import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Figures } from '../../api/types.gen.ts';
import type { Target } from '../../app/charts/series.ts';
import { numberText } from '../../lib/format.ts';
import { locale, plural, t } from '../../lib/i18n.ts';
import { cx } from '../../ui/cx.ts';
import { Skeleton } from '../../ui/states.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { Change, changeText, shareChangeText } from './change.tsx';
import { type Compared, compare } from './series.ts';

const Stat = ({
  to,
  label,
  children,
  aside,
  change,
}: {
  readonly to: Target;
  readonly label: string;
  readonly children: ReactNode;
  readonly aside: ReactNode;
  readonly change?: ReactNode;
}) => (
  <Link {...to} className="card block p-4 transition-colors hover:border-control">
    <div className="text-[0.8125rem] text-muted">{label}</div>
    <div className="figure mt-0.5 text-2xl/8 font-semibold tracking-tight">{children}</div>
    <div className="figure text-[0.8125rem] text-muted">{aside}</div>
    {change && <div className="figure text-[0.8125rem] text-muted">{change}</div>}
  </Link>
);

const grid = 'mb-5 grid grid-cols-2 gap-3 sm:grid-cols-3 2xl:grid-cols-6';
const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
const all = (to: string): Target => ({ to, search: {} });

/** Text of a tile: what was added in the period. */
const inPeriod = ({ now }: Compared, figures: Figures) =>
  plural(figures.days.length, '{count} in # day', '{count} in # days', { count: now });

/** The totals, each linked to its list. */
export const Stats = ({ figures }: { readonly figures: Figures | undefined }) => {
  if (!figures)
    return (
      <div className={grid}>
        {['contacts', 'calls', 'rate', 'agents', 'channels', 'campaigns'].map((each) => (
          <Skeleton key={each} className="h-30 rounded-xl" />
        ))}
      </div>
    );
  const compared = compare(figures);
  const difference = (of: Compared) => <Change text={changeText(of)} figures={figures} />;
  return (
    <div className={grid}>
      <Stat
        to={all('/contacts')}
        label={t('Contacts')}
        aside={inPeriod(compared.contacts, figures)}
        change={difference(compared.contacts)}
      >
        {numberText(figures.contacts)}
      </Stat>
      <Stat
        to={all('/calls')}
        label={t('Calls')}
        aside={inPeriod(compared.calls, figures)}
        change={difference(compared.calls)}
      >
        {numberText(figures.calls)}
      </Stat>
      <SuccessRate figures={figures} />
      <Stat
        to={all('/agents')}
        label={t('Deployed agents')}
        aside={t('of {total}', { total: figures.agents })}
      >
        {numberText(figures.active_agents)}
      </Stat>
      <Stat
        to={all('/channels')}
        label={t('Connected channels')}
        aside={t('of {total}', { total: figures.channels })}
      >
        {numberText(figures.connected_channels)}
      </Stat>
      <Stat
        to={all('/campaigns')}
        label={t('Active campaigns')}
        aside={t('of {total}', { total: figures.campaigns })}
      >
        {numberText(figures.active_campaigns)}
      </Stat>
    </div>
  );
};

const SuccessRate = ({ figures }: { readonly figures: Figures }) => {
  const { completed, unsuccessful } = compare(figures);
  const ended = { now: completed.now + unsuccessful.now, before: completed.before + unsuccessful.before };
  const share = (part: number, whole: number) => (whole === 0 ? undefined : part / whole);
  const now = share(completed.now, ended.now);
  const before = share(completed.before, ended.before);
  const definition = t(
    'Completed calls and messages, divided by all that ended: completed, busy, no answer, canceled or failed.',
  );
  return (
    <Tooltip text={definition}>
      <Link
        to="/calls"
        search={{ date: `${figures.from}..${figures.to}`, status: 'completed' }}
        className={cx('card block p-4 transition-colors hover:border-control')}
      >
        <div className="text-[0.8125rem] text-muted underline decoration-dotted underline-offset-3">
          {t('Success rate')}
        </div>
        <div className="figure mt-0.5 text-2xl/8 font-semibold tracking-tight">
          {now === undefined ? '–' : percent.format(now)}
        </div>
        <div className="figure text-[0.8125rem] text-muted">
          {ended.now === 0
            ? t('No call has ended')
            : t('{completed} of {ended} ended', { completed: completed.now, ended: ended.now })}
        </div>
        {now !== undefined && before !== undefined && (
          <div className="figure text-[0.8125rem] text-muted">
            <Change text={shareChangeText(now, before)} figures={figures} />
          </div>
        )}
        <span className="sr-only">{definition}</span>
      </Link>
    </Tooltip>
  );
};
