import { sql } from 'kysely';
import type { SqlDialect } from '../db/dialect.ts';
import { namesOf, number, rowsOf, text, textOrNull, typed } from '../db/rows.ts';
import { derivedStatement } from '../db/statement.ts';
import type { EventType } from './actions.ts';

/** A change as other systems see it. `contact_id`, `agent_id` and `campaign_id` are the records that it is about, next to the
 *  subject itself. */
const row = {
  workspace_id: number,
  at: text,
  type: typed<EventType>(),
  subject: text,
  contact_id: textOrNull,
  agent_id: textOrNull,
  campaign_id: textOrNull,
  actor: text,
  request_id: textOrNull,
  /** A JSON array of field names. */
  changed: textOrNull,
  /** The record as the API shows it, as JSON; null if it was erased or deleted. */
  data: textOrNull,
};
export type EventRow = typeof row;
export type StoredEvent = EventRow & { seq: number };

const COLUMNS = namesOf(row);

const SELECTED = [...COLUMNS, 'seq'] as const;

export const insertEvents = rowsOf<EventRow>({ table: 'events', readsDerived: true }).insertAll(
  COLUMNS,
  (dialect, workspace) => dialect.provisionalSeq('events', workspace),
);

/** What is erased: JSON arrays of the ids of contacts and calls. */
type Erased = { workspace: number; contacts: string; calls: string };

/** The condition on the type is that of the index `events_of_call`. SQLite would read all events of the workspace. */
const callEvents = (dialect: SqlDialect) => sql`events ${dialect.byIndex('events_of_call')}`;
const ofCalls = (workspace: number) =>
  sql`workspace_id = ${workspace} and type in ('call.recorded', 'call.updated') and subject in (select value from call)`;
const eachCall = (calls: string, dialect: SqlDialect) =>
  sql`call as materialized (select value from ${dialect.eachText(calls)})`;

/** Locks the events of contacts and calls in the order in which all transactions lock events: those with a position from the
 *  oldest, then the others from the oldest. An `or` would keep PostgreSQL from both indexes. */
export const lockSnapshots = derivedStatement(
  ({ workspace, contacts, calls }: Erased, dialect) => sql<{ count: number }>`
    with ${eachCall(calls, dialect)}, chosen as materialized (
      select seq from events ${dialect.byIndex('events_of_contact')} where workspace_id = ${workspace}
      and contact_id in (select value from ${dialect.eachText(contacts)})
      union select seq from ${callEvents(dialect)} where ${ofCalls(workspace)}
    ), locked as materialized (
      select seq from events where workspace_id = ${workspace} and seq in (select seq from chosen)
      order by seq < 0, abs(seq) ${dialect.lockRow()}
    )
    select count(*) as count from locked`,
);

/** A separate statement: it sees the positions that were assigned while `lockSnapshots` waited. */
export const eraseSnapshots = derivedStatement(
  ({ workspace, contacts }: Erased, dialect) => sql<never>`
    with erased as materialized (select value from ${dialect.eachText(contacts)})
    update events ${dialect.byIndex('events_of_contact')} set data = null
    where workspace_id = ${workspace} and data is not null and contact_id in (select value from erased)`,
);

/** A snapshot without a number and without data at its end has nothing personal. Within a string, JSON escapes the quotes. */
export const eraseCallSnapshots = derivedStatement(
  ({ workspace, calls }: Erased, dialect) => sql<never>`
    with ${eachCall(calls, dialect)}
    update ${callEvents(dialect)} set data = null where ${ofCalls(workspace)} and data not like '%"number":null%"data":{},"note":null,"tags":[]}'`,
);

/** Positions have no gaps, so a range of positions limits the work. */
export type EventRange = { workspace: number; after: number; until: number; limit: number };

const columns = (withData: boolean) =>
  sql.join(SELECTED.map((name) => (name === 'data' && !withData ? sql`null as data` : sql.ref(name))));

/** Events in the order of their positions. `types` is a JSON array. */
const eventsOf = (withData: boolean) => ({
  all: derivedStatement(
    ({ workspace, after, until, limit }: EventRange) => sql<StoredEvent>`
      select ${columns(withData)} from events where workspace_id = ${workspace} and seq > ${after} and seq <= ${until}
      order by seq limit ${limit}`,
  ),
  ofTypes: derivedStatement(
    ({ workspace, after, until, limit, types }: EventRange & { types: string }, dialect) => sql<StoredEvent>`
      select ${columns(withData)} from events where workspace_id = ${workspace} and seq > ${after} and seq <= ${until}
      and type in (select value from ${dialect.eachText(types)}) order by seq limit ${limit}`,
  ),
});

export const listEvents = { snapshot: eventsOf(true), thin: eventsOf(false) };

export const findEvent = rowsOf<StoredEvent>({ table: 'events', readsDerived: true }).find(SELECTED, {
  by: { seq: 'seq' },
});

/** Events by their positions, a JSON array, in any order. */
export const findEvents = derivedStatement(
  ({ workspace, seqs }: { workspace: number; seqs: string }, dialect) => sql<StoredEvent>`
    with wanted as materialized (select cast(value as bigint) as position from ${dialect.eachText(seqs)})
    select ${columns(true)} from events where workspace_id = ${workspace} and seq in (select position from wanted)`,
);

/** The oldest and the newest position; null if no event has one. */
export const findBounds = derivedStatement(
  ({ workspace }: { workspace: number }) => sql<{ oldest: number | null; newest: number | null }>`
    select (select min(seq) from events where workspace_id = ${workspace} and seq > 0) as oldest,
      (select max(seq) from events where workspace_id = ${workspace} and seq > 0) as newest`,
);

/** The oldest event without a position. */
export const findUnsequenced = derivedStatement(
  ({ workspace }: { workspace: number }) => sql<{ at: string }>`
    select at from events where workspace_id = ${workspace} and seq < 0 order by seq desc limit 1`,
);

/** Whether this transaction is the only one that assigns positions in the workspace. */
export const trySequencing = derivedStatement(
  ({ workspace, name }: { workspace: number; name: string }, dialect) => sql<{
    is_ours: boolean | number;
  }>`
    select ${dialect.tryAdvisoryLock(name)} as is_ours from workspaces where id = ${workspace}`,
);

export const lockUnsequenced = derivedStatement(
  ({ workspace, limit }: { workspace: number; limit: number }, dialect) => sql<{ count: number }>`
    with locked as materialized (
      select seq from events where workspace_id = ${workspace} and seq < 0
      order by seq desc limit ${limit} ${dialect.lockRow()}
    )
    select count(*) as count from locked`,
);

/** Assigns the next positions to the oldest events without one. The lower bound of the range is for PostgreSQL, which would scan
 *  all events to join them. */
export const assignPositions = derivedStatement(
  ({ workspace, limit }: { workspace: number; limit: number }) => sql<never>`
    with oldest as materialized (
      select seq from events where workspace_id = ${workspace} and seq < 0 order by seq desc limit ${limit}
    ), numbered as (
      select seq, row_number() over (order by seq desc) + coalesce((
        select max(seq) from events where workspace_id = ${workspace} and seq > 0
      ), 0) as position from oldest
    )
    update events set seq = numbered.position from numbered
    where events.workspace_id = ${workspace} and events.seq = numbered.seq
    and events.seq >= (select min(seq) from oldest) and events.seq < 0`,
);

/** Deletes the oldest events before `before`. The newest one remains, so that no position is assigned twice. */
export const deleteBefore = derivedStatement(
  ({ workspace, before, limit }: { workspace: number; before: string; limit: number }) => sql<never>`
    with oldest as materialized (
      select seq, at from events where workspace_id = ${workspace} and seq > 0 order by seq limit ${limit}
    )
    delete from events where workspace_id = ${workspace} and seq >= (select min(seq) from oldest)
    and seq <= (select max(seq) from oldest where at < ${before})
    and seq < (select max(seq) from events where workspace_id = ${workspace} and seq > 0)`,
);
