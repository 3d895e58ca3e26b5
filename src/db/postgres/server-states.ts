import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { type Diagnosis, diagnosis, type Fault } from '../../lib/diagnosis.ts';
import { DatabaseSetupError, type PostgresDatabase } from '../database.ts';
import { disconnect, newClient } from './connection.ts';
import { isUnreachable, READ_ONLY } from './errors.ts';
import { hostsOf, readTimeline, Servers, type Timeline } from './servers.ts';

const TIMEOUT_MS = 4_000;
/** How long a start waits for the other servers after one has accepted writes. */
const OTHERS_MS = 1_000;

export interface ServerState {
  readonly url: string;
  readonly role: 'primary' | 'standby' | 'read-only' | 'failed';
  /** Identifies a running server: two addresses of one, such as two proxies before it, have the same value. */
  readonly started?: string;
  /** Undefined if the server does not say it. */
  readonly timeline?: Timeline | undefined;
  readonly error?: unknown;
}

const STATE = `select pg_is_in_recovery() as is_standby, current_setting('transaction_read_only') = 'on' as is_read_only,
  extract(epoch from pg_postmaster_start_time())::text as started`;

const readState = async (client: Client, url: string): Promise<ServerState> => {
  try {
    await client.connect();
    const { is_standby, is_read_only, started } = (await client.query(STATE)).rows[0];
    if (is_standby) return { url, role: 'standby' };
    if (is_read_only) return { url, role: 'read-only' };
    return { url, role: 'primary', started, timeline: (await readTimeline(client)) ?? undefined };
  } catch (error) {
    return { url, role: 'failed', error };
  }
};

/** Asks all servers together. With `waitForAll` false, a server that does not answer delays the result by at most a second
 *  if another one accepts writes. */
export const readServerStates = async (
  urls: readonly string[],
  { waitForAll }: { waitForAll: boolean },
): Promise<ServerState[]> => {
  const clients = urls.map((url) => newClient(url, 'server check', TIMEOUT_MS));
  const states = urls.map((url): ServerState => ({ url, role: 'failed', error: new Error('timeout') }));
  const primary = Promise.withResolvers<void>();
  const probes = clients.map(async (client, at) => {
    const state = await readState(client, urls[at] as string);
    states[at] = state;
    if (state.role === 'primary') primary.resolve();
  });
  const all = Promise.all(probes);
  const enough = primary.promise.then(() => pause(OTHERS_MS, undefined, { ref: false }));
  await (waitForAll ? all : Promise.race([all, enough]));
  const found = [...states];
  clients.forEach(disconnect);
  return found;
};

const hostOf = ({ url, timeline }: ServerState): string =>
  `${hostsOf(url)}${timeline === undefined ? '' : ` (timeline ${timeline.number})`}`;

/** What is wrong if several servers accept writes. Undefined for several addresses of one server. */
const findConflict = (states: readonly ServerState[]): { message: string; fix: string } | undefined => {
  const primaries = states.filter(
    ({ role, started }, at) =>
      role === 'primary' && states.findIndex((other) => other.started === started) === at,
  );
  if (primaries.length < 2) return undefined;
  const count = primaries.length === 2 ? 'Two' : primaries.length;
  return {
    message: `${count} servers accept writes: ${primaries.map(hostOf).join(', ')}.`,
    fix: 'Stop the former primary, which usually has the lower timeline, and make it a standby of the other one before you start it again.',
  };
};

/** None of several servers accepts writes. */
export class NoPrimaryError extends Error {
  readonly code = READ_ONLY;
}

const describe = ({ url, role, error }: ServerState): string => {
  const host = hostsOf(url);
  if (role === 'primary') return `${host} accepts writes`;
  if (role === 'standby') return `${host} is a standby`;
  if (role === 'read-only') return `${host} is read-only`;
  return isUnreachable(error)
    ? `${host} cannot be reached`
    : `${host} cannot be used: ${(error as Error).message.replace(/\.$/, '')}`;
};

/** The servers that may be used, those that accept writes first. Throws if there is none, or if two different servers accept
 *  writes: then one of them has old data. */
export const findUsable = async (urls: readonly string[], allowStandby: boolean): Promise<string[]> => {
  const states = await readServerStates(urls, { waitForAll: false });
  const conflict = findConflict(states);
  if (conflict) throw new DatabaseSetupError(`${conflict.message} ${conflict.fix}`);
  const primaries = states.filter(({ role }) => role === 'primary');
  const others = states.filter(({ role }) => role === 'standby' || role === 'read-only');
  const usable = allowStandby ? [...primaries, ...others] : primaries;
  if (usable.length > 0) return usable.map(({ url }) => url);
  const failed = states.filter(({ role }) => role === 'failed');
  const rejected = failed.find(({ error }) => !isUnreachable(error));
  if (rejected) throw rejected.error;
  if (failed.length === states.length) throw failed[0]?.error;
  throw new NoPrimaryError(states.map(describe).join('; '));
};

const findingOf = (state: ServerState): string | Fault => {
  const message = `${describe(state)}.`;
  if (state.role === 'primary' || state.role === 'standby') return message;
  const fix =
    state.role === 'read-only'
      ? 'Set default_transaction_read_only = off, or remove it from DATABASE_URL.'
      : isUnreachable(state.error)
        ? 'Start it and check the network, or remove it from DATABASE_URL.'
        : 'Check this server, the user, the password and the database in DATABASE_URL.';
  return ['warning', message, fix];
};

/** The state of each server of DATABASE_URL, if it names several. */
export const diagnoseServers = async ({ url }: PostgresDatabase): Promise<Diagnosis[]> => {
  const { urls } = new Servers(url);
  if (urls.length === 1) return [];
  const states = await readServerStates(urls, { waitForAll: true });
  const conflict = findConflict(states);
  const findings = states.map(findingOf);
  if (conflict) findings.push(['problem', conflict.message, conflict.fix]);
  return findings.map((finding) => diagnosis('Server', finding));
};
