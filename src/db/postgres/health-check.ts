import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
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

/** Why a server cannot be used. */
interface Loss {
  readonly error: Error;
  /** Whether it answers, but must not be used; or answers with an error, which may affect only this connection. */
  readonly state: 'standby' | 'failed' | 'unreachable';
}

const noAnswer = (): Error =>
  Object.assign(new Error(`no answer within ${TIMEOUT_MS / 1000} seconds`), { code: 'ETIMEDOUT' });

const IS_STANDBY = 'select pg_is_in_recovery() as standby';

/** Undefined if the server is writable. An error in time also shows that the server is reachable. */
const lossOf = async (query: Promise<Loss | undefined>): Promise<Loss | undefined> => {
  const settled = query.catch((error): Loss => ({ error, state: 'failed' })).then((loss) => ({ loss }));
  const within = (ms: number) => Promise.race([settled, pause(ms, undefined, { ref: false })]);
  const answer = (await within(TIMEOUT_MS)) ?? (await within(LATE_ANSWER_MS));
  return answer ? answer.loss : { error: noAnswer(), state: 'unreachable' };
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
  let hasFailed = false;
  let client: Client | undefined;
  let url = servers.current;
  let stopped = false;

  const disconnect = () => {
    if (client) end(client);
    client = undefined;
  };

  const findLoss = async (connected: Client): Promise<Loss | undefined> => {
    const { rows } = await connected.query(IS_STANDBY);
    if (rows[0].standby) return { error: readOnlyError(), state: 'standby' };
    const isFormer = await servers.leadsToFormer(connected);
    return isFormer ? { error: formerPrimaryError(), state: 'standby' } : undefined;
  };

  /** If another server was promoted, the next probe finds that the current one is a former primary. */
  const noteOthers = async () => {
    const others = servers.urls.filter((each) => each !== servers.current);
    for (const { timeline } of await readServerStates(others, { waitForAll: true }))
      if (timeline) servers.isFormer(timeline);
  };

  const probe = async (): Promise<Loss | undefined> => {
    if (client) return lossOf(findLoss(client));
    const opened = newClient(url, 'health check');
    client = opened;
    return lossOf(opened.connect().then(() => findLoss(opened)));
  };

  const use = (): void => {
    const hasMoved = url !== servers.current;
    if (hasMoved) {
      servers.current = url;
      sockets.destroyAll();
    }
    sockets.reset();
    if (isLost || hasMoved) outage.found({ server: hostsOf(url) });
    isLost = false;
    hasFailed = false;
  };

  /** The current server is lost. A single error may affect only the connection of the health check. */
  const lose = ({ error, state }: Loss): void => {
    const isConfirmed = state !== 'failed' || hasFailed;
    if (isConfirmed) outage.lost(faultOf(error), { server: hostsOf(url) });
    isLost ||= isConfirmed;
    hasFailed = state === 'failed';
    if (hasFailed) sockets.reset();
    else sockets.destroyAll(state === 'standby' ? () => error : undefined);
  };

  /** Applies a result to the pool. Returns how long to wait for the next probe. */
  const apply = (loss: Loss | undefined): number => {
    if (!loss) {
      use();
      return INTERVAL_MS;
    }
    if (url === servers.current) lose(loss);
    disconnect();
    url = servers.after(url);
    return loss.state === 'unreachable' ? 0 : RETRY_MS;
  };

  const run = async () => {
    while (!stopped) {
      const began = performance.now();
      const loss = await probe();
      task.record((performance.now() - began) / 1000, loss !== undefined);
      await pause(apply(loss), undefined, { ref: false });
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
