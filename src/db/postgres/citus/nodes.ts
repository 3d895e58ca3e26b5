import type { Pool } from 'pg';
import type { Arguments } from '../../statement.ts';
import { maxLongReads } from '../pool-size.ts';
import { ClusterNode } from './node.ts';
import { hashInt8 } from './shard-hash.ts';

interface ShardRow {
  readonly min: number;
  readonly group: number;
}

interface NodeRow {
  readonly group: number;
  readonly host: string;
  readonly port: number;
}

/** All tables are co-located with this one. */
const SHARDS = `select shardminvalue::int as min, groupid as "group"
  from pg_dist_shard join pg_dist_placement using (shardid)
  where logicalrelid = 'contacts'::regclass order by shardminvalue::int`;
const NODES = `select groupid as "group", nodename as host, nodeport as port from pg_dist_node
  where noderole = 'primary' and isactive and groupid <> 0`;
const TABLES = `select logicalrelid::text as name, partmethod = 'h' as "isDistributed"
  from pg_dist_partition where partmethod = 'h' or repmodel = 't'`;

const COORDINATOR = 0;

/** One node uses at most two thirds of the pool, so that the others continue when it hangs. */
const RESERVED_SHARE = 3;

/** Where a statement runs: only on the coordinator, on the node of its workspace, or on every node because it changes a
 *  table that all of them have. */
type Place = 'coordinator' | 'workspace' | 'everyNode';

/** The first table that a statement changes. */
const CHANGED_TABLE = /^\s*(?:insert into|update|delete from) "?(\w+)/i;

const WORDS = /\w+/g;

/** Which node of a Citus cluster has which workspace. */
export class ClusterNodes {
  readonly #pool: Pool;
  readonly #poolSize: number;
  readonly #nodes = new Map<number, ClusterNode>();
  readonly #places = new Map<string, Place>();
  readonly coordinator: ClusterNode;
  #addresses: readonly NodeRow[] = [];
  #shards: readonly ShardRow[] = [];
  #referenceTables = new Set<string>();
  #distributedTables = new Set<string>();

  private constructor(pool: Pool) {
    this.#pool = pool;
    this.#poolSize = pool.options.max;
    const all = { connections: this.#poolSize, longReads: maxLongReads(this.#poolSize) };
    this.coordinator = new ClusterNode(pool, all);
    this.#nodes.set(COORDINATOR, this.coordinator);
  }

  static async load(pool: Pool): Promise<ClusterNodes> {
    const nodes = new ClusterNodes(pool);
    const { rows } = await pool.query<{ name: string; isDistributed: boolean }>(TABLES);
    const names = (isDistributed: boolean) =>
      rows.filter((row) => row.isDistributed === isDistributed).map(({ name }) => name);
    nodes.#referenceTables = new Set(names(false));
    nodes.#distributedTables = new Set(names(true));
    await nodes.refresh();
    return nodes;
  }

  /** Reads where the shards are. A rebalanced cluster has them on other nodes. Nodes that were removed or disabled are
   *  forgotten: changes of reference tables no longer need them. */
  async refresh(): Promise<void> {
    this.#shards = (await this.#pool.query<ShardRow>(SHARDS)).rows;
    this.#addresses = (await this.#pool.query<NodeRow>(NODES)).rows;
    const active = new Set([COORDINATOR, ...this.#addresses.map(({ group }) => group)]);
    const removed = [...this.#nodes].filter(([group]) => !active.has(group));
    for (const [group] of removed) this.#nodes.delete(group);
    const connections = this.#poolSize - Math.max(2, Math.floor(this.#poolSize / RESERVED_SHARE));
    for (const { group } of this.#shards)
      if (active.has(group) && !this.#nodes.has(group))
        this.#nodes.set(
          group,
          new ClusterNode(this.#pool, { connections, longReads: Math.max(1, Math.floor(connections / 2)) }),
        );
    // Short reads of each node have a connection of their own.
    this.#pool.options.max = this.#poolSize + this.#nodes.size;
    for (const [, node] of removed) await node.renew();
  }

  get all(): Iterable<ClusterNode> {
    return this.#nodes.values();
  }

  /** The workers with their addresses. */
  *workers(): Iterable<{ node: ClusterNode; host: string; port: number }> {
    for (const { group, host, port } of this.#addresses) {
      const node = this.#nodes.get(group);
      if (node) yield { node, host, port };
    }
  }

  /** The node that has the rows of a workspace. */
  nodeOf(workspace: number): ClusterNode {
    const hash = hashInt8(workspace);
    let low = 0;
    for (let high = this.#shards.length - 1; low < high; ) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#shards[middle] as ShardRow).min <= hash) low = middle;
      else high = middle - 1;
    }
    return this.#nodes.get(this.#shards[low]?.group ?? COORDINATOR) ?? this.coordinator;
  }

  /** The node of a principal or of another object with a workspace; the coordinator without one. */
  nodeOfPrincipal(principal: unknown): ClusterNode {
    const { workspace } = Object(principal);
    return typeof workspace === 'number' ? this.nodeOf(workspace) : this.coordinator;
  }

  /** The node on which a statement runs. Throws if it needs every node and one is down. */
  nodeFor(sql: string, args: Arguments): ClusterNode {
    const place = this.#places.getOrInsertComputed(sql, () => this.#placeOf(sql));
    if (place === 'everyNode') for (const node of this.#nodes.values()) node.assertUp();
    const workspace = args.workspace ?? args.workspace_id;
    return place === 'workspace' && typeof workspace === 'number' ? this.nodeOf(workspace) : this.coordinator;
  }

  #placeOf(sql: string): Place {
    if (this.#referenceTables.has(CHANGED_TABLE.exec(sql)?.[1] ?? '')) return 'everyNode';
    const isDistributed = sql.match(WORDS)?.some((word) => this.#distributedTables.has(word));
    return isDistributed ? 'workspace' : 'coordinator';
  }
}
