import { setTimeout as pause } from 'node:timers/promises';
import { type Cluster, waitUntil } from '../kit/database/patroni.ts';

/** A fault of the cluster, or maintenance. */
export interface Drill {
  readonly name: string;
  /** Returns when the fault is over, or when it is certain that another server has become the primary. */
  begin(cluster: Cluster): Promise<void>;
  /** Repairs what the fault left. */
  repair?(cluster: Cluster): Promise<void>;
}

const untilAnotherPrimary = (cluster: Cluster, former: string) =>
  waitUntil('another server is the primary', async () => {
    const { name } = await cluster.primary().catch(() => ({ name: former }));
    return name !== former;
  });

const withRepair = (
  name: string,
  begin: (cluster: Cluster) => Promise<() => Promise<void> | void>,
): Drill => {
  let repair: (() => Promise<void> | void) | undefined;
  return {
    name,
    begin: async (cluster) => {
      repair = await begin(cluster);
    },
    repair: async () => repair?.(),
  };
};

/** A former primary accepts writes until it notices. It has time to do harm before it is repaired. */
const FORMER_PRIMARY_MS = 3_000;

export const drills: readonly Drill[] = [
  withRepair('kill -9 of the primary', async (cluster) => {
    const former = await cluster.primary();
    await former.kill();
    await untilAnotherPrimary(cluster, former.name);
    return former.start;
  }),
  {
    name: 'switchover',
    begin: async (cluster) => {
      const former = await cluster.primary();
      await former.switchOver(former.name);
      await untilAnotherPrimary(cluster, former.name);
    },
  },
  withRepair('freeze and thaw of the primary', async (cluster) => {
    const former = await cluster.primary();
    const thaw = former.freeze();
    const others = { ...cluster, primary: () => primaryExcept(cluster, former.name) };
    await untilAnotherPrimary(others, former.name);
    await pause(FORMER_PRIMARY_MS);
    thaw();
    await pause(FORMER_PRIMARY_MS);
    return () => {};
  }),
  withRepair('partition of the primary from etcd', async (cluster) => {
    const former = await cluster.primary();
    former.cutFromEtcd();
    await untilAnotherPrimary(cluster, former.name);
    await pause(FORMER_PRIMARY_MS);
    return former.reconnectToEtcd;
  }),
  withRepair('kill -9 of the synchronous standby', async (cluster) => {
    const standbys = await synchronousStandbys(cluster);
    const lost = cluster.nodes.filter(({ name }) => standbys.includes(name));
    for (const node of lost) await node.kill();
    await waitUntil('another standby is synchronous', async () => {
      const names = await synchronousStandbys(cluster);
      return names.some((name) => !standbys.includes(name));
    });
    return () => {
      for (const node of lost) node.start();
    };
  }),
  {
    name: 'freeze of both standbys for 20 seconds',
    begin: async (cluster) => {
      const primary = await cluster.primary();
      const thaws = cluster.nodes.filter(({ name }) => name !== primary.name).map((node) => node.freeze());
      await pause(20_000);
      for (const thaw of thaws) thaw();
    },
  },
  {
    name: 'HAProxy killed for three seconds',
    begin: async (cluster) => {
      cluster.killHaproxy();
      await pause(3_000);
      cluster.startHaproxy();
    },
  },
  {
    name: 'rolling restart of all servers',
    begin: async (cluster) => {
      const former = await cluster.primary();
      for (const node of cluster.nodes.filter(({ name }) => name !== former.name)) {
        await node.restart();
        await cluster.untilHealthy();
      }
      await former.switchOver(former.name);
      await untilAnotherPrimary(cluster, former.name);
      await cluster.untilHealthy();
      await former.restart();
    },
  },
];

const synchronousStandbys = async (cluster: Cluster): Promise<string[]> =>
  (await cluster.members()).filter(({ role }) => role === 'sync_standby').map(({ name }) => name);

/** The REST API of a frozen node does not answer. */
const primaryExcept = async (cluster: Cluster, name: string) => {
  for (const node of cluster.nodes) if (node.name !== name && (await node.isPrimary())) return node;
  throw new Error('there is no primary');
};
