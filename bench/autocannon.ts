import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import type { Job, Sample } from './load.ts';
import { NUMBER } from './works.ts';

/** How often autocannon checks whether its time is over. */
const POLL_MS = 50;

/** Sends requests with autocannon. */
export const runAutocannon = async (job: Job): Promise<Sample> => {
  const { url, method, key, paths, body, values = [''], connections, seconds } = job;
  const anyOf = (texts: readonly string[]) => texts[Math.floor(Math.random() * texts.length)] ?? '';
  let number = job.first;
  const run = autocannon({
    url,
    connections,
    duration: seconds,
    sampleInt: POLL_MS,
    timeout: 60,
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    requests: [
      {
        setupRequest: (request) => ({
          ...request,
          path: anyOf(paths).replace(NUMBER, `${++number}`),
          ...(body && { body: body.replaceAll(NUMBER, `${number}`).replace(values[0] ?? '', anyOf(values)) }),
        }),
      },
    ],
  });
  // Its own percentiles are whole milliseconds.
  const latencies: number[] = [];
  run.on('response', (_client, _status, _bytes, milliseconds) => latencies.push(milliseconds));
  const { requests, duration, non2xx, errors, timeouts } = await run;
  const { total } = requests;
  latencies.sort((one, other) => one - other);
  const percentile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
  const [p50, p99] = [percentile(0.5), percentile(0.99)];
  return { requests: total, rate: total / duration, p50, p99, errors: non2xx + errors + timeouts };
};

// As a separate process: reads a job from the file in its argument, and prints the result.
if (import.meta.main)
  console.log(
    JSON.stringify(await runAutocannon(JSON.parse(readFileSync(process.argv[2] as string, 'utf8')))),
  );
