import { sql } from 'kysely';
import { pickColumns, statementsOver } from '../db/statement.ts';
import type { Expiry } from '../jobs/expiry.ts';

/** One change: who did what to which record. It has ids, field names and counts, never values. */
export type EntryRow = {
  workspace_id: number;
  at: string;
  actor: string;
  action: string;
  /** The changed record; null for several records or the workspace itself. */
  subject: string | null;
  /** The record that the subject is a part of: the agent of a version, the campaign of an enrollment. */
  parent: string | null;
  /** A JSON array. */
  fields: string | null;
  /** A JSON object. */
  counts: string | null;
  request_id: string | null;
  /** The interface of the change, if it is not the usual one of the actor. */
  via: string | null;
};

const statement = statementsOver<{
  audit_entries: EntryRow & { seq: number };
}>({ readsDerived: true });

const COLUMNS = [
  'workspace_id',
  'at',
  'actor',
  'action',
  'subject',
  'parent',
  'fields',
  'counts',
  'request_id',
  'via',
] as const;

export const insertEntry = statement((query, row: EntryRow, dialect) =>
  query
    .insertInto('audit_entries')
    .values({ ...pickColumns(row, COLUMNS), seq: dialect.nextSeq('audit_entries', row.workspace_id) })
    .returning('seq'),
);

const insertOne = statement((query, row: EntryRow & { seq: number }) =>
  query.insertInto('audit_entries').values(pickColumns(row, [...COLUMNS, 'seq'])),
);

const allocateSeqs = statement(
  (_, { workspace, items }: { workspace: number; items: string }, dialect) => sql<{ seq: number }>`
    select ${dialect.nextSeqOfEach('audit_entries', workspace)} as seq from ${dialect.eachObject(items)}`,
);

const insertMany = statement(
  (_, { workspace, rows }: { workspace: number; rows: string }, dialect) => sql<never>`
    insert into audit_entries (workspace_id, seq, at, actor, action, subject, parent, fields, counts, request_id, via)
    select ${workspace}, ${dialect.nextSeqOfEach('audit_entries', workspace)}, value ->> 'at', value ->> 'actor',
      value ->> 'action', value ->> 'subject', value ->> 'parent', value ->> 'fields', value ->> 'counts',
      value ->> 'request_id', value ->> 'via'
    from ${dialect.eachObject(rows)} where true`,
);

export const insertEntries = { one: insertOne, allocate: allocateSeqs, many: insertMany };

export const setCounts = statement(
  (query, { workspace, entry, counts }: { workspace: number; entry: number; counts: string }) =>
    query
      .updateTable('audit_entries')
      .set({ counts })
      .where('workspace_id', '=', workspace)
      .where('seq', '=', entry),
);

export const findActor = statement((query, { workspace, entry }: { workspace: number; entry: number }) =>
  query
    .selectFrom('audit_entries')
    .select('actor')
    .where('workspace_id', '=', workspace)
    .where('seq', '=', entry),
);

/** Scans the oldest entries by `seq`, so it needs no index by time. Entries in the future are deleted together with the next
 *  expired one; alone they stay, because it may be the current clock that is wrong. */
export const deleteBefore = statement(
  (_, { workspace, before, ahead, limit }: Expiry & { limit: number }) => sql<never>`
    delete from audit_entries where workspace_id = ${workspace} and (at < ${before} or at > ${ahead}) and seq <= (
      select max(seq) from (
        select seq, at from audit_entries where workspace_id = ${workspace} and at <= ${ahead}
        order by seq limit ${limit}
      ) as oldest where at < ${before}
    )`,
);
