import { setTimeout as pause } from 'node:timers/promises';
import type { RunRecorder } from '../../../lib/run-counters.ts';
import { newClient } from '../connection.ts';
import type { Servers } from '../servers.ts';
import type { ClusterNode } from './node.ts';
import type { ClusterNodes } from './nodes.ts';

const CHECK_EVERY_MS = 250;
/** Between two probes of a node. */
const PROBE_AGAIN_MS = { reachable: 1_000, down: 500 };
/** A node that does not accept a connection in this time counts as down. */
const CONNECT_MS = 1_500;
/** For an answer of the coordinator. */
const TIMEOUT_MS = 4_000;
const REFRESH_EVERY_MS = 30_000;

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** The coordinator connects to a node. Without the second setting it would use an open connection, whose answer it waits for
 *  without a limit. Settings for one transaction also work behind a connection pooler. */
const probeSql = (host: string, port: number) => `begin;
  set local citus.node_connection_timeout = ${CONNECT_MS};
  set local citus.max_cached_conns_per_worker = 0;
  select citus_check_connection_to_node(${literal(host)}, ${port}) as reachable;
  commit`;

const probe = async (url: string, host: string, port: number): Promise<boolean> => {
  const client = newClient(url, 'node check', TIMEOUT_MS);
  try {
    await client.connect();
    const results = (await client.query(probeSql(host, port))) as unknown as {
      rows: { reachable?: boolean }[];
    }[];
    return results.some(({ rows }) => rows[0]?.reachable === true);
  } finally {
    client.end().catch(() => {});
  }
};

/** Probes nodes that take long to answer or have failed. While a node is down, its requests are rejected without waiting,
 *  and it is probed until it is reachable. A healthy cluster is not probed. Returns a function that stops it. */
export const startNodeHealth = (
  nodes: ClusterNodes,
  servers: Servers,
  task: RunRecorder,
  onFault: (error: Error) => void,
): (() => void) => {
  const probing = new Set<ClusterNode>();

  const check = async (node: ClusterNode, host: string, port: number): Promise<void> => {
    const began = performance.now();
    try {
      const isReachable = await probe(servers.current, host, port);
      const wasDown = node.isDown;
      node.apply({ isReachable, began });
      task.record((performance.now() - began) / 1000, !isReachable);
      if (node.isDown !== wasDown)
        onFault(new Error(`The Citus node ${host}:${port} is ${wasDown ? 'reachable again' : 'down'}.`));
      await pause(PROBE_AGAIN_MS[isReachable ? 'reachable' : 'down'], undefined, { ref: false });
    } catch {
      // The coordinator does not answer, which its own health check handles.
    } finally {
      probing.delete(node);
    }
  };

  const checkAll = () => {
    const now = performance.now();
    for (const { node, host, port } of nodes.workers()) {
      if (probing.has(node) || !node.isSuspect(now)) continue;
      probing.add(node);
      check(node, host, port);
    }
  };
  const checks = setInterval(checkAll, CHECK_EVERY_MS).unref();
  const refreshes = setInterval(() => nodes.refresh().catch(onFault), REFRESH_EVERY_MS).unref();
  return () => {
    clearInterval(checks);
    clearInterval(refreshes);
  };
};
