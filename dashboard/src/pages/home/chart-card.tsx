import { ChartColumn, Table } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { loadChunk } from '../../api/load-chunk.ts';
import { numberText } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { type Point, type Series, sumOf, tableDay } from './series.ts';

const Chart = lazy(() => loadChunk(() => import('./chart.tsx')));

/** Daily figures as a chart, or as a table. */
export const ChartCard = ({
  title,
  points,
  series,
  empty,
}: {
  readonly title: string;
  readonly points: readonly Point[];
  readonly series: readonly Series[];
  /** Shown if there is no data in the period. */
  readonly empty: ReactNode;
}) => {
  const [asTable, setAsTable] = useState(false);
  const shown = series.filter((each) => sumOf(points, each) > 0);
  const total = shown.reduce((sum, each) => sum + sumOf(points, each), 0);
  const change = asTable ? 'Show as chart' : 'Show as table';
  const hasLegend = series.length > 1;
  // A chart without a legend is taller, so that charts in a row have equal height.
  const height = hasLegend ? 'h-60 min-[160rem]:h-66' : 'h-60 xl:h-74';
  return (
    <Section
      title={title}
      description={`${numberText(total)} in the last ${points.length} days`}
      actions={
        total > 0 && (
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
      {total === 0 ? (
        <p className="grid h-40 place-items-center text-center text-sm text-muted">{empty}</p>
      ) : asTable ? (
        <DaysTable title={title} points={points} series={shown} />
      ) : (
        <>
          {hasLegend && <Legend points={points} series={shown} />}
          <Suspense fallback={<Skeleton className={height} />}>
            <Chart
              label={`${title}, bar chart by day. Use the arrow keys to move between days.`}
              points={points}
              series={shown}
              className={height}
            />
          </Suspense>
        </>
      )}
    </Section>
  );
};

const Legend = ({
  points,
  series,
}: {
  readonly points: readonly Point[];
  readonly series: readonly Series[];
}) => (
  <ul aria-label="Sources" className="mb-3 flex flex-wrap gap-x-4 gap-y-1 text-[0.8125rem]">
    {series.map((each) => (
      <li key={each.id} className="flex items-center gap-1.5">
        <span aria-hidden className="size-2.5 rounded-sm" style={{ background: each.color }} />
        <span className="text-muted">{each.label}</span>
        <span className="figure font-medium">{numberText(sumOf(points, each))}</span>
      </li>
    ))}
  </ul>
);

const DaysTable = ({
  title,
  points,
  series,
}: {
  readonly title: string;
  readonly points: readonly Point[];
  readonly series: readonly Series[];
}) => (
  <section
    aria-label={`${title}, table`}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
    tabIndex={0}
    className="max-h-72 overflow-auto rounded-lg border border-line"
  >
    <table className="w-full text-sm">
      <caption className="sr-only">{title}, newest day first</caption>
      <thead className="sticky top-0 bg-sunken text-xs text-muted">
        <tr>
          <th scope="col" className="px-3 py-2 text-start font-medium">
            Day
          </th>
          {series.map(({ id, label }) => (
            <th key={id} scope="col" className="px-3 py-2 text-end font-medium whitespace-nowrap">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {points.toReversed().map(({ day, values }) => (
          <tr key={day} className="border-t border-line">
            <th scope="row" className="px-3 py-1.5 text-start font-normal whitespace-nowrap">
              {tableDay(day)}
            </th>
            {series.map(({ id }) => (
              <td key={id} className="figure px-3 py-1.5 text-end">
                {numberText(values[id] ?? 0)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
