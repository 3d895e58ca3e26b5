import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { TestDatabase } from '../kit/database/engines.ts';
import { FIXTURE_ENVIRONMENT } from './client.ts';
import { startLoadBalancer } from './load-balancer.ts';
import { startMixedLoad } from './mixed-load.ts';
import { runRosterIn, startInFolder } from './program-folder.ts';

export interface RollingOptions {
  readonly oldFolder: string;
  readonly newFolder: string;
  readonly database: TestDatabase;
  readonly clients: number;
  /** How long each phase lasts: old alone, both, new alone. */
  readonly phaseMs: number;
  /** How long a transaction reads contacts from before the new instance starts, as an export or a backup does. */
  readonly longReadMs?: number;
  /** Whether to also check the database, and that the old version does not start again. */
  readonly isThorough?: boolean;
}

const readContacts = async (url: string, ms: number): Promise<void> => {
  if (ms === 0) return;
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('begin; select count(*) from contacts');
  await pause(ms);
  await client.end();
};

/** Replaces an instance of an old version by one of a new version behind a load balancer, under load. Returns the number of
 *  requests, none of which failed. */
export const upgradeRolling = async (options: RollingOptions): Promise<number> => {
  const { database, phaseMs } = options;
  const environment = { ...FIXTURE_ENVIRONMENT, DATABASE_URL: database.url, DRAIN_SECONDS: '3' };
  const balancer = await startLoadBalancer();
  const older = await startInFolder(options.oldFolder, environment);
  let newer: Awaited<ReturnType<typeof startInFolder>> | undefined;
  try {
    await older.ready();
    await balancer.add(older.url);
    const load = startMixedLoad(balancer.url, options.clients);
    await pause(phaseMs);
    const schema = async () =>
      Number((await database.query('select count(*) as count from migrations'))[0]?.count);
    const before = await schema();

    const read = readContacts(database.url, options.longReadMs ?? 0);
    newer = await startInFolder(options.newFolder, environment);
    await newer.ready();
    await read;
    await balancer.add(newer.url);
    assert.ok((await schema()) > before, 'the new instance has migrated the database');
    const served = balancer.connectionsOf(older.url);
    await pause(phaseMs);
    assert.ok(balancer.connectionsOf(older.url) > served, 'the old instance serves the new schema');
    assert.ok(balancer.connectionsOf(newer.url) > 0, 'the new instance serves');

    assert.equal(await older.stop(), 0, older.output());
    await pause(phaseMs);
    const { requests, failures, contacts } = await load.stop();
    assert.deepEqual(failures, []);
    const rows = await database.query('select id from contacts');
    const stored = new Set(rows.map(({ id }) => String(id)));
    assert.deepEqual(
      contacts.filter((id) => !stored.has(id)),
      [],
      'every acknowledged contact is stored',
    );
    assert.equal(stored.size, contacts.length, 'no contact is stored twice');

    if (!options.isThorough) return requests;
    // An instance of the old version that restarts now must not write to a schema that it does not know.
    const late = await startInFolder(options.oldFolder, environment);
    assert.equal(await late.exited, 1);
    assert.match(late.output(), /Start the newer version that wrote it\./);
    assert.equal(await newer.stop(), 0, newer.output());
    const verified = runRosterIn(options.newFolder, environment, 'verify');
    assert.equal(verified.status, 0, verified.stdout + verified.stderr);
    return requests;
  } finally {
    older.kill('SIGKILL');
    newer?.kill('SIGKILL');
    balancer.close();
  }
};
