import { sql } from 'kysely';
import { rowsOf } from '../../db/rows.ts';
import { statementsOver } from '../../db/statement.ts';

export const attemptResults = ['delivered', 'failed', 'gone'] as const;
export type AttemptResult = (typeof attemptResults)[number];

/** One request to an endpoint. It has no payload; the body of a request is made from the event again. */
export type AttemptRow = {
  workspace_id: number;
  /** The number of the attempt among all of the workspace. */
  seq: number;
  endpoint_id: string;
  /** 0 for a test event, which is not in the log. */
  event_seq: number;
  event_id: string;
  event_type: string;
  /** 1 for the first attempt to deliver the event. */
  attempt: number;
  at: string;
  duration_ms: number;
  result: AttemptResult;
  /** Of the response. */
  status: number | null;
  error: string | null;
  response_body: string;
  signature: string;
};

export type NewAttempt = Omit<AttemptRow, 'workspace_id' | 'seq' | 'endpoint_id'>;

const statement = statementsOver<{ webhook_attempts: AttemptRow }>();

type OfEndpoint = { workspace: number; endpoint: string };

/** `attempts` is a JSON array of new attempts. */
export const insertAttempts = statement(
  (_, { workspace, endpoint, attempts }: OfEndpoint & { attempts: string }, dialect) => sql<{ seq: number }>`
    insert into webhook_attempts (workspace_id, seq, endpoint_id, event_seq, event_id, event_type, attempt, at, duration_ms,
      result, status, error, response_body, signature)
    select ${workspace}, ${dialect.nextSeqOfEach('webhook_attempts', workspace)}, ${endpoint},
      cast(value ->> 'event_seq' as bigint), value ->> 'event_id', value ->> 'event_type', cast(value ->> 'attempt' as int),
      value ->> 'at', cast(value ->> 'duration_ms' as int), value ->> 'result', cast(value ->> 'status' as int),
      value ->> 'error', value ->> 'response_body', value ->> 'signature'
    from ${dialect.eachObject(attempts)} where true returning seq`,
);

const COLUMNS = sql`seq, event_seq, event_id, event_type, attempt, at, duration_ms, result, status, error, response_body, signature`;

export type ListedAttempt = Omit<AttemptRow, 'workspace_id' | 'endpoint_id'>;

type PageArgs = OfEndpoint & { before: number; limit: number };

/** Newest first. */
export const listAttempts = {
  all: statement(
    (_, { workspace, endpoint, before, limit }: PageArgs) => sql<ListedAttempt>`
      select ${COLUMNS} from webhook_attempts where workspace_id = ${workspace} and endpoint_id = ${endpoint}
      and seq < ${before} order by seq desc limit ${limit}`,
  ),
  delivered: statement(
    (_, { workspace, endpoint, before, limit }: PageArgs) => sql<ListedAttempt>`
      select ${COLUMNS} from webhook_attempts where workspace_id = ${workspace} and endpoint_id = ${endpoint}
      and seq < ${before} and result = 'delivered' order by seq desc limit ${limit}`,
  ),
  /** The condition on the result is that of the index `webhook_attempts_failed`. */
  unsuccessful: statement(
    (_, { workspace, endpoint, before, limit, result }: PageArgs & { result: string }) => sql<ListedAttempt>`
      select ${COLUMNS} from webhook_attempts where workspace_id = ${workspace} and endpoint_id = ${endpoint}
      and seq < ${before} and result = ${result} and result <> 'delivered' order by seq desc limit ${limit}`,
  ),
};

export const findAttempt = statement(
  (_, { workspace, endpoint, seq }: OfEndpoint & { seq: number }) => sql<ListedAttempt>`
    select ${COLUMNS} from webhook_attempts
    where workspace_id = ${workspace} and seq = ${seq} and endpoint_id = ${endpoint}`,
);

export const deleteSome = statement(
  (_, { workspace, endpoint, limit }: OfEndpoint & { limit: number }) => sql<never>`
    delete from webhook_attempts where workspace_id = ${workspace} and seq in (
      select seq from webhook_attempts where workspace_id = ${workspace} and endpoint_id = ${endpoint}
      order by seq limit ${limit}
    )`,
);

export const deleteBefore = rowsOf<AttemptRow>({ table: 'webhook_attempts' }).removeExpired('seq');
