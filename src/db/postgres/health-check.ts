import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Fault } from '../../lib/errors.ts';
import type { RunRecorder } from '../../lib/run-counters.ts';
import type { Outage } from '../outage.ts';
import { disconnect as end, newClient } from './connection.ts';
import { faultOf, formerPrimaryError, readOnlyError } from './errors.ts';
import type { PoolSockets } from './pool-sockets.ts';
import { readServerStates } from './server-states.ts';
import { hostsOf, type Servers } from './servers.ts';

const INTERVAL_MS = 1_000;
/** After an error, which may affect only this connection. */
const RETRY_MS = 100;
const TIMEOUT_MS = 2_000;
/** How often the other servers are asked whether one was promoted. */
const OTHERS_EVERY_MS = 5_000;
/** Time to read an answer that arrived while the event loop was blocked, before the server counts as unreachable. */
const LATE_ANSWER_MS = 50;

interface Health {
  readonly state: 'writable' | 'standby' | 'former' | 'failed' | 'unreachable';
  /** Undefined if it is writable. */
  readonly fault?: Pick<Fault, 'reason' | 'code'>;
  /** The error of all requests meanwhile, if the server answers. */
  readonly failure?: () => Error;
}

const WRITABLE: Health = { state: 'writable' };
/** A server that answers, but must not be used. */
const unusable = (state: 'standby' | 'former', failure: () => Error): Health => ({
  state,
  fault: faultOf(failure()),
  failure,
});
const FORMER = unusable('former', formerPrimaryError);
const STANDBY = unusable('standby', readOnlyError);
const UNREACHABLE: Health = {
  state: 'unreachable',
  fault: { reason: 'no_answer', code: `no answer within ${TIMEOUT_MS / 1000} seconds` },
};

const IS_STANDBY = 'select pg_is_in_recovery() as standby';

/** An error in time also shows that the server is reachable. */
const healthOf = async (query: Promise<Health>): Promise<Health> => {
  const settled = query.catch((error): Health => ({ state: 'failed', fault: faultOf(error) }));
  const within = (ms: number) => Promise.race([settled, pause(ms, undefined, { ref: false })]);
  return (await within(TIMEOUT_MS)) ?? (await within(LATE_ANSWER_MS)) ?? UNREACHABLE;
};

/** Probes the current server every second on a separate connection. While it is unreachable, a standby or a former
 *  primary, the pool's sockets are destroyed: no request waits for a dead server or reads old data. Then the other servers are
 *  probed in turn, and the pool connects to the first primary. Returns a function that stops it. */
export const startHealthCheck = (
  servers: Servers,
  sockets: PoolSockets,
  { task, outage }: { task: RunRecorder; outage: Pick<Outage, 'lost' | 'found'> },
): (() => void) => {
  let isLost = false;
  let lastState: Health['state'] = 'writable';
  let client: Client | undefined;
  let url = servers.current;
  let stopped = false;

  const disconnect = () => {
    if (client) end(client);
    client = undefined;
  };

  const readHealth = async (connected: Client): Promise<Health> => {
    if ((await connected.query(IS_STANDBY)).rows[0].standby) return STANDBY;
    return (await servers.leadsToFormer(connected)) ? FORMER : WRITABLE;
  };

  /** If another server was promoted, the next probe finds that the current one is a former primary. */
  const noteOthers = async () => {
    const others = servers.urls.filter((each) => each !== servers.current);
    for (const { timeline } of await readServerStates(others, { waitForAll: true }))
      if (timeline) servers.isFormer(timeline);
  };

  const probe = async (): Promise<Health> => {
    if (client) return healthOf(readHealth(client));
    const opened = newClient(url, 'health check');
    client = opened;
    return healthOf(opened.connect().then(() => readHealth(opened)));
  };

  /** A single error may affect only the connection of the health check. */
  const noteLoss = ({ state, fault }: Health) => {
    const isConfirmed = state !== 'failed' || lastState === 'failed';
    if (isConfirmed && fault) outage.lost(fault, { server: hostsOf(url) });
    isLost ||= isConfirmed;
    lastState = state;
  };

  /** Applies a result to the pool. Returns how long to wait for the next probe. */
  const apply = (health: Health): number => {
    const { state } = health;
    if (state === 'writable') {
      const hasMoved = url !== servers.current;
      if (hasMoved) {
        servers.use(url);
        sockets.destroyAll();
      }
      sockets.reset();
      if (isLost || hasMoved) outage.found({ server: hostsOf(url) });
      isLost = false;
      lastState = state;
      return INTERVAL_MS;
    }
    if (url === servers.current) noteLoss(health);
    disconnect();
    if (url === servers.current) {
      if (state === 'failed') sockets.reset();
      else sockets.destroyAll(health.failure);
    }
    url = servers.after(url);
    return state === 'unreachable' ? 0 : RETRY_MS;
  };

  const run = async () => {
    while (!stopped) {
      const began = performance.now();
      const health = await probe();
      task.record((performance.now() - began) / 1000, health.state !== 'writable');
      await pause(apply(health), undefined, { ref: false });
    }
    disconnect();
  };
  run();
  const others = servers.urls.length > 1 ? setInterval(noteOthers, OTHERS_EVERY_MS).unref() : undefined;
  return () => {
    stopped = true;
    clearInterval(others);
    disconnect();
  };
};
