import { sql } from 'kysely';
import { type Expired, namesOf, number, rowsOf, text, textOrNull } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';

/** The answer to the first request with a key. Key and request are stored as hashes only, because they may contain personal
 *  data. */
const columns = {
  workspace_id: number,
  route: text,
  key_hash: text,
  /** A hash of the request. Null, like `answer`, after the subject was deleted. */
  fingerprint: textOrNull,
  /** JSON of an Outcome. */
  answer: textOrNull,
  /** The id of the record that the answer contains or names. */
  subject: textOrNull,
  made_at: text,
};
type IdempotencyRecord = typeof columns;
const COLUMNS = namesOf(columns);

const records = rowsOf<IdempotencyRecord>({ table: 'retries' });

type RecordKey = { workspace: number; route: string; key_hash: string };
type RetentionWindow = { since: string; until: string };

/** Does not wait for another transaction that has the lock. */
export const tryLockName = statement(
  ({ workspace, name }: { workspace: number; name: string }, dialect) =>
    sql<{
      is_ours: unknown;
    }>`select ${dialect.tryAdvisoryLock(name)} as is_ours from workspaces where id = ${workspace}`,
);

export const findRecord = statement(
  (row: RecordKey & RetentionWindow) => sql<Pick<IdempotencyRecord, 'fingerprint' | 'answer'>>`
    select fingerprint, answer from retries
    where workspace_id = ${row.workspace} and route = ${row.route} and key_hash = ${row.key_hash}
      and made_at > ${row.since} and made_at <= ${row.until}`,
);

export const insertRecord = records.insert(COLUMNS);

export const deleteExpired = statement(
  (row: RecordKey & RetentionWindow) => sql<never>`
    delete from retries
    where workspace_id = ${row.workspace} and route = ${row.route} and key_hash = ${row.key_hash}
      and (made_at <= ${row.since} or made_at > ${row.until})`,
);

/** Skips rows that another transaction has locked; the next step deletes them. */
export const deleteExpiredBatch = statement(
  ({ workspace, before, ahead, limit }: Expired, dialect) => sql<never>`
    with chosen as materialized (
      select route, key_hash from retries
      where workspace_id = ${workspace} and (made_at <= ${before} or made_at > ${ahead}) limit ${limit} ${dialect.lockUnlockedRows()}
    )
    delete from retries where workspace_id = ${workspace} and (route, key_hash) in (select route, key_hash from chosen)`,
);

/** Keeps the keys, so that no retry creates the record again. */
export const eraseSubject = statement(
  ({ workspace, subject }: { workspace: number; subject: string }) => sql<never>`
    update retries set fingerprint = null, answer = null, subject = null
    where workspace_id = ${workspace} and subject = ${subject}`,
);
