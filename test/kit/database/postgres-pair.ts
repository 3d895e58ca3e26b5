import { setTimeout as pause } from 'node:timers/promises';
import { existingPostgres } from './engines.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

const query = (url: string, text: string) => existingPostgres(url).query(text);

/** Waits until the standby has replayed everything that the primary has written. */
const untilReplayed = async (primary: PostgresServer, standby: PostgresServer): Promise<void> => {
  const [written] = await query(primary.url, 'select pg_current_wal_lsn() as lsn');
  for (let tries = 0; tries < 200; tries++) {
    const [replayed] = await query(
      standby.url,
      `select pg_last_wal_replay_lsn() >= '${written?.lsn}' as done`,
    );
    if (replayed?.done) return;
    await pause(25);
  }
  throw new Error('the standby does not follow');
};

/** A primary and its standby, with streaming replication. */
export const startPair = async () => {
  let primary = await startPostgres({ flushes: false });
  await primary.halt();
  let standby = await startPostgres({ flushes: false, standbyOf: primary });
  await primary.restart();
  await untilReplayed(primary, standby);
  return {
    get primary() {
      return primary;
    },
    get standby() {
      return standby;
    },
    untilReplayed: () => untilReplayed(primary, standby),
    /** Promotes the standby. The former primary returns as a standby. */
    switchOver: async () => {
      await primary.halt();
      await query(standby.url, 'select pg_promote()');
      [primary, standby] = [standby, primary];
      standby.follow(primary.url);
      await standby.restart();
    },
    stop: async () => {
      await standby.stop();
      await primary.stop();
    },
  };
};
