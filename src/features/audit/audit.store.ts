import { sql } from 'kysely';
import { statementsOver } from '../../db/statement.ts';

/** One change: who did what to which record. It holds ids, names of fields and counts, never what a field says. */
export type EntryRow = {
  workspace_id: number;
  at: string;
  actor: string;
  action: string;
  /** The record that was changed; null where there are many, or where it is the workspace itself. */
  subject: string | null;
  /** The record that the subject is a part of: the agent of a version, the campaign of an enrollment. */
  parent: string | null;
  /** A JSON array. */
  fields: string | null;
  /** A JSON object. */
  counts: string | null;
  request_id: string | null;
};

const statement = statementsOver<{
  audit_entries: EntryRow & { seq: number };
  workspaces: { id: number };
}>({ readsDerived: true });

export const insertEntry = statement((query, row: EntryRow, can) =>
  query
    .insertInto('audit_entries')
    .values({
      workspace_id: row.workspace_id,
      seq: can.nextSeq('audit_entries', row.workspace_id),
      at: row.at,
      actor: row.actor,
      action: row.action,
      subject: row.subject,
      parent: row.parent,
      fields: row.fields,
      counts: row.counts,
      request_id: row.request_id,
    })
    .returning('seq'),
);

/** Entries are a JSON array of rows. */
export const insertEntries = statement(
  (_, { workspace, entries }: { workspace: number; entries: string }, can) => sql<never>`
    insert into audit_entries (workspace_id, seq, at, actor, action, subject, parent, fields, counts, request_id)
    select ${workspace}, ${can.nextSeqOfEach('audit_entries', workspace)}, value ->> 'at', value ->> 'actor',
      value ->> 'action', value ->> 'subject', value ->> 'parent', value ->> 'fields', value ->> 'counts',
      value ->> 'request_id'
    from ${can.eachObject(entries)} where true`,
);

export const setCounts = statement(
  (query, { workspace, entry, counts }: { workspace: number; entry: number; counts: string }) =>
    query
      .updateTable('audit_entries')
      .set({ counts })
      .where('workspace_id', '=', workspace)
      .where('seq', '=', entry),
);

export const everyWorkspace = statement((query, _: Record<string, never>) =>
  query.selectFrom('workspaces').select('id'),
);

/** Entries from before have had their time; those beyond `ahead` were made under another clock. */
export type Expiry = { workspace: number; before: string; ahead: string };

/** Looks at the oldest in the order of the list alone, which needs no index by time. Entries that lie ahead
 *  do not hide the others, and go with the next one whose time has passed; by themselves they stay, as it may be the
 *  clock of now that is wrong. */
export const deleteBefore = statement(
  (_, { workspace, before, ahead, limit }: Expiry & { limit: number }) => sql<never>`
    delete from audit_entries where workspace_id = ${workspace} and (at < ${before} or at > ${ahead}) and seq <= (
      select max(seq) from (
        select seq, at from audit_entries where workspace_id = ${workspace} and at <= ${ahead}
        order by seq limit ${limit}
      ) as oldest where at < ${before}
    )`,
);
