import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { freePort } from '../kit/database/postgres-server.ts';
import { requestText, runLoad } from '../kit/load/load.ts';
import { withPrograms } from '../kit/process/program.ts';

const DROPPED = /^roster_log_lines_dropped_total (\d+)$/m;
const REPORT = /"level":"warn","message":"log lines dropped[^"]*","count":(\d+)/g;

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

it('A service whose log is not read drops lines and reports their number when reading resumes', () =>
  withPrograms(async (start) => {
    const program = start({ ROSTER_API_KEY: 'a-key-of-my-own-0123456789' });
    const { url } = await program.ready();
    const dropped = async () => Number(DROPPED.exec(await (await fetch(`${url}/metrics`)).text())?.[1]);
    assert.equal(await dropped(), 0);
    program.readOutput(false);
    // A line has about 200 bytes, and 4 MiB of them are buffered.
    const load = { url, requests: [requestText('GET', '/nowhere', '')], connections: 20, seconds: 0.5 };
    for (let tries = 0; (await dropped()) === 0; tries++) {
      assert.ok(tries < 160, 'no line is dropped');
      await runLoad(load);
    }
    program.readOutput(true);
    const reports = () => [...program.stdout.matchAll(REPORT)].map(([, count]) => Number(count));
    // The output can be full again after a first report.
    const isComplete = async () => sum(reports()) === (await dropped());
    for (let tries = 0; !(await isComplete()); tries++) {
      // The next line brings the report; a scrape writes none.
      await fetch(`${url}/nowhere`);
      assert.ok(tries < 100, `${await dropped()} lines are dropped, and the reports are ${reports()}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }));

it('roster start continues when the reader of its log exits', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-log-reader-'));
  const port = String(await freePort());
  const child = spawn(process.execPath, ['src/cli.js', 'start'], {
    env: { PATH: process.env.PATH, PORT: port, ROSTER_DATA_DIR: folder, DRAIN_SECONDS: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    await once(child.stdout, 'data');
    child.stdout.destroy();
    for (let count = 0; count < 5; count++)
      assert.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 200);
    assert.equal(child.exitCode, null);
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  }
});
