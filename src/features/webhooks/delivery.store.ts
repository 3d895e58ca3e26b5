import { type RawBuilder, sql } from 'kysely';
import type { SqlDialect } from '../../db/dialect.ts';
import type { Expired } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';
import { END_OF_TIME } from '../../lib/clock.ts';

/** `failed` after the last attempt. A delivery that succeeds is deleted. */
export type DeliveryStatus = 'pending' | 'failed';

/** The `due_at` of a delivery that waits for an earlier event of its subject. */
export const BLOCKED = END_OF_TIME;

export type OfEndpoint = { workspace: number; endpoint: string };

const allOf = ({ workspace, endpoint }: OfEndpoint) =>
  sql`workspace_id = ${workspace} and endpoint_id = ${endpoint}`;
const pendingOf = (args: OfEndpoint) => sql`${allOf(args)} and status = 'pending'`;

type Now = OfEndpoint & { now: string };
type Step = OfEndpoint & { limit: number };

export const listDue = statement(
  (args: Now & Step) => sql<{ event_seq: number; attempts: number }>`
    select event_seq, attempts from webhook_deliveries where ${pendingOf(args)} and due_at <= ${args.now}
    order by due_at, event_seq limit ${args.limit}`,
);

export const countPending = statement(
  (args: OfEndpoint) => sql<{ count: number; next: string | null }>`
    select count(*) as count, min(due_at) as next from webhook_deliveries where ${pendingOf(args)}`,
);

type Seqs = OfEndpoint & {
  /** A JSON array. */
  seqs: string;
};

const chosen = ({ seqs }: Seqs, dialect: SqlDialect) =>
  sql`with chosen as materialized (select cast(value as bigint) as seq from ${dialect.eachText(seqs)})`;

export const leaseDeliveries = statement(
  (args: Seqs & { lease: string; until: string }, dialect) => sql<never>`
    ${chosen(args, dialect)} update webhook_deliveries set lease_id = ${args.lease}, due_at = ${args.until}
    where ${allOf(args)} and event_seq in (select seq from chosen)`,
);

/** A new delivery, as an item of a JSON array. */
export interface NewDelivery {
  readonly seq: number;
  /** The record of the event, if the endpoint is ordered. */
  readonly subject: string | null;
  /** The time of the next attempt, or the end of the lease of one in flight. */
  readonly due_at: string;
  readonly lease: string | null;
}

/** A delivery that has failed is tried again. A replay, which takes no lease, also sends one now that waits for a later attempt.
 *  Others that are pending stay as they are. */
export const insertDeliveries = statement(
  ({ workspace, endpoint, deliveries, now }: Now & { deliveries: string }, dialect) => sql<never>`
    insert into webhook_deliveries (workspace_id, endpoint_id, event_seq, subject, status, attempts, due_at, lease_id,
      created_at)
    select ${workspace}, ${endpoint}, cast(value ->> 'seq' as bigint), value ->> 'subject', 'pending', 0,
      value ->> 'due_at', value ->> 'lease', ${now}
    from ${dialect.eachObject(deliveries)} where true
    on conflict (workspace_id, endpoint_id, event_seq) do update
    set status = 'pending', attempts = 0, due_at = excluded.due_at, lease_id = excluded.lease_id
    where webhook_deliveries.status = 'failed' or (excluded.lease_id is null and webhook_deliveries.lease_id is null
      and webhook_deliveries.due_at > excluded.due_at and webhook_deliveries.due_at <> ${sql.lit(BLOCKED)})`,
);

/** Those of the given subjects that have a pending delivery. */
export const listPendingSubjects = statement(
  (args: OfEndpoint & { subjects: string }, dialect) => sql<{ subject: string }>`
    select distinct subject from webhook_deliveries where ${pendingOf(args)} and subject is not null
    and subject in (select value from ${dialect.eachText(args.subjects)})`,
);

export const deleteDeliveries = statement(
  (args: Seqs, dialect) => sql<never>`
    ${chosen(args, dialect)} delete from webhook_deliveries where ${allOf(args)}
    and event_seq in (select seq from chosen)`,
);

/** `changes` is a JSON array of new states. Only deliveries that still have the lease. */
export const rescheduleDeliveries = statement(
  ({ workspace, endpoint, changes }: OfEndpoint & { changes: string }, dialect) => sql<never>`
    with change as materialized (
      select cast(value ->> 'seq' as bigint) as seq, value ->> 'lease' as lease, value ->> 'status' as status,
        cast(value ->> 'attempts' as int) as attempts, value ->> 'due_at' as due_at
      from ${dialect.eachObject(changes)}
    )
    update webhook_deliveries set status = change.status, attempts = change.attempts, due_at = change.due_at, lease_id = null
    from change where webhook_deliveries.workspace_id = ${workspace} and webhook_deliveries.endpoint_id = ${endpoint}
      and webhook_deliveries.event_seq in (select seq from change)
      and webhook_deliveries.event_seq = change.seq and webhook_deliveries.lease_id = change.lease`,
);

/** The subjects of deliveries that are about to end. */
export const listSubjects = statement(
  (args: Seqs, dialect) => sql<{ subject: string }>`
    ${chosen(args, dialect)} select distinct subject from webhook_deliveries where ${allOf(args)}
    and event_seq in (select seq from chosen) and subject is not null`,
);

/** Makes the oldest pending delivery of each subject due, if it is blocked. */
export const unblockSubjects = statement(
  (args: Now & { subjects: string }, dialect) => sql<never>`
    with first as materialized (
      select min(event_seq) as seq from webhook_deliveries where ${pendingOf(args)}
      and subject in (select value from ${dialect.eachText(args.subjects)}) group by subject
    )
    update webhook_deliveries set due_at = ${args.now} where ${pendingOf(args)} and due_at = ${sql.lit(BLOCKED)}
    and event_seq in (select seq from first)`,
);

/** For an endpoint that is no longer ordered. */
export const unblockDeliveries = statement(
  (args: Now) => sql<never>`
    update webhook_deliveries set due_at = ${args.now} where ${pendingOf(args)} and due_at = ${sql.lit(BLOCKED)}`,
);

/** Tries all waiting deliveries now. Those that are due already stay in their order. */
const hasten = (attempts: RawBuilder<unknown>) =>
  statement(
    (args: Now) => sql<never>`
      update webhook_deliveries set attempts = ${attempts},
        due_at = case when due_at < ${args.now} then due_at else ${args.now} end
      where ${pendingOf(args)} and lease_id is null and due_at <> ${sql.lit(BLOCKED)}`,
  );
export const hastenDeliveries = hasten(sql`attempts`);
/** The same, each with the whole schedule. */
export const restartDeliveries = hasten(sql`0`);

export const deleteSome = statement(
  (args: Step) => sql<never>`
    delete from webhook_deliveries where ${allOf(args)} and event_seq in (
      select event_seq from webhook_deliveries where ${allOf(args)} order by event_seq limit ${args.limit}
    )`,
);

/** Failed deliveries, oldest first. */
export const listFailed = statement(
  (args: Step & { from: number; until: number }) => sql<{ event_seq: number; subject: string | null }>`
    select event_seq, subject from webhook_deliveries where ${allOf(args)} and status = 'failed'
    and event_seq >= ${args.from} and event_seq <= ${args.until} order by event_seq limit ${args.limit}`,
);

export const countFailed = statement(
  (args: OfEndpoint) => sql<{ count: number }>`
    select count(*) as count from webhook_deliveries where ${allOf(args)} and status = 'failed'`,
);

/** Failed deliveries whose events have expired. Others are over when they are due: their events cannot be loaded. */
export const deleteExpired = statement(
  ({ workspace, limit }: Expired) => sql<never>`
    delete from webhook_deliveries where workspace_id = ${workspace} and (endpoint_id, event_seq) in (
      select endpoint_id, event_seq from webhook_deliveries where workspace_id = ${workspace} and status = 'failed'
      and event_seq < (select min(seq) from events where workspace_id = ${workspace} and seq > 0) limit ${limit}
    )`,
  { readsDerived: true },
);
