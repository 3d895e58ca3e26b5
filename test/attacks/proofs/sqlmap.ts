import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Random } from '../../kit/random.ts';
import { type Json, onEveryEngine } from '../../kit/service/test-service.ts';
import { type Caller, makeCaller } from '../kit/caller.ts';
import { type Client, clientOf } from '../kit/client.ts';
import { documentedOperations, nameOf, type Operation, recordKind } from '../kit/operations.ts';
import { report } from '../kit/report.ts';
import { validValue } from '../kit/valid-values.ts';

const isInstalled = spawnSync('sqlmap', ['--version']).status === 0;
const only = new RegExp(process.env.SQLMAP_ONLY ?? '');
const MINUTES = 5;

/** Not interactive, without saved sessions, and only the first level of each technique. */
const FLAGS =
  '--batch --ignore-stdin --flush-session --disable-coloring --level=1 --risk=1 --time-sec=5 --timeout=20 --retries=1 --ignore-code=400,401,404,409 --answers=follow=N'.split(
    ' ',
  );

/** Marks an injection point. */
const INJECTION_MARK = '*';

/** The request file, with every parameter and every text of its body marked. */
const fileOf = (operation: Operation, caller: Caller, random: Random): string | undefined => {
  const { slots, query, body, method } = operation;
  const ids = (kind: string) => caller.records[kind as keyof typeof caller.records].id;
  const value = (name: string, schema: Json) => validValue(name, schema, random, ids);
  const texts: [string, Json][] = Object.entries<Json>(body?.properties ?? {})
    .filter(
      ([name, { type, enum: words }]) =>
        `${type}`.includes('string') && !words && !/password|token/.test(name),
    )
    .map(([name, schema]) => [name, `${value(name, schema)}${INJECTION_MARK}`]);
  const fixed = (body?.required ?? []).map((name: string) => [name, value(name, body.properties[name])]);
  if (slots.length + query.length + texts.length === 0) return undefined;
  const sent = caller.request(operation, {
    ...(query.length > 0 && {
      query: query
        .map(({ name, schema }) => `${name}=${encodeURIComponent(`${value(name, schema)}`)}${INJECTION_MARK}`)
        .join('&'),
    }),
    ...(body && { body: { ...Object.fromEntries(fixed), ...Object.fromEntries(texts) } }),
  });
  const path = operation.slots.reduce((text, slot) => {
    const id = caller.records[recordKind(operation, slot)].id;
    return text.replace(`/${id}`, `/${id}${INJECTION_MARK}`);
  }, sent.path);
  const lines = Object.entries(sent.headers).map(([name, text]) => `${name}: ${text}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${sent.body ?? ''}`;
};

/** Runs sqlmap on a request and returns its output. */
const sqlmap = (folder: string, request: string): Promise<string> => {
  const file = join(folder, 'request.txt');
  writeFileSync(file, request);
  const child = spawn('sqlmap', ['-r', file, `--output-dir=${join(folder, 'out')}`, ...FLAGS], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), MINUTES * 60_000);
  return new Promise((resolve) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve(code === null ? `${output}\nended after ${MINUTES} minutes` : output);
    });
  });
};

/** Runs sqlmap on every parameter and every text of every operation, if it is installed. */
export const sqlmapEverywhere = (): void => {
  onEveryEngine('sqlmap', (service) => {
    let client: Client;
    let caller: Caller;
    let operations: Operation[];
    const folder = mkdtempSync(join(tmpdir(), 'roster-sqlmap-'));
    before(async () => {
      client = clientOf(service.url);
      operations = await documentedOperations(client);
      caller = await makeCaller(service, client);
    });
    after(() => {
      client.close();
      rmSync(folder, { recursive: true, force: true });
    });

    test('sqlmap finds no injection', { skip: !isInstalled && 'sqlmap is not installed' }, async () => {
      const findings: string[] = [];
      const late: string[] = [];
      let [tried, parameters] = [0, 0];
      for (const operation of operations.filter((each) => only.test(nameOf(each)))) {
        const request = fileOf(operation, caller, new Random(nameOf(operation)));
        if (!request || operation.template.includes('/session')) continue;
        const output = await sqlmap(folder, request);
        tried++;
        parameters += output.match(/testing for SQL injection on/g)?.length ?? 0;
        if (/identified the following injection point/.test(output))
          findings.push(`${nameOf(operation)}: ${output}`);
        else if (!/do not appear to be injectable|does not seem to be injectable/.test(output))
          late.push(`${nameOf(operation)}: ${output.slice(-600)}`);
        service.log.length = 0;
      }
      const { engine } = service.database.database;
      report(`sqlmap.${engine}`, {
        operations: tried,
        parameters,
        findings: findings.length,
        unfinished: late.length,
      });
      assert.deepEqual(findings, []);
      assert.deepEqual(late, []);
    });
  });
};
