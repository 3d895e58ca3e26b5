import { sql } from 'kysely';
import {
  columnsOf,
  type Expired,
  type Keys,
  namesOf,
  number,
  rowsOf,
  text,
  textOrNull,
  typed,
} from '../../db/rows.ts';
import { type InsertedRow, type RowInsert, statement } from '../../db/statement.ts';
import type { directions } from './call.schema.ts';

const columns = {
  workspace_id: number,
  id: text,
  channel_id: text,
  provider_id: text,
  agent_id: text,
  version_id: text,
  contact_id: textOrNull,
  direction: typed<(typeof directions)[number]>(),
  /** The other party's; null if it was withheld or is not a phone number. This and all below but `at` is null after the contact was
   *  deleted. */
  number: textOrNull,
  number_identity: textOrNull,
  /** A JSON object as it was sent; null if it is empty. */
  variables: textOrNull,
  instructions_sha256: textOrNull,
  /** A JSON array. */
  holes: textOrNull,
  at: text,
};
/** The start of a conversation: its version, its contact and the hash of its text. */
export type SessionRow = typeof columns;
const COLUMNS = namesOf(columns);

const sessions = rowsOf<SessionRow>({ table: 'call_sessions' });

const CHANNEL = { channel: 'channel_id' } as const;
export const findByProvider = sessions.find(COLUMNS, { by: { ...CHANNEL, provider_id: 'provider_id' } });
export const findById = sessions.find(COLUMNS, { by: { ...CHANNEL, id: 'id' } });

const once = sql`on conflict (workspace_id, channel_id, provider_id) do nothing`;
const TEXTS = COLUMNS.filter((column) => column !== 'workspace_id');

/** A session whose provider id is known is skipped. */
export const insertSessions: RowInsert<SessionRow> = {
  one: statement(
    (row: SessionRow) => sql<never>`
      insert into call_sessions (${columnsOf(COLUMNS)}) values (${sql.join(COLUMNS.map((name) => row[name]))}) ${once}`,
  ),
  many: statement(
    ({ workspace, rows }: { workspace: number; rows: string }, dialect) => sql<InsertedRow>`
      insert into call_sessions (workspace_id, ${columnsOf(TEXTS)})
      select ${workspace}, ${sql.join(TEXTS.map((name) => sql`value ->> ${sql.lit(name)}`))}
      from ${dialect.eachObject(rows)} where true ${once} returning id`,
  ),
};

/** JSON arrays of ids and of numbers. */
type OfContacts = { workspace: number; contacts: string; identities: string };

/** Also sessions that have a number but are not linked to the contact. */
export const selectSessionsOfContactsForUpdate = statement(
  ({ workspace, contacts, identities }: OfContacts, dialect) => sql<Pick<SessionRow, 'id'>>`
    with chosen as materialized (
      select id from call_sessions where workspace_id = ${workspace}
      and contact_id in (select value from ${dialect.eachText(contacts)})
      union all select id from call_sessions where workspace_id = ${workspace}
      and number_identity in (select value from ${dialect.eachText(identities)})
    )
    select id from call_sessions where workspace_id = ${workspace} and id in (select id from chosen)
    order by id ${dialect.lockRow()}`,
);

export const unlinkSessionRows = statement(
  ({ workspace, keys }: Keys, dialect) => sql<never>`
    with unlinked as materialized (select value from ${dialect.eachText(keys)})
    update call_sessions set contact_id = null, number = null, number_identity = null, variables = null,
      instructions_sha256 = null, holes = null
    where workspace_id = ${workspace} and id in (select value from unlinked)`,
);

/** Skips rows that the deletion of a contact has locked. */
export const deleteSessionsBefore = statement(
  ({ workspace, before, limit }: Expired, dialect) => sql<never>`
    with oldest as materialized (
      select id, at from call_sessions where workspace_id = ${workspace} and at < ${before}
      order by at limit ${limit} ${dialect.lockUnlockedRows()}
    )
    delete from call_sessions where workspace_id = ${workspace} and at <= (select max(at) from oldest)
    and id in (select id from oldest)`,
);
