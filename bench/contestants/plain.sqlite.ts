import { DatabaseSync } from 'node:sqlite';
import { type AgentRow, COLUMNS, type ContactRow, type PlainStore, type VersionRow } from './plain.store.ts';

const SHORT_SEARCH = 3;

const phrase = (text: string) => `"${text.replaceAll('"', '""')}"`;
const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** The plain build over `node:sqlite`, as durable as Roster. */
export const openSqlite = (path: string): PlainStore => {
  const db = new DatabaseSync(path);
  db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -16000');
  const columns = COLUMNS.map((column) => `c.${column}`).join(', ');

  const list = (from: string) => ({
    page: db.prepare(`select ${columns}, c.crm_ids from ${from} order by c.seq desc limit ? offset ?`),
    total: db.prepare(`select count(*) as total from ${from}`),
  });
  const lists = {
    all: list('contacts c where c.workspace_id = ?'),
    tagged: list('contact_tags t join contacts c on c.seq = t.seq where t.workspace_id = ? and t.tag = ?'),
    found: list(
      'contacts_search s join contacts c on c.seq = s.rowid where c.workspace_id = ? and contacts_search match ?',
    ),
    scanned: list(
      `contacts c where c.workspace_id = ? and
        (c.phone_number || ' ' || coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, '') || ' ' ||
          coalesce(c.display_name, '') || ' ' || coalesce(c.email, '')) like ? escape '\\'`,
    ),
  };
  const key = db.prepare('select workspace_id as workspace from api_keys where hash = ?');
  const contact = db.prepare(
    `select ${columns}, c.crm_ids from contacts c where c.workspace_id = ? and c.id = ?`,
  );
  const agent = db.prepare(
    `select id, name, description, created_at, updated_at from agents where workspace_id = ? and id = ?`,
  );
  const versions = db.prepare(
    `select id, number, status, instructions, created_at from agent_versions
      where workspace_id = ? and agent_id = ? order by number desc`,
  );
  const insert = db.prepare(
    `insert into contacts (workspace_id, ${COLUMNS.join(', ')}) values (?${', ?'.repeat(COLUMNS.length)})
      on conflict (workspace_id, phone_number) do nothing`,
  );
  const insertTag = db.prepare('insert into contact_tags (workspace_id, tag, seq) values (?, ?, ?)');
  const insertSearch = db.prepare(
    'insert into contacts_search (rowid, phone_number, name, display_name, email) values (?, ?, ?, ?, ?)',
  );

  return {
    workspaceOf: (hash) => (key.get(hash) as { workspace: number } | undefined)?.workspace,
    contact: (workspace, id) => contact.get(workspace, id) as ContactRow | undefined,
    contacts: (workspace, { limit, offset, search, tag }) => {
      const [{ page, total }, ...which] = search
        ? search.length < SHORT_SEARCH
          ? ([lists.scanned, like(search)] as const)
          : ([lists.found, phrase(search)] as const)
        : tag
          ? ([lists.tagged, tag] as const)
          : ([lists.all] as const);
      const rows = page.all(workspace, ...which, limit, offset) as unknown as ContactRow[];
      return { rows, total: Number(total.get(workspace, ...which)?.total) };
    },
    insert: (workspace, contact) => {
      db.exec('begin immediate');
      try {
        const row = { ...contact, tags: JSON.stringify(contact.tags) };
        const { changes, lastInsertRowid: seq } = insert.run(
          workspace,
          ...COLUMNS.map((column) => row[column]),
        );
        if (changes === 1) {
          for (const tag of contact.tags) insertTag.run(workspace, tag, seq);
          const name = [row.first_name, row.last_name].filter(Boolean).join(' ');
          insertSearch.run(seq, row.phone_number, name, row.display_name, row.email);
        }
        db.exec('commit');
        return changes === 1;
      } catch (error) {
        db.exec('rollback');
        throw error;
      }
    },
    agent: (workspace, id) => {
      const found = agent.get(workspace, id) as AgentRow | undefined;
      return found && { agent: found, versions: versions.all(workspace, id) as unknown as VersionRow[] };
    },
  };
};
