import { type KeyboardEvent, useEffect, useRef } from 'react';
import { Bar, BarChart, CartesianGrid, Tooltip, type TooltipContentProps, XAxis, YAxis } from 'recharts';
import { numberText } from '../../lib/format.ts';
import { locale, t } from '../../lib/i18n.ts';
import { cx } from '../../ui/cx.ts';
import { countTicks, type Labels, type Point, type Series } from './series.ts';

const compact = new Intl.NumberFormat(locale, { notation: 'compact' });
const tick = { fill: 'var(--muted)', fontSize: '0.75rem' };
const margin = { top: 8, right: 4, bottom: 0, left: 0 };

export interface ChartProps {
  /** The accessible name of the chart. */
  readonly label: string;
  readonly points: readonly Point[];
  readonly series: readonly Series[];
  readonly labels: Labels;
  /** Opens the list behind a bar. */
  readonly onOpen?: ((point: Point) => void) | undefined;
}

const ChartTooltip = ({
  active,
  payload,
  series,
  labels,
  hint,
  onShow,
}: TooltipContentProps &
  Pick<ChartProps, 'series' | 'labels'> & {
    readonly hint: boolean;
    readonly onShow: (point: Point | undefined) => void;
  }) => {
  const point = payload[0]?.payload as Point | undefined;
  useEffect(() => onShow(active ? point : undefined));
  if (!active || !point) return null;
  const shown = series.filter(({ id }) => point.values[id]);
  const total = shown.reduce((sum, { id }) => sum + (point.values[id] ?? 0), 0);
  return (
    <div
      role="status"
      className="min-w-40 rounded-lg border border-line bg-surface px-3 py-2 text-[0.8125rem] shadow-float"
    >
      <p className="mb-1 font-medium">{labels.full(point.key)}</p>
      {total === 0 && <p className="text-muted">{t('None')}</p>}
      {/* In stacking order, topmost first. */}
      {shown.toReversed().map(({ id, label, color }) => (
        <p key={id} className="flex items-center gap-2">
          <span aria-hidden className="size-2 shrink-0 rounded-sm" style={{ background: color }} />
          <span className="flex-1 text-muted">{label}</span>
          <span className="figure">{numberText(point.values[id] ?? 0)}</span>
        </p>
      ))}
      {shown.length > 1 && (
        <p className="mt-1 flex justify-between gap-4 border-t border-line pt-1">
          <span className="text-muted">{t('Total')}</span>
          <span className="figure font-medium">{numberText(total)}</span>
        </p>
      )}
      {hint && total > 0 && (
        <p className="mt-1 text-xs text-muted">{t('Click or press Enter to list them')}</p>
      )}
    </div>
  );
};

/** A bar for each category, as large as the positioned element around it. The arrow keys move between the bars while the chart has the focus, and Enter opens one. */
const Chart = ({ label, points, series, labels, onOpen }: ChartProps) => {
  const shown = useRef<Point | undefined>(undefined);
  const ticks = countTicks(points, series);
  const open = () => shown.current && onOpen?.(shown.current);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the chart inside has the focus
    <div className="absolute inset-0" onKeyDown={(event: KeyboardEvent) => event.key === 'Enter' && open()}>
      <BarChart
        responsive
        accessibilityLayer
        data={points}
        margin={margin}
        barCategoryGap="18%"
        aria-label={label}
        onClick={open}
        className={cx(
          'size-full [&_.recharts-surface]:rounded-lg [&_.recharts-surface]:outline-offset-2',
          onOpen && '[&_.recharts-surface]:cursor-pointer',
        )}
      >
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          dataKey="key"
          tickFormatter={labels.axis}
          tick={tick}
          tickLine={false}
          axisLine={{ stroke: 'var(--line)' }}
          tickMargin={6}
          minTickGap={10}
          interval="equidistantPreserveStart"
        />
        <YAxis
          ticks={ticks}
          domain={[0, ticks.at(-1) ?? 1]}
          interval={0}
          tickFormatter={(value: number) => compact.format(value)}
          tick={tick}
          tickLine={false}
          axisLine={false}
          width="auto"
        />
        <Tooltip
          cursor={{ fill: 'var(--sunken)' }}
          content={(props) => (
            <ChartTooltip
              {...props}
              series={series}
              labels={labels}
              hint={onOpen !== undefined}
              onShow={(point) => {
                shown.current = point;
              }}
            />
          )}
          wrapperStyle={{ zIndex: 10 }}
        />
        {series.map(({ id, label: name, color }) => (
          <Bar
            key={id}
            dataKey={({ values }: Point) => values[id] ?? 0}
            name={name}
            stackId="all"
            fill={color}
            maxBarSize={36}
            isAnimationActive={false}
          />
        ))}
      </BarChart>
    </div>
  );
};

export default Chart;
