import { type Check, FindingCollector, readInBatches } from '../../db/check.ts';
import { canonicalHash } from '../../lib/canonical-json.ts';
import { type AgentRow, rowOf as agentRowOf, type VersionRow } from '../agents/agent.store.ts';
import { type ContactRow, rowOf as contactRowOf } from '../contacts/contact.store.ts';

type Positioned = { workspace_id: number; id: string; seq: number };

/** A check that derived columns match the columns they are computed from. The computation is code, so the rows are read
 *  from the database. */
const derivedColumns = <R extends Positioned>(
  name: string,
  { rows, derive }: { rows: string; derive: (row: R) => Partial<R> },
): Check => ({
  name,
  find: async (snapshot) => {
    const found = new FindingCollector();
    for await (const batch of readInBatches<R>(snapshot, rows)) {
      for (const row of batch) {
        for (const [column, value] of Object.entries(derive(row))) {
          if (row[column as keyof R] !== value)
            found.add(`the ${column} of ${row.id} does not match its other columns`);
        }
      }
    }
    return found;
  },
});

type AgentNow = AgentRow & Positioned & { version: string | null; number: number | null };

const VERSIONS = 200;

/** A version's configuration takes up to 64 KiB. */
const configHashes: Check = {
  name: 'hashes of configurations match them',
  since: 39,
  find: async (snapshot) => {
    const found = new FindingCollector();
    for (let last = { workspace_id: 0, id: '' }; ; ) {
      const batch = await snapshot.all<Pick<VersionRow, 'workspace_id' | 'id' | 'config' | 'config_sha256'>>(
        `select workspace_id, id, config, config_sha256 from agent_versions
          where (config is not null or config_sha256 is not null)
          and (workspace_id, id) > (${last.workspace_id}, '${last.id}') order by workspace_id, id limit ${VERSIONS}`,
      );
      for (const { id, config, config_sha256 } of batch) {
        if (canonicalHash(JSON.parse(config ?? 'null')) !== config_sha256)
          found.add(`the config of version ${id} does not match its hash`);
      }
      const next = batch[VERSIONS - 1];
      if (!next) return found;
      last = next;
    }
  },
};

export const derivedColumnChecks: readonly Check[] = [
  configHashes,
  derivedColumns<ContactRow & Positioned>('derived columns of contacts match their other columns', {
    rows: 'select c.* from contacts as c',
    derive: (row) => {
      const { wire, search_text, search_phone } = contactRowOf(row);
      return { wire, search_text, search_phone };
    },
  }),
  derivedColumns<AgentNow>('derived columns of agents match their other columns', {
    rows: `select c.*, v.id as version, v.number from agents as c left join agent_versions as v
      on v.workspace_id = c.workspace_id and v.agent_id = c.id and v.status = 'deployed'`,
    derive: ({ version, number, ...row }) => ({
      wire: agentRowOf(row, version === null || number === null ? undefined : { id: version, number }).wire,
    }),
  }),
];
