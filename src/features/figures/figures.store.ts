import { sql } from 'kysely';
import { statementsOver } from '../../db/statement.ts';

export type RecentImport = {
  id: string;
  name: string;
  state: string;
  /** JSON: row counts by verdict and effect. */
  totals: string;
  created_at: string;
  created_by: string;
  created_by_email: string | null;
  applied_at: string | null;
};

const statement = statementsOver<object>();

export type CreatedContacts = { start: string; source: string; count: number };

/** The contacts of each source that were created in each span of time. `spans` is a JSON object of starts and ends. */
export const countCreatedContacts = statement(
  (_, { workspace, spans }: { workspace: number; spans: string }, dialect) => sql<CreatedContacts>`
    select d.key as start, c.source, count(*) as count
    from (select key, value from ${dialect.eachEntry(spans)}) as d cross join contacts as c
    where c.workspace_id = ${workspace} and c.created_at >= d.key and c.created_at < d.value group by 1, 2`,
);

/** The last imports, with the email of the user who uploaded the file. */
export const listRecentImports = statement(
  (_, { workspace, limit }: { workspace: number; limit: number }) => sql<RecentImport>`
    select i.id, i.name, i.state, i.totals, i.created_at, i.created_by, i.applied_at, u.email as created_by_email
    from imports as i
    left join users as u on u.workspace_id = ${workspace} and u.id = i.created_by
    where i.workspace_id = ${workspace} and i.state <> 'deleting' order by i.seq desc limit ${limit}`,
);
