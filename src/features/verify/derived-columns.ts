import { type Check, FindingCollector, readInBatches } from '../../db/check.ts';
import { canonicalHash } from '../../lib/canonical-json.ts';
import { type AgentRow, rowOf as agentRowOf, type VersionRow } from '../agents/agent.store.ts';
import { type ContactRow, rowOf as contactRowOf } from '../contacts/contact.store.ts';
import { keysOf } from '../duplicates/duplicate.keys.ts';

type Identified = { workspace_id: number; id: string };

interface DerivedColumns<R> {
  readonly rows: string;
  readonly derive: (row: R) => Partial<R>;
  readonly since?: number;
  /** How to read the rows. Default: in the order of `seq`. */
  readonly batches?: { readonly key: string; readonly size: number };
}

/** A check that derived columns match the columns they are computed from. The computation is code, so the rows are read
 *  from the database. */
const derivedColumns = <R extends Identified>(
  name: string,
  { rows, derive, since, batches }: DerivedColumns<R>,
): Check => ({
  name,
  since,
  find: async (snapshot) => {
    const found = new FindingCollector();
    for await (const batch of readInBatches<R>(snapshot, rows, batches)) {
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

type AgentNow = AgentRow & { version: string | null; number: number | null };
type Config = Identified & Pick<VersionRow, 'config' | 'config_sha256'>;

export const derivedColumnChecks: readonly Check[] = [
  derivedColumns<Config>('hashes of configurations match them', {
    rows: `select c.* from (select workspace_id, id, config, config_sha256 from agent_versions
      where config is not null or config_sha256 is not null) as c`,
    derive: ({ config }) => ({ config_sha256: canonicalHash(JSON.parse(config ?? 'null')) }),
    since: 39,
    // A configuration takes up to 64 KiB.
    batches: { key: 'id', size: 200 },
  }),
  derivedColumns<ContactRow>('derived columns of contacts match their other columns', {
    rows: 'select c.* from contacts as c',
    derive: (row) => {
      const { wire, search_text, search_phone } = contactRowOf(row);
      return { wire, search_text, search_phone };
    },
  }),
  // Only of workspaces whose contacts have all been compared.
  derivedColumns<ContactRow & { keys: string | null }>('the keys of duplicates match the contacts', {
    rows: `select c.* from (
      select contacts.*, (
        select string_agg(k.key, ',') from duplicate_keys as k
        where k.workspace_id = contacts.workspace_id and k.contact_id = contacts.id and k.key not like 'a%'
      ) as keys from contacts join duplicate_followers as f on f.workspace_id = contacts.workspace_id
      where f.walked_until is null and not exists (
        select 1 from events as e where e.workspace_id = f.workspace_id and (e.seq < 0 or e.seq > f.followed_until)
      )) as c`,
    derive: ({ keys, ...row }) => {
      const sorted = (all: string[]) => all.sort().join();
      return { keys: sorted(keysOf(row)) === sorted(keys?.split(',') ?? []) ? keys : '' };
    },
    since: 43,
  }),
  derivedColumns<AgentNow>('derived columns of agents match their other columns', {
    rows: `select c.*, v.id as version, v.number from agents as c left join agent_versions as v
      on v.workspace_id = c.workspace_id and v.agent_id = c.id and v.status = 'deployed'`,
    derive: ({ version, number, ...row }) => ({
      wire: agentRowOf(row, version === null || number === null ? undefined : { id: version, number }).wire,
    }),
  }),
];
