import type { PoolClient, QueryConfig } from 'pg';
import type { MaybePromise } from '../../../lib/maybe-promise.ts';
import type { Kind, RunAsync } from '../../operation.ts';
import type { Arguments, Statement } from '../../statement.ts';
import { BatchedWrites } from '../batched-writes.ts';
import { inOnePacket, PostgresDb, type Queryable, withClient } from '../connection.ts';
import { postgresCompiler } from '../dialect.ts';
import { asUnavailable, isStaleStatement } from '../errors.ts';
import { checkReplicated } from '../replication.ts';
import { retryConflicts } from '../retry-conflicts.ts';
import { LONG_MS, SHORT_MS } from '../transaction.ts';
import type { ClusterNode } from './node.ts';
import type { ClusterNodes } from './nodes.ts';

interface ReadOptions {
  readonly timeoutMs: number;
  readonly prepare?: boolean;
}

/** Sends each statement over the connections of the node on which it runs. */
class ReadDb extends PostgresDb {
  readonly #nodes: ClusterNodes;
  readonly #dbs = new Map<ClusterNode, PostgresDb>();
  readonly #open: (node: ClusterNode) => PostgresDb;

  constructor(nodes: ClusterNodes, source: (node: ClusterNode) => Queryable, options: ReadOptions) {
    super(source(nodes.coordinator), options);
    this.#nodes = nodes;
    this.#open = (node) => new PostgresDb(source(node), options);
  }

  override async get<A extends Arguments, R>(statement: Statement<A, R>, args: A): Promise<R | undefined> {
    return this.#dbFor(statement, args).get(statement, args);
  }

  override async all<A extends Arguments, R>(statement: Statement<A, R>, args: A): Promise<R[]> {
    return this.#dbFor(statement, args).all(statement, args);
  }

  #dbFor<A extends Arguments>(statement: Statement<A, unknown>, args: A): PostgresDb {
    const node = this.#nodes.nodeFor(statement.textFor(postgresCompiler).sql, args);
    const db = this.#dbs.get(node) ?? this.#open(node);
    this.#dbs.set(node, db);
    return db;
  }
}

/** A transaction that knows on which nodes its statements run. */
class TransactionDb extends PostgresDb {
  readonly #nodes: ClusterNodes;
  readonly #client: PoolClient;
  readonly #entered = new Map<ClusterNode, () => void>();

  constructor(nodes: ClusterNodes, client: PoolClient) {
    super(client, { timeoutMs: LONG_MS });
    this.#nodes = nodes;
    this.#client = client;
  }

  override async get<A extends Arguments, R>(statement: Statement<A, R>, args: A): Promise<R | undefined> {
    this.#enter(statement, args);
    return super.get(statement, args);
  }

  override async all<A extends Arguments, R>(statement: Statement<A, R>, args: A): Promise<R[]> {
    this.#enter(statement, args);
    return super.all(statement, args);
  }

  override async run<A extends Arguments>(statement: Statement<A, unknown>, args: A): Promise<number> {
    this.#enter(statement, args);
    return super.run(statement, args);
  }

  noteSuccess(): void {
    for (const node of this.#entered.keys()) node.noteSuccess();
  }

  noteError(error: unknown): void {
    for (const node of this.#entered.keys()) node.noteError(error);
  }

  leave(): void {
    for (const leave of this.#entered.values()) leave();
  }

  #enter<A extends Arguments>(statement: Statement<A, unknown>, args: A): void {
    const node = this.#nodes.nodeFor(statement.textFor(postgresCompiler).sql, args);
    node.assertUp();
    if (!this.#entered.has(node)) this.#entered.set(node, node.enter(this.#client));
  }
}

const LOCK_TIMEOUT_MS = 4_000;
/** See batched-writes.ts. */
const BATCH_LOCK_TIMEOUT_MS = 100;

/** The settings of a connection do not reach the workers. A setting of a transaction does, if it is a statement of its own. */
const BEGIN = `begin; set local citus.propagate_set_commands = 'local'`;

const inNodeTransaction = <O>(
  nodes: ClusterNodes,
  node: ClusterNode,
  work: (db: PostgresDb) => MaybePromise<O>,
  lockTimeoutMs: number,
): Promise<O> =>
  withClient(node, async (client) => {
    const db = new TransactionDb(nodes, client);
    const send = (text: string) => client.query({ text, query_timeout: SHORT_MS } as QueryConfig);
    try {
      const [value] = await inOnePacket(client, () => {
        const begun = [send(BEGIN), send(`set local lock_timeout = ${lockTimeoutMs}`)];
        return Promise.all([work(db), ...begun]);
      });
      await inOnePacket(client, () => db.commit());
      checkReplicated(client);
      db.noteSuccess();
      return value as O;
    } catch (error) {
      db.noteError(error);
      throw error;
    } finally {
      db.leave();
    }
  });

/** Runs operations on a cluster, so that a node that is down or hangs affects only its own workspaces: each node has its own
 *  connections for reads and its own batches of writes, and a limited number of connections. */
export const runOnNodes = (nodes: ClusterNodes) => {
  const readWith = (source: (node: ClusterNode) => Queryable, timeoutMs: number): RunAsync => {
    const db = new ReadDb(nodes, source, { timeoutMs });
    const unprepared = new ReadDb(nodes, (node) => node, { timeoutMs, prepare: false });
    return async (operation, principal, input) => {
      try {
        return await operation(db, principal, input);
      } catch (error) {
        if (!isStaleStatement(error)) throw asUnavailable(error);
        await renew();
        return await Promise.try(() => operation(unprepared, principal, input)).catch((error) => {
          throw asUnavailable(error);
        });
      }
    };
  };
  const renew = async () => {
    for (const node of nodes.all) await node.renew();
  };
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
  const batchesOf = (node: ClusterNode): BatchedWrites => {
    const known = batches.get(node);
    if (known) return known;
    const made = new BatchedWrites(
      (work) => inNodeTransaction(nodes, node, work, BATCH_LOCK_TIMEOUT_MS),
      writeAlone,
    );
    batches.set(node, made);
    return made;
  };
  const run: Record<Kind, RunAsync> = {
    read: readWith((node) => node.shortReads, SHORT_MS),
    longRead: readWith((node) => node.longReads, LONG_MS),
    write: (operation, principal, input) =>
      operation.batchKey
        ? batchesOf(nodes.nodeOfPrincipal(principal)).write(operation, principal, input)
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
