import { Link, useNavigate } from '@tanstack/react-router';
import { ChartColumn, Table } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { loadChunk } from '../../api/load-chunk.ts';
import { numberText } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { dayLabels, type Labels, type Point, type Series, sumOf, type Target } from './series.ts';

/** Loaded with the page, while its figures are requested. */
const loading = loadChunk(() => import('./bar-chart.tsx'));
loading.catch(() => {});
const Chart = lazy(() => loading);

interface ChartCardProps {
  readonly title: string;
  readonly description: ReactNode;
  readonly points: readonly Point[];
  readonly series: readonly Series[];
  /** Shown if there is no data in the period. */
  readonly empty: ReactNode;
  /** The accessible name of the legend. Without it there is none. */
  readonly legend?: string;
  readonly labels?: Labels;
  /** The list behind a bar. */
  readonly targetOf?: (point: Point) => Target;
  /** The categories of the table begin with the last one. */
  readonly newestFirst?: boolean;
}

/** Figures as a chart, or as a table. */
export const ChartCard = ({
  title,
  description,
  points,
  series,
  empty,
  legend,
  labels = dayLabels,
  targetOf,
  newestFirst = true,
}: ChartCardProps) => {
  const [asTable, setAsTable] = useState(false);
  const navigate = useNavigate();
  const shown = series.filter((each) => sumOf(points, each) > 0);
  const isEmpty = shown.length === 0;
  const change = asTable ? t('Show as chart') : t('Show as table');
  return (
    <Section
      className="flex flex-col"
      title={title}
      description={description}
      actions={
        !isEmpty && (
          <Button
            variant="quiet"
            size="small"
            className="max-sm:-ml-2.5 sm:-mr-2"
            aria-label={`${change}: ${title}`}
            onClick={() => setAsTable(!asTable)}
          >
            {asTable ? <ChartColumn aria-hidden /> : <Table aria-hidden />}
            {change}
          </Button>
        )
      }
    >
      {isEmpty ? (
        <p className="grid h-40 place-items-center text-center text-sm text-muted">{empty}</p>
      ) : asTable ? (
        <PointsTable
          title={title}
          points={newestFirst ? points.toReversed() : points}
          series={shown}
          labels={labels}
          targetOf={targetOf}
        />
      ) : (
        <>
          {legend && <Legend label={legend} points={points} series={shown} />}
          {/* Fills the card, so that charts in a row end at the same height below legends of any length. */}
          <div className="relative min-h-60 grow min-[160rem]:min-h-66">
            <Suspense fallback={<Skeleton className="absolute inset-0" />}>
              <Chart
                label={t('{title}, bar chart. Use the arrow keys to move between the bars.', { title })}
                points={points}
                series={shown}
                labels={labels}
                onOpen={targetOf && ((point) => void navigate(targetOf(point)))}
              />
            </Suspense>
          </div>
        </>
      )}
    </Section>
  );
};

const Legend = ({
  label,
  points,
  series,
}: {
  readonly label: string;
  readonly points: readonly Point[];
  readonly series: readonly Series[];
}) => (
  <ul aria-label={label} className="mb-3 flex flex-wrap gap-x-4 gap-y-1 text-[0.8125rem]">
    {series.map((each) => (
      <li key={each.id} className="flex items-center gap-1.5">
        <span aria-hidden className="size-2.5 rounded-sm" style={{ background: each.color }} />
        <span className="text-muted">{each.label}</span>
        <span className="figure font-medium">{numberText(sumOf(points, each))}</span>
      </li>
    ))}
  </ul>
);

const PointsTable = ({
  title,
  points,
  series,
  labels,
  targetOf,
}: {
  readonly title: string;
  readonly points: readonly Point[];
  readonly series: readonly Series[];
  readonly labels: Labels;
  readonly targetOf: ChartCardProps['targetOf'];
}) => (
  <section
    aria-label={t('{title}, table', { title })}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
    tabIndex={0}
    className="max-h-72 overflow-auto rounded-lg border border-line"
  >
    <table className="w-full text-sm">
      <caption className="sr-only">{title}</caption>
      <thead className="sticky top-0 bg-sunken text-xs text-muted">
        <tr>
          <th scope="col" className="px-3 py-2 text-start font-medium">
            {labels.header}
          </th>
          {series.map(({ id, label }) => (
            <th key={id} scope="col" className="px-3 py-2 text-end font-medium whitespace-nowrap">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {points.map((point) => (
          <tr key={point.key} className="border-t border-line">
            <th scope="row" className="px-3 py-1.5 text-start font-normal whitespace-nowrap">
              {targetOf && series.some(({ id }) => point.values[id]) ? (
                <Link {...targetOf(point)} className="rounded text-accent-ink hover:underline">
                  {labels.table(point.key)}
                </Link>
              ) : (
                labels.table(point.key)
              )}
            </th>
            {series.map(({ id }) => (
              <td key={id} className="figure px-3 py-1.5 text-end">
                {numberText(point.values[id] ?? 0)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
