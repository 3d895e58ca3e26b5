import type { Db } from '../../db/db.ts';
import { longRead } from '../../db/operation.ts';
import { parseUuid } from '../../lib/ids.ts';
import { pageOf, pageRequestOf } from '../../lib/page.ts';
import { type Condition, equalTo } from '../../records/list.declaration.ts';
import type { Position } from '../../records/list.ts';
import { channelId } from '../channels/channel.service.ts';
import { movingIds } from '../contacts/contact.merged.ts';
import { contactId } from '../contacts/contact.service.ts';
import { searchable } from '../contacts/contact.store.ts';
import { identityOf } from '../contacts/phone.identity.ts';
import type { Principal } from '../workspaces/principal.ts';
import { callOf } from './call.service.ts';
import type { CallFilterQuery, CallQuery } from './call-filter.schema.ts';
import { callList, findSearchedSince, findVersionNames, namedCalls } from './call-list.store.ts';

/** A plus sign that was not encoded in a URL is a space. */
const numberOf = (text = '') => {
  const number = text.replace(/^ (?=\d)/, '+');
  const identity = identityOf(number);
  return identity ? { number_identity: identity } : { other_number: number };
};

const contactOf = async (db: Db, workspace: number, sent: string) => {
  const contact_id = contactId.parse(sent) ?? sent;
  const moving = contact_id === '' ? [] : await movingIds(db, workspace, [contact_id]);
  return moving.length === 0 ? { contact_id } : { contact_ids: JSON.stringify([contact_id, ...moving]) };
};

export const conditionsOf = async (
  db: Db,
  { workspace }: Principal,
  query: CallFilterQuery,
): Promise<Condition[]> => {
  const { contact_id = '', channel_id = '', agent_id = '', version_id = '' } = query;
  return equalTo({
    ...numberOf(query.number),
    goal: query.goal,
    disposition: query.disposition,
    tag: query.tag,
    seconds_min: query.seconds_min,
    seconds_max: query.seconds_max,
    search: query.search && searchable(query.search),
    identity_id: query.identity_id,
    ...(await contactOf(db, workspace, contact_id)),
    version_id: parseUuid(version_id) ?? version_id,
    channel_id: channelId.parse(channel_id) ?? channel_id,
    agent_id: parseUuid(agent_id) ?? agent_id,
    status: query.status,
    medium: query.type,
    direction: query.direction,
    since: query.started_since,
    before: query.started_before,
  });
};

/** After every time. */
const LAST_TIME = '~';

/** These have an index in the order in which calls were recorded. */
const RECORDED: readonly string[] = ['contact_id', 'contact_ids', 'channel_id', 'agent_id', 'direction'];

/** The filters of a list that searches the latest texts, and whether there are earlier ones. Those of a contact or phone number are few; of withheld
 *  numbers there are many. */
export const searched = async <Q extends CallFilterQuery>(
  db: Db,
  { workspace }: Principal,
  query: Q,
): Promise<{ filters: Q; isCapped: boolean }> => {
  const { search, contact_id, number, started_since = '', started_before = LAST_TIME } = query;
  const earliest =
    search && !contact_id && !number?.startsWith('+')
      ? await db.get(findSearchedSince, { workspace, before: started_before })
      : undefined;
  return earliest && earliest.started_at > started_since
    ? { filters: { ...query, started_since: earliest.started_at }, isCapped: true }
    : { filters: query, isCapped: false };
};

/** The names of versions and their agents, by the ids of the versions. */
export const versionNames = async (db: Db, workspace: number, ids: Iterable<string>) => {
  const rows = await db.all(findVersionNames, { workspace, ids: JSON.stringify([...ids]) });
  return new Map(rows.map((row) => [row.id, row]));
};

export const listCalls = longRead('listCalls', async (db, principal: Principal, query: CallQuery) => {
  const { workspace } = principal;
  const { filters, isCapped } = await searched(db, principal, query);
  const conditions = await conditionsOf(db, principal, filters);
  const isRecorded = conditions.every((each) => 'filter' in each && RECORDED.includes(each.filter));
  const plan = callList.plan(conditions, query.sort ?? (isRecorded ? 'recorded' : '-started_at'));
  const rows = await callList.page(db, plan, namedCalls, { workspace, ...pageRequestOf(query) });
  const total = await callList.total(db, plan, workspace);
  const isMore = plan.others.length > 0 && total === plan.order.cap;
  return { ...pageOf(rows.map(callOf), total), isCapped: isCapped || isMore };
});

export type ExportedCall = ReturnType<typeof callOf>;

/** The columns of an export. */
export const callColumns = [
  'id',
  'type',
  'direction',
  'status',
  'started_at',
  'ended_at',
  'seconds',
  'number',
  'contact_id',
  'contact_name',
  'agent_id',
  'agent_name',
  'version_id',
  'version_label',
  'channel_id',
  'channel_name',
  'channel_kind',
  'provider_id',
  'session_id',
  'disposition',
  'goals',
  'ended_by',
  'cost',
  'recording_url',
  'summary',
  'text',
  'data',
  'note',
  'tags',
] as const satisfies readonly (keyof ExportedCall)[];

type Step = { filters: CallFilterQuery; after: Position | undefined; limit: number };

/** The next calls of an export, newest first. `after` is the position of the last call of the previous step, and `next` that of this
 *  one; undefined for the first step and after the last. */
export const exportCallsStep = longRead(
  'exportCallsStep',
  async (db, principal: Principal, { filters, after, limit }: Step) => {
    const { workspace } = principal;
    const plan = callList.plan(await conditionsOf(db, principal, filters), '-started_at');
    const rows = await callList.page(db, plan, namedCalls, { workspace, limit, after });
    const last = rows.length < limit ? undefined : rows.at(-1);
    return {
      records: rows.map(callOf),
      next: last && { key: last.started_at, seq: Number(last.seq) },
    };
  },
);
