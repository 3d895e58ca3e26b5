import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { RunRecorder } from '../../lib/run-counters.ts';
import type { PoolSockets } from './pool-sockets.ts';

const INTERVAL_MS = 1_000;
/** After an error, which may affect only this connection. */
const RETRY_MS = 100;
const TIMEOUT_MS = 2_000;
/** Time to read an answer that arrived while the event loop was blocked, before the server counts as unreachable. */
const LATE_ANSWER_MS = 50;

type Health = 'answered' | 'failed' | 'unreachable';

/** An error in time also shows that the server is reachable. */
const healthOf = async (query: Promise<unknown>): Promise<Health> => {
  let health: Health = 'unreachable';
  const settled = query.then(
    () => {
      health = 'answered';
    },
    () => {
      health = 'failed';
    },
  );
  await Promise.race([settled, pause(TIMEOUT_MS, undefined, { ref: false })]);
  if (health === 'unreachable') await pause(LATE_ANSWER_MS, undefined, { ref: false });
  return health;
};

/** Probes a server every second on a separate connection, and destroys the pool's sockets while it is unreachable. Slow
 *  statements can finish, and no request waits for a dead server. Returns a function that stops it. */
export const startHealthCheck = (url: string, sockets: PoolSockets, task: RunRecorder): (() => void) => {
  let client: Client | undefined;
  let stopped = false;

  const disconnect = () => {
    const { connection } = (client ?? {}) as { connection?: { stream: { destroy(): void } } };
    client = undefined;
    connection?.stream.destroy();
  };

  const probe = async (): Promise<Health> => {
    if (client) return healthOf(client.query('select 1'));
    client = new Client({ connectionString: url, application_name: 'roster health check' });
    client.on('error', () => {}); // the next probe notices
    return healthOf(client.connect());
  };

  const run = async () => {
    while (!stopped) {
      const began = performance.now();
      const health = await probe();
      task.record((performance.now() - began) / 1000, health !== 'answered');
      if (health !== 'answered') disconnect();
      if (health === 'unreachable') sockets.destroyAll();
      else {
        sockets.reset();
        await pause(health === 'answered' ? INTERVAL_MS : RETRY_MS, undefined, { ref: false });
      }
    }
    disconnect();
  };
  run();
  return () => {
    stopped = true;
    disconnect();
  };
};
