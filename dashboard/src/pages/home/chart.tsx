import { Bar, BarChart, CartesianGrid, Tooltip, type TooltipContentProps, XAxis, YAxis } from 'recharts';
import { numberText } from '../../lib/format.ts';
import { cx } from '../../ui/cx.ts';
import { longDay, type Point, type Series, shortDay } from './series.ts';

const compact = new Intl.NumberFormat('en', { notation: 'compact' });
const tick = { fill: 'var(--muted)', fontSize: '0.75rem' };
const margin = { top: 8, right: 4, bottom: 0, left: 0 };

export interface ChartProps {
  /** The accessible name of the chart. */
  readonly label: string;
  readonly points: readonly Point[];
  readonly series: readonly Series[];
  /** Sets the height. */
  readonly className: string;
}

const ChartTooltip = ({ active, payload, series }: TooltipContentProps & Pick<ChartProps, 'series'>) => {
  const point = payload[0]?.payload as Point | undefined;
  if (!active || !point) return null;
  const shown = series.filter(({ id }) => point.values[id]);
  const total = shown.reduce((sum, { id }) => sum + (point.values[id] ?? 0), 0);
  return (
    <div
      role="status"
      className="min-w-40 rounded-lg border border-line bg-surface px-3 py-2 text-[0.8125rem] shadow-float"
    >
      <p className="mb-1 font-medium">{longDay(point.day)}</p>
      {total === 0 && <p className="text-muted">None</p>}
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
          <span className="text-muted">Total</span>
          <span className="figure font-medium">{numberText(total)}</span>
        </p>
      )}
    </div>
  );
};

/** A bar for each day. The arrow keys move between days while the chart has the focus. */
const Chart = ({ label, points, series, className }: ChartProps) => (
  <BarChart
    responsive
    accessibilityLayer
    data={points}
    margin={margin}
    barCategoryGap="18%"
    aria-label={label}
    className={cx(
      'w-full [&_.recharts-surface]:rounded-lg [&_.recharts-surface]:outline-offset-2',
      className,
    )}
  >
    <CartesianGrid vertical={false} stroke="var(--line)" />
    <XAxis
      dataKey="day"
      tickFormatter={shortDay}
      tick={tick}
      tickLine={false}
      axisLine={{ stroke: 'var(--line)' }}
      tickMargin={6}
      minTickGap={36}
      interval="preserveStartEnd"
    />
    <YAxis
      allowDecimals={false}
      tickFormatter={(value: number) => compact.format(value)}
      tick={tick}
      tickLine={false}
      axisLine={false}
      width="auto"
    />
    <Tooltip
      cursor={{ fill: 'var(--sunken)' }}
      content={(props) => <ChartTooltip {...props} series={series} />}
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
      />
    ))}
  </BarChart>
);

export default Chart;
