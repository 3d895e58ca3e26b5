import { type Check, FindingCollector, readInBatches } from '../../db/check.ts';
import { type AgentRow, rowOf as agentRowOf } from '../agents/agent.store.ts';
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

export const derivedColumnChecks: readonly Check[] = [
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
