import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { before, describe, it, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { keyScopes } from '../../src/lib/scopes.ts';
import { lockRecords } from '../kit/database/locks.ts';
import { deploy, makeAgentWithVersions, makeChannel, signedInOwner } from '../kit/fixtures/agents.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { onSqlite } from '../kit/service/test-service.ts';

import { blocksOf } from '../readme/markdown.ts';

const run = promisify(execFile);
const ENVIRONMENT = {
  ...process.env,
  PYTHONPATH: [resolve('sdk/python/src'), resolve('examples/python')].join(delimiter),
  MYPYPATH: resolve('sdk/python/src'),
  PYTHONDONTWRITEBYTECODE: '1',
  PYTHONWARNINGS: 'error::ResourceWarning',
  OPENAPI: resolve('docs/openapi.json'),
};

const pythonWith = (module: string): string | undefined =>
  [process.env.ROSTER_TEST_PYTHON, 'python3', '/usr/bin/python3'].find(
    (python) => python && spawnSync(python, ['-c', `import ${module}`]).status === 0,
  );
const python = pythonWith('httpx') ?? '';
const mypy = pythonWith('httpx, mypy') ?? '';
const skip = !python && 'no Python with httpx; set ROSTER_TEST_PYTHON to one';

/** Runs a program in the folder of Python's tests, and fails with what it printed. */
const runPython = async (args: string[], environment: Record<string, string> = {}, program = python) => {
  const options = { cwd: 'test/sdk/python', env: { ...ENVIRONMENT, ...environment }, timeout: 120_000 };
  try {
    return await run(program, args, options);
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return assert.fail(`${stdout}${stderr}`.slice(-8_000));
  }
};

const runTests = async (names: string[], environment?: Record<string, string>) => {
  const { stderr } = await runPython(['-m', 'unittest', ...names], environment);
  assert.match(stderr, /^Ran [1-9]\d* tests? in .*\n\nOK$/m);
};

onSqlite('The Python client', (service) => {
  let environment: Record<string, string>;
  before(async () => {
    const owner = await signedInOwner(service);
    const { id, versions } = await makeAgentWithVersions(service, 'Greet {{first_name|the caller}}.');
    await deploy(owner, id, versions[0] as string);
    const channel = await makeChannel(owner);
    await owner.request('PUT', `/channels/${channel.id}/agent`, { agent_id: id });
    await owner.request('PUT', '/call-settings', { dispositions: [], field_rules: [], transcript_days: 30 });
    const CHANNEL = { CHANNEL: channel.id, CHANNEL_SECRET: channel.secret };
    const ROSTER_KEY = await createScopedKey(service.database, ...keyScopes);
    environment = { ROSTER_URL: service.url, ROSTER_KEY, ...CHANNEL };
  });

  test('It works with the service, also for webhooks', { skip }, () =>
    runTests(['test_service'], environment),
  );

  test('A conversation has a session and a signed result', { skip }, () =>
    runTests(['test_runtime.RealChannel', 'test_runtime.Recipe'], environment),
  );

  test('A session is degraded while the service cannot store it', { skip }, async () => {
    const release = await lockRecords(service.database);
    try {
      await runTests(['test_runtime.Degraded.test_a_session_is_degraded_and_keeps_its_version'], environment);
    } finally {
      await release();
    }
  });

  test('The README shows what its program prints', { skip }, async (context) => {
    const blocks = blocksOf(readFileSync('sdk/python/README.md', 'utf8'));
    const texts = blocks.filter(({ language }) => language === 'python').map(({ text }) => text);
    const file = temporaryFile(context, texts.join('\n').replaceAll('http://127.0.0.1:3000', service.url));
    const { stdout } = await runPython(['-W', 'ignore', file], environment);
    const expected = [...texts.join('\n').matchAll(/# → (.*)$/gm)].map(([, line]) => line);
    assert.deepEqual(stdout.trim().split('\n'), expected);
  });
});

const temporaryFile = (context: TestContext, text: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-python-'));
  context.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'program.py'), text);
  return join(folder, 'program.py');
};

describe('The Python client and its recipes', () => {
  it('It repeats requests, walks lists and queues reports', { skip }, () =>
    runTests(['test_requests', 'test_runtime.Reports', 'test_runtime.LiveAgent']),
  );

  const noMypy = !mypy && 'no Python with httpx and mypy; set ROSTER_TEST_PYTHON to one';
  it('Its types are strict, and find the mistakes of a program', { skip: noMypy }, async (context) => {
    const cache = mkdtempSync(join(tmpdir(), 'roster-mypy-'));
    context.after(() => rmSync(cache, { recursive: true }));
    const args = ['-m', 'mypy', '--strict', '--cache-dir', cache];
    await runPython([...args, resolve('sdk/python/src/roster_client'), 'consumer.py'], {}, mypy);
  });

  it('The recipes for Pipecat and LiveKit compile and have fewer than 60 lines', { skip }, async () => {
    const recipes = globSync('examples/python/*.py').map((file) => resolve(file));
    assert.equal(recipes.length, 3);
    const program = 'import sys; [compile(open(each).read(), each, "exec") for each in sys.argv[1:]]';
    await runPython(['-c', program, ...recipes]);
    for (const file of recipes) assert.ok(readFileSync(file, 'utf8').split('\n').length <= 60, file);
  });
});
