import { type Check, Found, walk } from '../../db/check.ts';
import { type AgentRow, rowOf as agentRowOf } from '../agents/agent.store.ts';
import { type ContactRow, rowOf as contactRowOf } from '../contacts/contact.store.ts';

type Placed = { workspace_id: number; id: string; seq: number };

/** A check that columns hold what is made from the others on every write. That takes more than SQL can say, so that the
 *  rows come here. */
const madeFrom = <R extends Placed>(
  name: string,
  { rows, made }: { rows: string; made: (row: R) => Partial<R> },
): Check => ({
  name,
  since: 1,
  find: async (snapshot) => {
    const found = new Found();
    for await (const batch of walk<R>(snapshot, rows)) {
      for (const row of batch) {
        for (const [column, value] of Object.entries(made(row))) {
          if (row[column as keyof R] !== value)
            found.add(`the ${column} of ${row.id} is not what its columns say`);
        }
      }
    }
    return found;
  },
});

const contacts = madeFrom<ContactRow & Placed>(
  'list forms and search texts of contacts are those of their columns',
  {
    rows: 'select c.* from contacts as c',
    made: (row) => {
      const { wire, search_text, search_phone } = contactRowOf(row);
      return { wire, search_text, search_phone };
    },
  },
);

type AgentNow = AgentRow & Placed & { version: string | null; number: number | null };

const agents = madeFrom<AgentNow>('list forms of agents are those of their columns', {
  rows: `select c.*, v.id as version, v.number from agents as c left join agent_versions as v
    on v.workspace_id = c.workspace_id and v.agent_id = c.id and v.status = 'deployed'`,
  made: ({ version, number, ...row }) => ({
    wire: agentRowOf(row, version === null || number === null ? undefined : { id: version, number }).wire,
  }),
});

export const madeChecks: readonly Check[] = [contacts, agents];
