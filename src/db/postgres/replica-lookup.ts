import { type Diagnosis, diagnoses, diagnosis, type Fault, formatBytes } from '../../lib/diagnosis.ts';
import { DatabaseSetupError, type PostgresDatabase } from '../database.ts';
import { disconnect } from './connection.ts';
import { openPool } from './pool.ts';
import { hasReplayed, type LogPosition, readLogPosition, waitForReplay } from './replay-position.ts';
import { reasonOf } from './replica.ts';
import {
  assertReadable,
  connectReplica,
  type DatabaseIdentity,
  NotReadableError,
  readIdentity,
} from './replica-servers.ts';
import { STARTED } from './server-states.ts';
import { hostsOf, identifier, Servers } from './servers.ts';

interface Primary {
  readonly identity: DatabaseIdentity;
  readonly position: LogPosition;
  readonly started: string;
  /** The schema of the tables. */
  readonly schema: string;
}

const FACTS = `select ${STARTED} as started, coalesce(current_schema(), 'public')::text as schema`;

const readPrimary = async (url: string): Promise<Primary> => {
  const pool = await openPool({ servers: new Servers(url), onFault: () => {} });
  try {
    const { rows } = await pool.query<Pick<Primary, 'started' | 'schema'>>(FACTS);
    const [found] = rows as [Pick<Primary, 'started' | 'schema'>];
    return { identity: await readIdentity(pool), position: await readLogPosition(pool), ...found };
  } finally {
    await pool.end();
  }
};

const inspect = async (url: string, { identity, position, started }: Primary, waitMs: number) => {
  const client = await connectReplica(url, identity);
  try {
    const state = await waitForReplay(client, position, waitMs);
    if (hasReplayed(state)) await assertReadable(client);
    const isPrimary = !state.is_standby && (await client.query(FACTS)).rows[0].started === started;
    return { ...state, isPrimary };
  } finally {
    disconnect(client);
  }
};

const SNAPSHOT_WAIT_MS = 10_000;

/** The URL of a replica that has replayed everything that the primary has written until now. Undefined without one. Throws if
 *  a server is not a replica of the primary. */
export const findReplica = async ({ url, replicaUrl }: PostgresDatabase): Promise<string | undefined> => {
  if (replicaUrl === undefined) return undefined;
  const primary = await readPrimary(url);
  if (primary.identity.is_citus) return undefined;
  for (const each of new Servers(replicaUrl).urls) {
    try {
      if (hasReplayed(await inspect(each, primary, SNAPSHOT_WAIT_MS))) return each;
    } catch (error) {
      if (error instanceof DatabaseSetupError) throw error;
    }
  }
  return undefined;
};

const DIAGNOSE_WAIT_MS = 1_000;
const MEANWHILE = 'Long reads use the primary meanwhile.';

const withoutPeriod = (error: unknown): string => (error as Error).message.replace(/\.$/, '');

/** The statements that let a role read all tables, also those of later migrations. */
const grantTo = (role: string, schema: string): string =>
  `As the user of DATABASE_URL, run on the primary: grant usage on schema ${schema} to ${role}; grant select on all tables in schema ${schema} to ${role}; alter default privileges in schema ${schema} grant select on tables to ${role};`;

const findingOf = async (url: string, primary: Primary, isOnly: boolean): Promise<string | Fault> => {
  const host = hostsOf(url);
  try {
    const state = await inspect(url, primary, DIAGNOSE_WAIT_MS);
    if (hasReplayed(state)) return `${host} has replayed all writes.`;
    if (state.isPrimary && !isOnly) return `${host} is the primary.`;
    const lag = Number.isFinite(state.lag_bytes)
      ? formatBytes(state.lag_bytes)
      : 'an unknown number of bytes';
    const reason = reasonOf(state) ?? `it is ${lag} behind`;
    return [
      'warning',
      `${host} is not used: ${reason}. ${MEANWHILE}`,
      'Check its replication and its disk, and that DATABASE_REPLICA_URL lists standbys of the current primary.',
    ];
  } catch (error) {
    const message = withoutPeriod(error);
    const unusable = `${host} cannot be used: ${message}. ${MEANWHILE}`;
    if (error instanceof NotReadableError)
      return ['warning', unusable, grantTo(identifier(error.role), identifier(primary.schema))];
    return error instanceof DatabaseSetupError
      ? ['problem', `${message}.`, 'Change DATABASE_REPLICA_URL.']
      : ['warning', unusable, 'Check DATABASE_REPLICA_URL.'];
  }
};

/** Checks every server of DATABASE_REPLICA_URL. */
export const diagnoseReplica = async ({ url, replicaUrl }: PostgresDatabase): Promise<Diagnosis[]> => {
  if (replicaUrl === undefined) return [];
  let primary: Primary;
  try {
    primary = await readPrimary(url);
  } catch (error) {
    const message = `The primary did not answer: ${withoutPeriod(error)}.`;
    return diagnoses({ Replica: ['warning', message, 'Repair the primary first.'] });
  }
  if (primary.identity.is_citus) {
    const message = 'DATABASE_REPLICA_URL cannot be used with Citus.';
    return diagnoses({ Replica: ['problem', message, 'Remove the variable.'] });
  }
  const { urls } = new Servers(replicaUrl);
  return Array.fromAsync(urls, async (each) =>
    diagnosis('Replica', await findingOf(each, primary, urls.length === 1)),
  );
};
