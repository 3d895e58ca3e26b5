import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { dueJobMetrics, findDueJobs } from '../../src/jobs/job.metrics.ts';
import { renderMetrics } from '../../src/lib/metric.ts';
import { version } from '../../src/lib/version.ts';
import { citusNodes } from '../kit/database/citus.ts';
import { engines } from '../kit/database/engines.ts';
import { makeWorkspace } from '../kit/database/workspaces.ts';
import { makeAgent } from '../kit/fixtures/factories.ts';
import { parseMetrics, type Sample, scrapeEveryEngine } from '../kit/service/metrics.ts';
import { promtool, withoutPromtool } from '../kit/service/promtool.ts';
import { databaseFor, serviceFor, storageFor } from '../kit/service/scoped-resources.ts';
import { onEveryEngine, startTestService, type TestService } from '../kit/service/test-service.ts';
import { sectionOf } from '../readme/markdown.ts';

const scrape = async (service: TestService): Promise<string> => (await service.get('/metrics')).text;

const sampleOf = (samples: readonly Sample[], name: string, labels: Record<string, string> = {}): number => {
  const found = samples.find(
    (each) =>
      each.name === name && Object.entries(labels).every(([key, value]) => each.labels[key] === value),
  );
  assert.ok(found, `no ${name} ${JSON.stringify(labels)}`);
  return found.value;
};

const familiesOf = (text: string): string[] =>
  [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name as string);

onEveryEngine('Metrics', (service) => {
  const read = async () => parseMetrics(await scrape(service));

  it('promtool accepts the metrics', { skip: withoutPromtool }, async () => {
    await makeAgent(service);
    assert.deepEqual(promtool(['check', 'metrics'], await scrape(service)), { status: 0, output: '' });
  });

  it('The process metrics describe this process', async () => {
    const before = await read();
    const used = process.cpuUsage();
    while (process.cpuUsage(used).user < 50_000);
    const after = await read();
    const grown = (name: string, labels?: Record<string, string>) =>
      sampleOf(after, name, labels) - sampleOf(before, name, labels);
    assert.ok(grown('process_cpu_seconds_total') > 0.01);
    assert.ok(grown('process_cpu_user_seconds_total') > 0);
    assert.ok(grown('nodejs_eventloop_time_seconds_total', { state: 'active' }) >= 0.05);
    const utilization = sampleOf(after, 'nodejs_eventloop_utilization');
    assert.ok(utilization > 0 && utilization <= 1, `${utilization}`);
    assert.ok(Math.abs(sampleOf(after, 'process_start_time_seconds') - performance.timeOrigin / 1000) < 1);
    const fds = sampleOf(after, 'process_open_fds');
    assert.ok(fds > 5 && fds < sampleOf(after, 'process_max_fds'), `${fds}`);
    assert.ok(sampleOf(after, 'nodejs_heap_size_total_bytes') > sampleOf(after, 'nodejs_heap_used_bytes'));
    const { engine } = service.database.database;
    const build = { version, node: process.versions.node, engine };
    assert.equal(sampleOf(after, 'roster_build_info', build), 1);
  });

  it('Garbage collections are counted by kind', async () => {
    const count = async () => sampleOf(await read(), 'nodejs_gc_duration_seconds_count', { kind: 'minor' });
    const before = await count();
    for (let at = 0; at < 20; at++) Array.from({ length: 100_000 }, (_, index) => ({ index }));
    for (let tries = 0; (await count()) === before; tries++) {
      assert.ok(tries < 600, 'no collection is counted');
      await sleep(50);
    }
  });

  it('Request durations have buckets from 100 microseconds to 10 seconds', async () => {
    await read();
    const bounds = (await read())
      .filter(({ name, labels }) => name.startsWith('roster_request_duration') && labels.route === '/metrics')
      .flatMap(({ labels }) => labels.le ?? []);
    assert.deepEqual([bounds[0], bounds.at(-2), bounds.at(-1)], ['0.0001', '10', '+Inf']);
  });

  it('The size of the database and its write-ahead log are reported', async () => {
    await makeAgent(service);
    const samples = await read();
    assert.equal(sampleOf(samples, 'roster_database_up'), 1);
    assert.ok(sampleOf(samples, 'roster_database_bytes') > 100_000);
    const { engine } = service.database.database;
    if (engine === 'sqlite') assert.ok(sampleOf(samples, 'roster_sqlite_wal_bytes') > 0);
  });

  it('Every kind of job and every periodic task has counters from the start', async () => {
    const samples = await read();
    const labelsOf = (name: string, label: string) =>
      samples.flatMap((each) => (each.name === name ? [each.labels[label] as string] : [])).sort();
    const { engine } = service.database.database;
    assert.deepEqual(labelsOf('roster_task_runs_total', 'task'), [
      ...(engine === 'postgres' && citusNodes().length === 0 ? ['analyze'] : []),
      'audit_expiry',
      ...(engine === 'sqlite'
        ? [
            'call_expiry',
            'event_expiry',
            'idempotency_expiry',
            'integration_health',
            'key_use',
            'notices',
            'progress_expiry',
            'wal_checkpoint',
          ]
        : [
            'call_expiry',
            'counter_compaction',
            'event_expiry',
            'health_check',
            'idempotency_expiry',
            'integration_health',
            'key_use',
            ...(citusNodes().length > 0 ? ['node_check'] : []),
            'notices',
            'progress_expiry',
          ]),
    ]);
    assert.deepEqual(labelsOf('roster_job_step_failures_total', 'kind'), labelsOf('roster_jobs_due', 'kind'));
    assert.ok(sampleOf(samples, 'roster_task_runs_total', { task: 'audit_expiry' }) >= 1);
    const succeededAt = sampleOf(samples, 'roster_task_last_success_timestamp_seconds', {
      task: 'audit_expiry',
    });
    assert.ok(Math.abs(succeededAt - Date.now() / 1000) < 60);
  });
});

test('The metrics of the server have its connections and its certificate', async () => {
  for (const samples of (await scrapeEveryEngine()).map(parseMetrics)) {
    assert.equal(sampleOf(samples, 'roster_http_connections'), 1);
    assert.ok(sampleOf(samples, 'roster_http_connections_limit') > 100);
    assert.equal(sampleOf(samples, 'roster_tls_last_reload_successful'), 1);
    const expiresIn =
      sampleOf(samples, 'roster_tls_certificate_expiry_timestamp_seconds') - Date.now() / 1000;
    assert.ok(expiresIn > 86_300 && expiresIn <= 86_400, `${expiresIn}`);
  }
});

test('The checkpoints of the SQLite writer thread are counted', async (test) => {
  const service = await serviceFor(test, await databaseFor(test, 'sqlite'));
  const runs = async () =>
    sampleOf(parseMetrics(await scrape(service)), 'roster_task_runs_total', { task: 'wal_checkpoint' });
  for (let tries = 0; (await runs()) === 0; tries++) {
    assert.ok(tries < 600, 'no checkpoint');
    await sleep(100);
  }
});

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`Due jobs are counted by kind with the age of the oldest, on ${engine}`, async (test) => {
    const database = await databaseFor(test, engine);
    const storage = await storageFor(test, database);
    const { principal } = await makeWorkspace(storage);
    const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
    for (const [kind, subject, due] of [
      ['import.applying', 'one', at(-9_000)],
      ['import.applying', 'two', at(-3_000)],
      ['import.applying', 'later', at(6_000)],
      ['import.undoing', 'one', at(-1_000)],
      ['of.a.newer.version', 'one', at(-1_000)],
    ] as const)
      await database.query(
        'insert into jobs (workspace_id, kind, subject, created_at, due_at, failures) values (?, ?, ?, ?, ?, 0)',
        principal.workspace,
        kind,
        subject,
        at(-10_000),
        due,
      );
    const kinds = ['import.applying', 'import.undoing', 'import.expiring'];
    const due = await storage.run(findDueJobs, null, null);
    const samples = parseMetrics(renderMetrics(dueJobMetrics(due, kinds)));
    const rounded = samples.map(({ name, labels, value }) => [
      name,
      labels.kind,
      Math.floor(value / 1_000) * 1_000 || value,
    ]);
    assert.deepEqual(rounded, [
      ['roster_jobs_due', 'import.applying', 2],
      ['roster_jobs_due', 'import.undoing', 1],
      ['roster_jobs_due', 'import.expiring', 0],
      ['roster_jobs_oldest_due_age_seconds', 'import.applying', 9_000],
      ['roster_jobs_oldest_due_age_seconds', 'import.undoing', 1_000],
      ['roster_jobs_oldest_due_age_seconds', 'import.expiring', 0],
    ]);
  });
}

describe('Metrics without a database', () => {
  it('A scrape answers without PostgreSQL and reports that the database is down', async () => {
    const service = await startTestService(await engines.postgres());
    try {
      await service.database.drop();
      const samples = parseMetrics(await scrape(service));
      assert.equal(sampleOf(samples, 'roster_database_up'), 0);
      assert.equal(
        samples.some(({ name }) => name === 'roster_jobs_due'),
        false,
      );
      assert.equal(sampleOf(samples, 'roster_postgres_pool_max_connections'), 12);
    } finally {
      await service.stop();
    }
  });
});

test('The operations guide lists exactly the metrics of both engines', async () => {
  const [families = '', tasks = ''] = sectionOf(readFileSync('docs/operations.md', 'utf8'), 'Metrics').split(
    '\n### ',
  );
  const texts = await scrapeEveryEngine();
  assert.deepEqual(namesInRows(families), [...new Set(texts.flatMap(familiesOf))].sort());
  const taskNames = texts.flatMap(parseMetrics).flatMap(({ labels }) => labels.task ?? []);
  assert.deepEqual([...new Set(taskNames).difference(new Set(namesInRows(tasks)))], []);
});

/** The names in the first column of a table, sorted. */
const namesInRows = (markdown: string): string[] =>
  markdown
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((row) => [...(row.split('|')[1] as string).matchAll(/`([a-z0-9_]+)`/g)])
    .map(([, name]) => name as string)
    .sort();
