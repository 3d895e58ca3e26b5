import { sql } from 'kysely';
import { statementsOver } from '../../db/statement.ts';

/** The first answer to a request that bears a key. Of the key and of what was asked there is only a digest: people write
 *  names into both. */
export type RetryRow = RetryKey & {
  /** Of what was asked. */
  fingerprint: string | null;
  /** What became of it, as JSON. Null, as the fingerprint is, once the subject was deleted. */
  answer: string | null;
  /** The id of the record that the answer shows or names. */
  subject: string | null;
  made_at: string;
};

export type RetryKey = { workspace: number; route: string; key_hash: string };

/** When an answer was made that is still known. */
type Known = { since: string; until: string };

const statement = statementsOver<{ retries: Omit<RetryRow, 'workspace'> & { workspace_id: number } }>();

/** Whether this transaction got the lock of the name until it ends. A second one does not wait. */
export const claimName = statement(
  (_, { workspace, name }: { workspace: number; name: string }, can) =>
    sql<{
      is_ours: unknown;
    }>`select ${can.tryAdvisoryLock(name)} as is_ours from workspaces where id = ${workspace}`,
);

export const findRetry = statement((query, row: RetryKey & Known) =>
  query
    .selectFrom('retries')
    .select(['fingerprint', 'answer'])
    .where('workspace_id', '=', row.workspace)
    .where('route', '=', row.route)
    .where('key_hash', '=', row.key_hash)
    .where('made_at', '>', row.since)
    .where('made_at', '<=', row.until),
);

export const insertRetry = statement((query, row: RetryRow) =>
  query.insertInto('retries').values({
    workspace_id: row.workspace,
    route: row.route,
    key_hash: row.key_hash,
    fingerprint: row.fingerprint,
    answer: row.answer,
    subject: row.subject,
    made_at: row.made_at,
  }),
);

/** Makes room for a key whose time has passed. */
export const deleteOld = statement((query, row: RetryKey & Known) =>
  query
    .deleteFrom('retries')
    .where('workspace_id', '=', row.workspace)
    .where('route', '=', row.route)
    .where('key_hash', '=', row.key_hash)
    .where((is) => is.or([is('made_at', '<=', row.since), is('made_at', '>', row.until)])),
);

/** Removes some whose time has passed. Those that another transaction is changing are left for the next step. */
export const deleteSomeOld = statement(
  (_, { workspace, since, until, limit }: { workspace: number; limit: number } & Known, can) => sql<never>`
    with chosen as materialized (
      select route, key_hash from retries
      where workspace_id = ${workspace} and (made_at <= ${since} or made_at > ${until}) limit ${limit} ${can.lockUnlockedRows()}
    )
    delete from retries where workspace_id = ${workspace} and (route, key_hash) in (select route, key_hash from chosen)`,
);

/** Empties the answers that contain or name a record. Their keys stay, so that no retry creates it again. */
export const forgetSubject = statement(
  (query, { workspace, subject }: { workspace: number; subject: string }) =>
    query
      .updateTable('retries')
      .set({ fingerprint: sql`null`, answer: sql`null`, subject: sql`null` })
      .where('workspace_id', '=', workspace)
      .where('subject', '=', subject),
);
