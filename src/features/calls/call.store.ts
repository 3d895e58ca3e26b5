import { type RawBuilder, sql } from 'kysely';
import type { SqlDialect } from '../../db/dialect.ts';
import { columnsOf, type Keys, namesOf, number, rowsOf, text, textOrNull, typed } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';
import type { ChannelKind } from '../channels/channel.schema.ts';
import { currentId } from '../contacts/contact.merged.ts';
import type { Names } from '../contacts/contact.schema.ts';
import type { CallStatus, directions, media } from './call.schema.ts';
import type { EndedBy } from './result.schema.ts';

/** What a conversation came to. */
const result = {
  disposition: textOrNull,
  /** A JSON object of booleans. */
  goals: textOrNull,
  ended_by: typed<EndedBy | null>(),
  /** A JSON object. */
  cost: textOrNull,
  recording_url: textOrNull,
  summary: textOrNull,
  text: textOrNull,
  /** A JSON object. */
  data: textOrNull,
};
export type ResultColumns = typeof result;

/** What users add to a call. */
const remarks = {
  note: textOrNull,
  /** A JSON array; null if there are none. */
  tags: textOrNull,
};

const listed = {
  id: text,
  channel_id: text,
  contact_id: textOrNull,
  agent_id: textOrNull,
  version_id: textOrNull,
  medium: typed<(typeof media)[number]>(),
  direction: typed<(typeof directions)[number]>(),
  status: typed<CallStatus>(),
  /** The number of the other party; null after its contact was deleted. */
  number: textOrNull,
  provider_id: text,
  started_at: text,
  ended_at: textOrNull,
  seconds: typed<number | null>(),
  session_id: textOrNull,
  /** Of the instructions that the runtime has used; null if it did not report them, and after the contact was deleted. */
  instructions_sha256: textOrNull,
  ...result,
  ...remarks,
};
const columns = {
  workspace_id: number,
  /** That of the number, if it has one. It finds the calls of a contact that are not linked to it. */
  number_identity: textOrNull,
  /** The identity of the user that the report names. */
  identity_id: textOrNull,
  ...listed,
};
export type CallRow = typeof columns;

/** Whether the contact of a call was deleted. Nothing that can be personal is added to it. */
export const isErased = ({ number, identity_id }: Pick<CallRow, 'number' | 'identity_id'>): boolean =>
  number === null && identity_id === null;

/** The counter of all calls. */
export const CALL_COUNTER = 'calls';

const calls = rowsOf<CallRow>({ table: 'calls' });

export const COLUMNS = namesOf(listed);
const ALL_COLUMNS = namesOf(columns);

export const insertCall = calls.insert(ALL_COLUMNS, { seq: true });
const BY_PROVIDER = { by: { channel: 'channel_id', provider_id: 'provider_id' } } as const;
export const findCall = calls.find(ALL_COLUMNS, BY_PROVIDER);
export const selectCallForUpdate = calls.lock(ALL_COLUMNS, BY_PROVIDER);
/** What a later report can change. */
export const UPDATED = [
  'status',
  'ended_at',
  'seconds',
  'instructions_sha256',
  'contact_id',
  'agent_id',
  'version_id',
  'session_id',
  ...namesOf(result),
] as const;
export const updateReported = calls.set([...UPDATED, 'identity_id']);
/** Says who a call was with. */
export const identifyCall = calls.set(['identity_id', 'contact_id']);
export const findCallById = calls.find(['id']);
export const REMARKS = namesOf(remarks);
export const lockCallById = calls.lock([
  'workspace_id',
  'id',
  'number',
  'identity_id',
  'summary',
  ...REMARKS,
]);
export const updateRemarks = calls.set(REMARKS);

/** The last three calls of a contact, without the one that has a provider's id on a channel. */
export const findRecent = statement(
  (args: { workspace: number; contact: string; channel: string; provider_id: string }) => sql<
    Pick<CallRow, 'id' | 'direction' | 'status' | 'started_at' | 'seconds' | 'disposition' | 'summary'>
  >`
    select id, medium as type, direction, status, started_at, seconds, disposition, summary from calls
    where workspace_id = ${args.workspace} and contact_id = ${args.contact}
      and not (channel_id = ${args.channel} and provider_id = ${args.provider_id})
    order by started_at desc, id desc limit 3`,
);

export type ActivityRow = { contact_id: string; first_at: string | null; last_at: string | null };

/** The first and the last call or message of each of some contacts. */
export const findActivity = statement(
  ({ workspace, contacts }: { workspace: number; contacts: string }, dialect) => {
    const times = sql`calls where workspace_id = ${workspace} and contact_id = value`;
    return sql<ActivityRow>`select value as contact_id, (select min(started_at) from ${times}) as first_at,
      (select max(started_at) from ${times}) as last_at from ${dialect.eachText(contacts)}`;
  },
);

/** JSON arrays of ids and of numbers. */
export type OfContacts = { workspace: number; contacts: string; identities: string };

/** The ids of the rows of contacts, also of those that have a number but are not linked. With `union`, SQLite would read all rows in order. */
export const idsOfContacts = (
  table: 'calls' | 'call_sessions',
  { workspace, contacts, identities }: OfContacts,
  dialect: SqlDialect,
) => sql`
  select id from ${sql.table(table)} where workspace_id = ${workspace}
  and contact_id in (select value from ${dialect.eachText(contacts)})
  union all select id from ${sql.table(table)} where workspace_id = ${workspace}
  and number_identity in (select value from ${dialect.eachText(identities)}) and contact_id is null`;

export const selectCallsOfContactsForUpdate = statement(
  (args: OfContacts, dialect) => sql<Pick<CallRow, 'id' | 'contact_id' | 'session_id' | 'tags'>>`
    with chosen as materialized (${idsOfContacts('calls', args, dialect)})
    select id, contact_id, session_id, tags from calls where workspace_id = ${args.workspace} and id in (select id from chosen)
    order by id ${dialect.lockRow()}`,
);

/** Tags beyond this number are not listed. */
export const MAX_LISTED_TAGS = 1_000;

/** Each step finds the next tag in the index, however many calls have it. */
export const findTags = statement(({ workspace }: { workspace: number }) => {
  const next = (after = sql``) =>
    sql`(select min(tag) from call_tags where workspace_id = ${workspace} ${after})`;
  return sql<{ tag: string }>`
    with recursive each_tag (tag) as (
      select ${next()} union all select ${next(sql`and tag > each_tag.tag`)} from each_tag where tag is not null
    )
    select tag from each_tag where tag is not null limit ${sql.lit(MAX_LISTED_TAGS)}`;
});

type CallList = {
  workspace: number;
  /** A JSON array of ids. */
  ids: string;
};

export const unlinkCallRows = statement(
  ({ workspace, ids }: CallList, dialect) => sql<never>`
    with unlinked as materialized (select value from ${dialect.eachText(ids)})
    update calls set contact_id = null, number = null, number_identity = null, identity_id = null, instructions_sha256 = null,
      summary = null, text = null, data = null, recording_url = null, note = null, tags = null
    where workspace_id = ${workspace} and id in (select value from unlinked)`,
);

/** Removes the identities of deleted contacts from the calls of others. */
export const clearIdentities = statement(
  ({ workspace, keys }: Keys, dialect) => sql<never>`
    with gone as materialized (
      select id from identities where workspace_id = ${workspace} and contact_id in (select value from ${dialect.eachText(keys)})
    )
    update calls set identity_id = null where workspace_id = ${workspace} and identity_id in (select id from gone)`,
);

/** A call with the names of its records. Deleted records have none, except agents, which are only hidden. */
export type ListedCall = CallRow &
  Names & {
    seq: number;
    version_number: number | null;
    channel_name: string | null;
    channel_kind: ChannelKind | null;
    agent_name: string | null;
    agent_deleted_at: string | null;
  };

const LISTED = columnsOf(['seq', ...COLUMNS], 'c');
const NAMED = columnsOf(['seq', ...COLUMNS.filter((column) => column !== 'contact_id')], 'c');

/** Adds the names to a page of calls. A call of a merged contact is one of the contact that it is a part of now. */
export const named = (
  workspace: number,
  calls: RawBuilder<unknown>,
  order: RawBuilder<unknown> = sql`c.seq desc`,
) => sql<ListedCall>`
  select ${NAMED}, coalesce(p.id, c.contact_id) as contact_id, v.number as version_number, l.name as channel_name, l.kind as channel_kind,
    a.name as agent_name, a.deleted_at as agent_deleted_at, p.display_name, p.first_name, p.last_name
  from (${calls}) as c
  left join agent_versions as v on v.workspace_id = ${workspace} and v.id = c.version_id
  left join channels as l on l.workspace_id = ${workspace} and l.id = c.channel_id
  left join agents as a on a.workspace_id = ${workspace} and a.id = c.agent_id
  left join contacts as p on p.workspace_id = ${workspace} and p.id = ${currentId(workspace, 'c.contact_id')}
  order by ${order}`;

export const findListedCalls = statement(({ workspace, ids }: CallList, dialect) =>
  named(
    workspace,
    sql`select ${LISTED} from calls as c
      where c.workspace_id = ${workspace} and c.id in (select value from ${dialect.eachText(ids)})`,
  ),
);
