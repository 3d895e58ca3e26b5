import { Pool, type QueryResultRow, types } from 'pg';
import { fold } from '../../src/lib/text.ts';
import { type AgentRow, COLUMNS, type ContactRow, type PlainStore, type VersionRow } from './plain.store.ts';

types.setTypeParser(types.builtins.INT8, Number);

const like = (text: string) => `%${fold(text).replace(/[\\%_]/g, '\\$&')}%`;

/** A statement that each connection prepares once, under its name. */
const named = (name: string, text: string) => (values: unknown[]) => ({ name, text, values });

const columns = COLUMNS.map((column) => `c.${column}`).join(', ');

const list = (name: string, from: string, args: number) => ({
  page: named(
    `${name}_page`,
    `select ${columns}, c.crm_ids from ${from} order by c.seq desc limit $${args + 1} offset $${args + 2}`,
  ),
  total: named(`${name}_total`, `select count(*) as total from ${from}`),
});

const lists = {
  all: list('all', 'contacts c where c.workspace_id = $1', 1),
  tagged: list(
    'tagged',
    'contact_tags t join contacts c on c.seq = t.seq where t.workspace_id = $1 and t.tag = $2',
    2,
  ),
  found: list('found', 'contacts c where c.workspace_id = $1 and c.search_text like $2', 2),
};

const key = named('key', 'select workspace_id as workspace from api_keys where hash = $1');
const contact = named(
  'contact',
  `select ${columns}, c.crm_ids from contacts c where c.workspace_id = $1 and c.id = $2`,
);
const agent = named(
  'agent',
  'select id, name, description, created_at, updated_at from agents where workspace_id = $1 and id = $2',
);
const versions = named(
  'versions',
  `select id, number, status, instructions, created_at from agent_versions
    where workspace_id = $1 and agent_id = $2 order by number desc`,
);
const insert = named(
  'insert',
  `insert into contacts (workspace_id, search_text, ${COLUMNS.join(', ')})
    values ($1, $2${COLUMNS.map((_, at) => `, $${at + 3}`).join('')})
    on conflict (workspace_id, phone_number) do nothing returning seq`,
);
const insertTags = named(
  'insert_tags',
  'insert into contact_tags (workspace_id, seq, tag) select $1, $2, unnest($3::text[])',
);

/** The plain build over `pg`, with as many connections as Roster. Its tables are in a schema of their own. */
export const openPostgres = (url: string): PlainStore => {
  const pool = new Pool({ connectionString: url, max: 10, options: '-c search_path=plain,public' });
  const rows = async <R extends QueryResultRow>(query: ReturnType<typeof key>) =>
    (await pool.query<R>(query)).rows;

  return {
    workspaceOf: async (hash) => (await rows<{ workspace: number }>(key([hash])))[0]?.workspace,
    contact: async (workspace, id) => (await rows<ContactRow>(contact([workspace, id])))[0],
    contacts: async (workspace, { limit, offset, search, tag }) => {
      const { page, total } = search ? lists.found : tag ? lists.tagged : lists.all;
      const which = search ? [workspace, like(search)] : tag ? [workspace, tag] : [workspace];
      const [found, counted] = await Promise.all([
        rows<ContactRow>(page([...which, limit, offset])),
        rows<{ total: number }>(total(which)),
      ]);
      return { rows: found, total: counted[0]?.total ?? 0 };
    },
    insert: async (workspace, made) => {
      const row = { ...made, tags: JSON.stringify(made.tags) };
      const names = [row.first_name, row.last_name].filter(Boolean).join(' ');
      const search = [row.phone_number, names, row.display_name, row.email].filter(Boolean).join('\n');
      const client = await pool.connect();
      try {
        await client.query('begin');
        const values = [workspace, fold(search), ...COLUMNS.map((column) => row[column])];
        const seq = (await client.query(insert(values))).rows[0]?.seq;
        if (seq && made.tags.length > 0) await client.query(insertTags([workspace, seq, made.tags]));
        await client.query('commit');
        return seq !== undefined;
      } catch (error) {
        await client.query('rollback');
        throw error;
      } finally {
        client.release();
      }
    },
    agent: async (workspace, id) => {
      const [[found], all] = await Promise.all([
        rows<AgentRow>(agent([workspace, id])),
        rows<VersionRow>(versions([workspace, id])),
      ]);
      return found && { agent: found, versions: all };
    },
  };
};
