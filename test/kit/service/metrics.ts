import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../../src/config/config.ts';
import { engines, type TestDatabase } from '../database/engines.ts';
import { writeTlsFiles } from '../http/half-open-client.ts';
import { startTestService } from './test-service.ts';

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

/** A server in the place of its own replica: it is never used, but has the metrics of one. */
const withReplica = (created: TestDatabase): TestDatabase => {
  const { database } = created;
  return database.engine === 'sqlite'
    ? created
    : { ...created, database: { ...database, replicaUrl: database.url } };
};

/** The metrics of a service with TLS, scheduled backups and a replica on each engine. Together they have every metric. */
export const scrapeEveryEngine = async (): Promise<string[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-metrics-'));
  const { TLS_CERT: cert, TLS_KEY: key } = writeTlsFiles(folder);
  const { backup } = readConfig({ BACKUP_SCHEDULE: '@daily', BACKUP_TO: folder });
  const texts: string[] = [];
  for (const create of Object.values(engines)) {
    const service = await startTestService(withReplica(await create()), { tls: { cert, key }, backup });
    const scrape = async () => {
      const request = get(`${service.url}/metrics`, { rejectUnauthorized: false, agent: false });
      const [response] = await once(request, 'response');
      return Buffer.concat(await response.toArray()).toString();
    };
    // The first scrape has no duration of a request.
    await scrape();
    texts.push(await scrape());
    await service.stop();
    await service.database.drop();
  }
  rmSync(folder, { recursive: true });
  return texts;
};
