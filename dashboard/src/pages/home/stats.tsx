import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Figures } from '../../api/types.gen.ts';
import { numberText } from '../../lib/format.ts';
import { cx } from '../../ui/cx.ts';
import { Skeleton } from '../../ui/states.tsx';
import { callPoints, callSeries, contactPoints, type Point, type Series, sources, sumOf } from './series.ts';

const Stat = ({
  to,
  label,
  children,
  aside,
  className,
}: {
  readonly to: string;
  readonly label: string;
  readonly children: ReactNode;
  readonly aside: ReactNode;
  readonly className?: string;
}) => (
  <Link to={to} className={cx('card block p-4 transition-colors hover:border-control', className)}>
    <div className="text-[0.8125rem] text-muted">{label}</div>
    <div className="figure mt-0.5 text-2xl/8 font-semibold tracking-tight">{children}</div>
    <div className="figure text-[0.8125rem] text-muted">{aside}</div>
  </Link>
);

const recentTotal = (points: readonly Point[], series: readonly Series[]): string =>
  `${numberText(series.reduce((sum, each) => sum + sumOf(points, each), 0))} in ${points.length} days`;

const grid = 'mb-5 grid grid-cols-2 gap-3 lg:grid-cols-5';

/** The totals, each linked to its list. */
export const Stats = ({ figures }: { readonly figures: Figures | undefined }) => {
  if (!figures)
    return (
      <div className={grid}>
        {['contacts', 'calls', 'agents', 'channels', 'campaigns'].map((each, index) => (
          <Skeleton key={each} className={cx('h-26 rounded-xl', index === 0 && 'max-lg:col-span-2')} />
        ))}
      </div>
    );
  return (
    <div className={grid}>
      <Stat
        to="/contacts"
        label="Contacts"
        aside={recentTotal(contactPoints(figures), sources)}
        className="max-lg:col-span-2"
      >
        {numberText(figures.contacts)}
      </Stat>
      <Stat to="/calls" label="Calls" aside={recentTotal(callPoints(figures), callSeries)}>
        {numberText(figures.calls)}
      </Stat>
      <Stat to="/agents" label="Deployed agents" aside={`of ${numberText(figures.agents)}`}>
        {numberText(figures.active_agents)}
      </Stat>
      <Stat to="/channels" label="Connected channels" aside={`of ${numberText(figures.channels)}`}>
        {numberText(figures.connected_channels)}
      </Stat>
      <Stat to="/campaigns" label="Active campaigns" aside={`of ${numberText(figures.campaigns)}`}>
        {numberText(figures.active_campaigns)}
      </Stat>
    </div>
  );
};
