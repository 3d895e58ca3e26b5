/** The largest values are omitted: they depend on the machine, not on the program. */
const SHARE_USED = 0.9;

const momentsOf = (values: readonly number[]) => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return { mean, variance, count: values.length };
};

/** Welch's t of two samples without the values above their common 90th percentile. Samples differ if it is above 4.5
 *  or below -4.5. */
export const welchT = (one: readonly number[], other: readonly number[]): number => {
  const all = Float64Array.from([...one, ...other]).sort();
  const most = all[Math.floor(all.length * SHARE_USED)] as number;
  const [a, b] = [one, other].map((values) => momentsOf(values.filter((value) => value < most)));
  if (!a || !b) return Number.NaN;
  return (a.mean - b.mean) / Math.sqrt(a.variance / a.count + b.variance / b.count);
};

export const medianOf = (values: readonly number[]): number =>
  Float64Array.from(values).sort()[Math.floor(values.length / 2)] as number;
