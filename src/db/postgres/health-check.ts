import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { PoolSockets } from './pool-sockets.ts';

const EVERY_MS = 1_000;
/** After a refusal, since what cut this connection may have left the others as they are. */
const AGAIN_MS = 100;
const SILENT_AFTER_MS = 2_000;
/** What has come while this process was busy is read before the server is called silent. */
const SECOND_LOOK_MS = 50;

type Sign = 'answer' | 'refusal' | 'silence';

/** How a question ends: any answer in time is a sign of life, also one that says no. */
const signOf = async (question: Promise<unknown>): Promise<Sign> => {
  let sign: Sign = 'silence';
  const heard = question.then(
    () => {
      sign = 'answer';
    },
    () => {
      sign = 'refusal';
    },
  );
  await Promise.race([heard, pause(SILENT_AFTER_MS, undefined, { ref: false })]);
  if (sign === 'silence') await pause(SECOND_LOOK_MS, undefined, { ref: false });
  return sign;
};

/** Feels the pulse of a server every second, on a connection of its own that no slow statement holds up, and cuts the
 *  lines while it has none. So a statement may take its time, and yet nobody waits for a server that is not there.
 *  Gives back how to stop. */
export const startHealthCheck = (url: string, lines: PoolSockets): (() => void) => {
  let client: Client | undefined;
  let stopped = false;

  const hangUp = () => {
    const { connection } = (client ?? {}) as { connection?: { stream: { destroy(): void } } };
    client = undefined;
    connection?.stream.destroy();
  };

  const feel = async (): Promise<Sign> => {
    if (client) return signOf(client.query('select 1'));
    client = new Client({ connectionString: url, application_name: 'roster pulse' });
    client.on('error', () => {}); // the next beat finds out
    return signOf(client.connect());
  };

  const beat = async () => {
    while (!stopped) {
      const sign = await feel();
      if (sign !== 'answer') hangUp();
      if (sign === 'silence') lines.destroyAll();
      else {
        lines.reset();
        await pause(sign === 'answer' ? EVERY_MS : AGAIN_MS, undefined, { ref: false });
      }
    }
    hangUp();
  };
  beat();
  return () => {
    stopped = true;
    hangUp();
  };
};
