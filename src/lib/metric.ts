/** One line of a metric. Its labels are in the text format: `kind="minor"`, or empty. */
export type Sample = readonly [labels: string, value: number];

/** A metric as `GET /metrics` shows it. Label values come from the code, never from a request, so that their number is
 *  bounded. */
export interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** How the values of several threads become one. Default: their sum. */
  readonly merge?: 'max' | 'min';
  /** For a histogram, `name` is only the beginning of the name of a line. */
  readonly samples: readonly (readonly [...Sample, suffix?: string])[];
}

const metricOf =
  (type: Metric['type']) =>
  (
    name: string,
    help: string,
    values: number | readonly Sample[],
    options: Pick<Metric, 'merge'> = {},
  ): Metric => ({
    name,
    type,
    help,
    ...options,
    samples: typeof values === 'number' ? [['', values]] : values,
  });

export const gauge = metricOf('gauge');
export const counter = metricOf('counter');

/** The distribution of durations in seconds. */
export interface Distribution {
  readonly labels: string;
  count: number;
  seconds: number;
  /** The number of durations in each bucket, without those of the smaller buckets. */
  readonly buckets: number[];
}

export const newDistribution = (labels: string, bounds: readonly number[]): Distribution => ({
  labels,
  count: 0,
  seconds: 0,
  buckets: bounds.map(() => 0),
});

export const addDuration = (distribution: Distribution, bounds: readonly number[], seconds: number): void => {
  distribution.count++;
  distribution.seconds += seconds;
  for (let at = 0; at < bounds.length; at++) {
    if (seconds > (bounds[at] as number)) continue;
    distribution.buckets[at] = (distribution.buckets[at] as number) + 1;
    return;
  }
};

export const histogram = (
  name: string,
  help: string,
  bounds: readonly number[],
  distributions: readonly Distribution[],
): Metric => ({
  name,
  type: 'histogram',
  help,
  samples: distributions.flatMap(({ labels, count, seconds, buckets }) => {
    let sum = 0;
    const cumulative = buckets.map((inBucket, at) => {
      sum += inBucket;
      return [`${labels},le="${bounds[at]}"`, sum, '_bucket'] as const;
    });
    return [
      ...cumulative,
      [`${labels},le="+Inf"`, count, '_bucket'] as const,
      [labels, seconds, '_sum'] as const,
      [labels, count, '_count'] as const,
    ];
  }),
});

const MERGES = { sum: (one: number, other: number) => one + other, max: Math.max, min: Math.min };

/** The metrics of several threads as those of one. */
export const mergeMetrics = (metrics: readonly Metric[]): Metric[] =>
  [...Map.groupBy(metrics, ({ name }) => name).values()].map((same) => {
    const [first] = same as [Metric];
    if (same.length === 1) return first;
    const merge = MERGES[first.merge ?? 'sum'];
    const merged = new Map<string, [labels: string, value: number, suffix?: string]>();
    for (const [labels, value, suffix = ''] of same.flatMap(({ samples }) => samples)) {
      const known = merged.get(`${suffix} ${labels}`);
      if (known) known[1] = merge(known[1], value);
      else merged.set(`${suffix} ${labels}`, [labels, value, suffix]);
    }
    return { ...first, samples: [...merged.values()] };
  });

/** The text format of Prometheus. */
export const renderMetrics = (metrics: readonly Metric[]): string => {
  let text = '';
  for (const { name, type, help, samples } of metrics) {
    text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
    for (const [labels, value, suffix = ''] of samples)
      text += `${name}${suffix}${labels === '' ? '' : `{${labels}}`} ${value}\n`;
  }
  return text;
};
