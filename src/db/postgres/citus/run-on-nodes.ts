import type { PoolClient } from 'pg';
import type { MaybePromise } from '../../../lib/maybe-promise.ts';
import type { Kind, RunAsync } from '../../operation.ts';
import type { Arguments } from '../../statement.ts';
import { BatchedWrites } from '../batched-writes.ts';
import { PostgresDb, type Queryable } from '../connection.ts';
import { inTransaction, LONG_MS, readFrom, retryConflicts, SHORT_MS } from '../transaction.ts';
import type { ClusterNode } from './node.ts';
import type { ClusterNodes } from './nodes.ts';

const LOCK_TIMEOUT_MS = 4_000;
/** See batched-writes.ts. */
const BATCH_LOCK_TIMEOUT_MS = 100;

/** The settings of a connection do not reach the workers. A setting of a transaction does, if it is a statement of its own. */
const BEGIN = `begin; set local citus.propagate_set_commands = 'local'`;

/** Runs a transaction and notes on which nodes its statements run. */
const inNodeTransaction = async <O>(
  nodes: ClusterNodes,
  node: ClusterNode,
  work: (db: PostgresDb) => MaybePromise<O>,
  lockTimeoutMs: number,
): Promise<O> => {
  const entered = new Map<ClusterNode, () => void>();
  const onStatement = (client: PoolClient, sql: string, args: Arguments) => {
    const used = nodes.nodeFor(sql, args);
    used.assertUp();
    entered.getOrInsertComputed(used, () => used.enter(client));
  };
  const begin = [BEGIN, `set local lock_timeout = ${lockTimeoutMs}`];
  try {
    const value = await inTransaction(node, work, { begin, onStatement });
    for (const used of entered.keys()) used.noteSuccess();
    return value;
  } catch (error) {
    for (const used of entered.keys()) used.noteError(error);
    throw error;
  } finally {
    for (const leave of entered.values()) leave();
  }
};

/** Runs operations on a cluster, so that a node that is down or hangs affects only its own workspaces: each node has its own
 *  connections for reads and its own batches of writes, and a limited number of connections. */
export const runOnNodes = (nodes: ClusterNodes) => {
  const renew = async () => {
    for (const node of nodes.all) await node.renew();
  };
  /** Sends each statement over the connections of the node on which it runs. */
  const dbOver = (
    source: (node: ClusterNode) => Queryable,
    options: { timeoutMs: number; prepare?: boolean },
  ) =>
    new PostgresDb(source(nodes.coordinator), {
      ...options,
      clientFor: (sql, args) => source(nodes.nodeFor(sql, args)),
    });
  const readWith = (source: (node: ClusterNode) => Queryable, timeoutMs: number): RunAsync =>
    readFrom({
      prepared: dbOver(source, { timeoutMs }),
      unprepared: dbOver((node) => node, { timeoutMs, prepare: false }),
      renew,
    });
  const writeAlone: RunAsync = (operation, principal, input) =>
    retryConflicts(() =>
      inNodeTransaction(
        nodes,
        nodes.nodeOfPrincipal(principal),
        (db) => operation(db, principal, input),
        LOCK_TIMEOUT_MS,
      ),
    );
  const batches = new Map<ClusterNode, BatchedWrites>();
  const newBatches = (node: ClusterNode) =>
    new BatchedWrites((work) => inNodeTransaction(nodes, node, work, BATCH_LOCK_TIMEOUT_MS), writeAlone);
  const run: Record<Kind, RunAsync> = {
    read: readWith((node) => node.shortReads, SHORT_MS),
    longRead: readWith((node) => node.longReads, LONG_MS),
    write: (operation, principal, input) =>
      operation.runMany
        ? batches
            .getOrInsertComputed(nodes.nodeOfPrincipal(principal), newBatches)
            .write(operation, principal, input)
        : writeAlone(operation, principal, input),
  };
  const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0);
  return {
    run,
    renew,
    waiting: () => ({
      longReads: sum([...nodes.all].map(({ waitingLongReads }) => waitingLongReads)),
      batchedWrites: sum([...batches.values()].map(({ waiting }) => waiting)),
    }),
  };
};
