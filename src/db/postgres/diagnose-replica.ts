import { type Diagnosis, diagnoses, diagnosis, type Fault } from '../../lib/diagnosis.ts';
import { DatabaseSetupError, type PostgresDatabase } from '../database.ts';
import { withPool } from './pool.ts';
import { findProblem, openReplica, readIdentity, readLogPosition, waitForReplay } from './replica-state.ts';
import { hostsOf, identifier, Servers } from './servers.ts';

const readPrimary = (url: string) =>
  withPool({ url }, async (pool) => ({
    identity: await readIdentity(pool),
    position: await readLogPosition(pool),
  }));
type Primary = Awaited<ReturnType<typeof readPrimary>>;

const WAIT_MS = 1_000;
const MEANWHILE = 'Long reads use the primary meanwhile.';

const withoutPeriod = (error: unknown): string => (error as Error).message.replace(/\.$/, '');

/** The statements that let a role read all tables, also those of later migrations. */
const grantTo = (role: string, schema: string): string =>
  `As the user of DATABASE_URL, run on the primary: grant usage on schema ${schema} to ${role}; grant select on all tables in schema ${schema} to ${role}; alter default privileges in schema ${schema} grant select on tables to ${role};`;

const findingOf = async (url: string, primary: Primary, isOnly: boolean): Promise<string | Fault> => {
  const host = hostsOf(url);
  try {
    const pool = await openReplica(url, primary.identity);
    const state = await waitForReplay(pool, primary.position, WAIT_MS).finally(() => pool.end());
    const problem = findProblem(state);
    if (!problem) return `${host} has replayed all writes.`;
    if (!isOnly && !state.is_standby && state.is_same_timeline) return `${host} is the primary.`;
    const fix = state.is_readable
      ? 'Check its replication and its disk, and that DATABASE_REPLICA_URL lists standbys of the current primary.'
      : grantTo(identifier(state.role), identifier(primary.identity.schema));
    return ['warning', `${host} is not used: ${problem}. ${MEANWHILE}`, fix];
  } catch (error) {
    const message = withoutPeriod(error);
    return error instanceof DatabaseSetupError
      ? ['problem', `${message}.`, 'Change DATABASE_REPLICA_URL.']
      : ['warning', `${host} cannot be used: ${message}. ${MEANWHILE}`, 'Check DATABASE_REPLICA_URL.'];
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
