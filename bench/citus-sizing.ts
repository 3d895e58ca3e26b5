import { parseArgs } from 'node:util';
import { hashInt8 } from '../src/db/postgres/citus/shard-hash.ts';

/** Calculates a Citus cluster for docs/citus.md, and simulates how workspaces of very different sizes spread over shards and
 *  nodes. Usage: node bench/citus-sizing.ts [--contacts 1e9] [--workspaces 1e5] [--shards 128] [--workers 16] */
const { values } = parseArgs({
  options: {
    contacts: { type: 'string', default: '1e9' },
    workspaces: { type: 'string', default: '1e5' },
    shards: { type: 'string', default: '128' },
    workers: { type: 'string', default: '16' },
    instances: { type: 'string', default: '10' },
  },
});
const contacts = Number(values.contacts);
const workspaces = Number(values.workspaces);
const shards = Number(values.shards);
const workers = Number(values.workers);
const instances = Number(values.instances);

/** Measured with 50,000 imported contacts that have seven fields and two tags. */
const BYTES = { heap: 1_025, indexes: 585, tags: 266 };
const POOL_SIZE = 12;

/** Sizes by Zipf's law: the workspace of rank n has 1/n^s of the contacts of the largest one. */
const zipf = (s: number): number[] => {
  const weights = Array.from({ length: workspaces }, (_, rank) => 1 / (rank + 1) ** s);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => (weight / sum) * contacts);
};

/** The contacts in each shard. Citus divides the range of the hash into equal parts. */
const spread = (sizes: readonly number[]): number[] => {
  const sums = Array.from({ length: shards }, () => 0);
  for (const [id, size] of sizes.entries()) {
    const at = Math.floor(((hashInt8(id + 1) + 2 ** 31) / 2 ** 32) * shards);
    sums[at] = (sums[at] as number) + size;
  }
  return sums;
};

/** The contacts on each worker, with shards dealt out in turn, as Citus does. */
const onWorkers = (sums: readonly number[]): number[] => {
  const totals = Array.from({ length: workers }, () => 0);
  for (const [shard, size] of sums.entries())
    totals[shard % workers] = (totals[shard % workers] as number) + size;
  return totals;
};

const gb = (bytes: number) => `${Math.round(bytes / 1e9).toLocaleString('en')} GB`;
const millions = (count: number) => `${(count / 1e6).toFixed(1)} million`;
const perContact = BYTES.heap + BYTES.indexes + BYTES.tags;
/** The pool has one connection more for each worker and for the coordinator. The last one is that of the health check, which
 *  does not lead to a worker. */
const inPool = POOL_SIZE + workers + 1;
const connections = inPool + 1;

console.log(`Contacts with tags: ${gb(contacts * perContact)} (${perContact} bytes each), of which indexes: \
${gb(contacts * (BYTES.indexes + BYTES.tags / 2))}
Each of ${workers} workers: ${gb((contacts * perContact) / workers)}
Connections to the coordinator: ${instances * connections} (${instances} instances, ${connections} each); to each worker: up to \
${instances * inPool}`);
for (const s of [0, 0.8, 1]) {
  const sizes = zipf(s);
  const inShards = spread(sizes);
  const largestNode = Math.max(...onWorkers(inShards));
  console.log(
    `Skew ${s}: largest workspace ${millions(Math.max(...sizes))}, largest shard ${millions(Math.max(...inShards))} \
(mean ${millions(contacts / shards)}), fullest worker ${(largestNode / (contacts / workers)).toFixed(2)} × the mean`,
  );
}
