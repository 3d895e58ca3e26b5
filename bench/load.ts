import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { findProgram } from './machine.ts';
import { NUMBER, type Traffic } from './works.ts';

/** The options of a load generator. */
export interface Job extends Traffic {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** The first of the numbers that are unique to the bodies of this job. */
  readonly first: number;
}

/** The result: responses, responses per second, and latencies in milliseconds. */
export interface Sample {
  readonly requests: number;
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  /** Unsuccessful responses, and requests without a response. */
  readonly errors: number;
}

/** wrk uses less processor time than autocannon, which matters on two cores. */
export const wrk = findProgram('wrk');
export const generator = wrk ? 'wrk' : 'autocannon';

/** Each job has a million numbers of its own, from 100 to 800 million; those above are pgbench's. */
const NUMBERS_PER_JOB = 1_000_000;
const MAX_JOBS = 700;
const MAX_SECONDS = 50;
let jobs = 0;

/** Sends requests from another process for some seconds. An unsuccessful response fails the run. */
export const load = async (
  url: string,
  traffic: Traffic,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<Sample> => {
  const first = 100_000_000 + (++jobs % MAX_JOBS) * NUMBERS_PER_JOB;
  const job: Job = { ...traffic, url, connections, seconds, first };
  const folder = mkdtempSync(join(tmpdir(), 'roster-load-'));
  try {
    const command = wrk ? wrkCommand(wrk, job, folder) : autocannonCommand(job, folder);
    const sample = JSON.parse((await run(command)).trim().split('\n').at(-1) ?? '') as Sample;
    const { rate, errors } = sample;
    // A response that takes longer than the round gets a longer round.
    if (rate + errors === 0 && seconds < MAX_SECONDS) {
      return await load(url, traffic, { connections, seconds: seconds * 5 });
    }
    if (errors === 0 && rate > 0) return sample;
    const what = `${traffic.method} ${traffic.paths[0]} at ${url}`;
    throw new Error(`${errors} requests failed, ${rate} per second succeeded: ${what}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const run = async ([program, ...args]: readonly [string, ...string[]]) => {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  return text(child.stdout);
};

const autocannonCommand = (job: Job, folder: string) => {
  const file = join(folder, 'job.json');
  writeFileSync(file, JSON.stringify(job));
  return [process.execPath, fileURLToPath(new URL('./autocannon.ts', import.meta.url)), file] as const;
};

const wrkCommand = (program: string, job: Job, folder: string) => {
  const [script, paths, values] = ['requests.lua', 'paths', 'values'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(paths, job.paths.join('\n'));
  writeFileSync(values, (job.values ?? []).join('\n'));
  writeFileSync(script, luaOf(job, { paths, values }));
  const flags = ['-t1', `-c${job.connections}`, `-d${job.seconds}s`, '--timeout', '60s', '-s', script];
  return [program, ...flags, job.url] as const;
};

/** Requests are built before the first one is sent; only the number in a body is filled in later. */
const luaOf = (
  { method, key, body = '', first }: Job,
  { paths, values }: { paths: string; values: string },
) => `
wrk.method = ${JSON.stringify(method)}
wrk.headers['Authorization'] = ${JSON.stringify(`Bearer ${key}`)}
${body && "wrk.headers['Content-Type'] = 'application/json'"}
local body = ${body ? `[==[${body}]==]` : 'nil'}
local requests, pieces, values, number = {}, {}, {}, ${first}
function init()
  math.randomseed(${first})
  for path in io.lines(${JSON.stringify(paths)}) do requests[#requests + 1] = wrk.format(nil, path, nil, body) end
  for value in io.lines(${JSON.stringify(values)}) do values[#values + 1] = value end
  for piece in (requests[1] .. '${NUMBER}'):gmatch('(.-)${NUMBER}') do pieces[#pieces + 1] = piece end
end
function request()
  if not body then return requests[math.random(#requests)] end
  number = number + 1
  local request = table.concat(pieces, number)
  if #values == 0 then return request end
  local first, last = request:find(values[1], 1, true)
  return request:sub(1, first - 1) .. values[math.random(#values)] .. request:sub(last + 1)
end
function done(summary, latency)
  local errors, seconds = summary.errors, summary.duration / 1e6
  local failed = errors.status + errors.connect + errors.read + errors.write + errors.timeout
  print(string.format('\\n{"requests":%d,"rate":%.3f,"p50":%.4f,"p99":%.4f,"errors":%d}', summary.requests, summary.requests / seconds,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, failed))
end
`;
