import { sql } from 'kysely';
import { columnsOf, namesOf, number, rowsOf, text, textOrNull, typed } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';
import { movedRows } from '../../records/moved-rows.ts';
import { currentId } from '../contacts/contact.merged.ts';
import type { directions } from './call.schema.ts';
import { idsOfContacts, type OfContacts } from './call.store.ts';

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

/** A session of a merged contact is one of the contact that it is a part of now. */
const findBy = <K extends 'provider_id' | 'id'>(key: K) =>
  statement(
    (args: { workspace: number; channel: string } & Record<K, string>) => sql<SessionRow>`
      select ${columnsOf(COLUMNS.filter((column) => column !== 'contact_id'))},
        ${currentId(args.workspace, 'call_sessions.contact_id')} as contact_id
      from call_sessions where workspace_id = ${args.workspace} and channel_id = ${args.channel}
      and ${sql.ref(key)} = ${args[key]}`,
  );
export const findByProvider = findBy('provider_id');
export const findById = findBy('id');

/** A session whose provider id is known is skipped. */
export const insertSessions = sessions.insertAll(COLUMNS, undefined, {
  unique: ['workspace_id', 'channel_id', 'provider_id'],
});
/** Those of contacts, also of merged ones, to which they still refer. */
export const countSessions = movedRows({ table: 'call_sessions', key: ['id'] }).count;
export const deleteSessionsBefore = sessions.removeOldest('id');

/** Removes deleted contacts and what belongs to them from their sessions. */
export const unlinkSessions = statement(
  (args: OfContacts, dialect) => sql<never>`
    with chosen as materialized (${idsOfContacts('call_sessions', args, dialect)}), locked as materialized (
      select id from call_sessions where workspace_id = ${args.workspace} and id in (select id from chosen)
      order by id ${dialect.lockRow()}
    )
    update call_sessions set contact_id = null, number = null, number_identity = null, variables = null,
      instructions_sha256 = null, holes = null
    where workspace_id = ${args.workspace} and id in (select id from locked)`,
);
