import { sql } from 'kysely';
import { namesOf, number, rowsOf, text, textOrNull, typed } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';
import { equals } from '../../records/list.declaration.ts';
import { List } from '../../records/list.ts';

export const attemptResults = ['delivered', 'failed', 'gone'] as const;

const shown = {
  event_id: text,
  event_type: text,
  /** 1 for the first attempt to deliver the event. */
  attempt: number,
  at: text,
  duration_ms: number,
  result: typed<(typeof attemptResults)[number]>(),
  /** Of the response. */
  status: typed<number | null>(),
  error: textOrNull,
};
export const SHOWN = namesOf(shown);

/** One request to an endpoint. It has no payload; the body of a request is made from the event again. */
const columns = {
  workspace_id: number,
  /** The number of the attempt among all of the workspace. */
  seq: number,
  endpoint_id: text,
  /** 0 for a test event, which is not in the log. */
  event_seq: number,
  ...shown,
  response_body: text,
  signature: text,
};
export type AttemptRow = typeof columns;
const COLUMNS = namesOf(columns);

export type NewAttempt = Omit<AttemptRow, 'workspace_id' | 'seq' | 'endpoint_id'>;

const rows = rowsOf<AttemptRow>({ table: 'webhook_attempts' });

type OfEndpoint = { workspace: number; endpoint: string };

/** `attempts` is a JSON array of new attempts. */
export const insertAttempts = statement(
  ({ workspace, endpoint, attempts }: OfEndpoint & { attempts: string }, dialect) => sql<{ seq: number }>`
    insert into webhook_attempts (workspace_id, seq, endpoint_id, event_seq, event_id, event_type, attempt, at, duration_ms,
      result, status, error, response_body, signature)
    select ${workspace}, ${dialect.nextSeqOfEach('webhook_attempts', workspace)}, ${endpoint},
      cast(value ->> 'event_seq' as bigint), value ->> 'event_id', value ->> 'event_type', cast(value ->> 'attempt' as int),
      value ->> 'at', cast(value ->> 'duration_ms' as int), value ->> 'result', cast(value ->> 'status' as int),
      value ->> 'error', value ->> 'response_body', value ->> 'signature'
    from ${dialect.eachObject(attempts)} where true returning seq`,
);

/** Newest first. The condition of `unsuccessful` is that of the index `webhook_attempts_failed`. */
export const attemptList = new List({
  table: 'webhook_attempts',
  filters: {
    endpoint: equals('endpoint_id'),
    result: equals('result'),
    unsuccessful: (result) => sql`(result = ${result} and result <> 'delivered')`,
  },
  orders: { newest: { ranges: [{ by: 'endpoint' }, {}] } },
});
export const listedAttempts = attemptList.view<AttemptRow>({ columns: COLUMNS });

export const findAttempt = rows.find(COLUMNS, { by: { seq: 'seq', endpoint: 'endpoint_id' } });

export const deleteSome = statement(
  ({ workspace, endpoint, limit }: OfEndpoint & { limit: number }) => sql<never>`
    delete from webhook_attempts where workspace_id = ${workspace} and seq in (
      select seq from webhook_attempts where workspace_id = ${workspace} and endpoint_id = ${endpoint}
      order by seq limit ${limit}
    )`,
);

export const deleteBefore = rows.removeExpired('seq');
