import assert from 'node:assert/strict';

export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** Parses the Prometheus text format as strictly as Prometheus does. */
export const parseMetrics = (text: string): Sample[] => {
  assert.ok(text.endsWith('\n'));
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  for (const line of text.trimEnd().split('\n')) {
    const comment = /^# (HELP|TYPE) ([a-z_0-9]+) (.+)$/.exec(line);
    if (comment) {
      if (comment[1] === 'TYPE') {
        assert.equal(types.has(comment[2] as string), false, `two types of ${comment[2]}`);
        types.set(comment[2] as string, comment[3] as string);
      }
      continue;
    }
    const sample = /^([a-z_0-9]+)(?:\{((?:[a-z]+="[^"\\\n]*",?)+)\})? (\S+)$/.exec(line);
    assert.ok(sample, line);
    const [, name = '', labels = '', value] = sample;
    const family = name.replace(/_(bucket|sum|count)$/, '');
    assert.ok(types.has(name) || types.get(family) === 'histogram', `no type for ${name}`);
    assert.ok(Number.isFinite(Number(value)), line);
    samples.push({
      name,
      labels: Object.fromEntries(
        [...labels.matchAll(/([a-z]+)="([^"]*)"/g)].map(([, key, text]) => [key, text]),
      ),
      value: Number(value),
    });
  }
  return samples;
};
