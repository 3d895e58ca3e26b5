import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { insertBare } from './bare.ts';
import { writeFileOf } from './file.ts';

/** Plans and applies a large file with the command that a user would run, and inserts the same rows into the same tables
 *  with a bare loop. The results are the ratio of the two rates and the maximum memory of the command. */

const CLI = new URL('../../src/cli.js', import.meta.url).pathname;
const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } });
const rows = Number(values.rows);
const folder = mkdtempSync(join(tmpdir(), 'roster-bench-import-'));

const residentMb = (pid: number) => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
};

/** Runs a command and returns its duration and its maximum memory. */
const run = async (args: string[]) => {
  const began = performance.now();
  const child = spawn(process.execPath, [CLI, ...args], {
    env: { ...process.env, ROSTER_DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  let memory = 0;
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const look = setInterval(() => {
    try {
      memory = Math.max(memory, residentMb(child.pid as number));
    } catch {
      // The process has exited.
    }
  }, 100);
  const [code] = await once(child, 'close');
  clearInterval(look);
  if (code !== 0) throw new Error(`roster ${args.join(' ')} exited with status ${code}`);
  return { seconds: (performance.now() - began) / 1_000, memory, output };
};

const rate = (seconds: number) => `${Math.round(rows / seconds).toLocaleString('en')} rows a second`;

try {
  const file = join(folder, 'people.csv');
  await writeFileOf(file, rows);
  await run(['workspace', 'create', 'bench']);
  console.log(`${rows.toLocaleString('en')} rows`);
  const planned = await run(['import', file, '--workspace', 'bench', '--plan', '--json']);
  const { id, totals } = JSON.parse(planned.output);
  if (totals.create !== rows) throw new Error(`not every row was planned as create: ${planned.output}`);
  console.log(
    `plan    ${planned.seconds.toFixed(1)} s  ${rate(planned.seconds)}  ${planned.memory.toFixed(0)} MB`,
  );
  const applied = await run(['import', 'apply', id, '--workspace', 'bench', '--json']);
  if (JSON.parse(applied.output).totals.created !== rows) throw new Error('not every row was created');
  console.log(
    `apply   ${applied.seconds.toFixed(1)} s  ${rate(applied.seconds)}  ${applied.memory.toFixed(0)} MB`,
  );
  const bare = insertBare(join(folder, 'data', 'roster.db'), join(folder, 'bare.db'));
  console.log(`bare    ${bare.toFixed(1)} s  ${rate(bare)}`);
  console.log(`ratio   ${(bare / (planned.seconds + applied.seconds)).toFixed(2)} (at least 0.50)`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
