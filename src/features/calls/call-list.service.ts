import { longRead } from '../../db/operation.ts';
import { parseUuid } from '../../lib/ids.ts';
import { pageOf, pageRequestOf } from '../../lib/page.ts';
import { type Condition, equalTo, type Position } from '../../records/list.ts';
import { channelId } from '../channels/channel.service.ts';
import { contactId } from '../contacts/contact.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { CallFilterQuery, CallQuery } from './call.schema.ts';
import { callOf } from './call.service.ts';
import { callList, namedCalls } from './call-list.store.ts';

export const conditionsOf = (query: CallFilterQuery): Condition[] => {
  const { contact_id = '', channel_id = '', agent_id = '', version_id = '' } = query;
  return equalTo({
    contact_id: contactId.parse(contact_id) ?? contact_id,
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

const isByStart = ({ version_id, type, status, started_since, started_before }: CallQuery): boolean =>
  Boolean(version_id || type || status || started_since || started_before);

export const listCalls = longRead('listCalls', async (db, { workspace }: Principal, query: CallQuery) => {
  const order = query.sort ?? (isByStart(query) ? '-started_at' : 'recorded');
  const plan = callList.plan(conditionsOf(query), order);
  const rows = await callList.page(db, plan, namedCalls, { workspace, ...pageRequestOf(query) });
  const total = await callList.total(db, plan, workspace);
  return pageOf(rows.map(callOf), total);
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
] as const satisfies readonly (keyof ExportedCall)[];

type Step = { filters: CallFilterQuery; after: Position | undefined; limit: number };

/** The next calls of an export, newest first. `after` is the position of the last call of the previous step, and `next` that of this
 *  one; undefined for the first step and after the last. */
export const exportCallsStep = longRead(
  'exportCallsStep',
  async (db, { workspace }: Principal, { filters, after, limit }: Step) => {
    const plan = callList.plan(conditionsOf(filters), '-started_at');
    const rows = await callList.page(db, plan, namedCalls, { workspace, limit, after });
    const last = rows.length < limit ? undefined : rows.at(-1);
    return {
      records: rows.map(callOf),
      next: last && { key: last.started_at, seq: Number(last.seq) },
    };
  },
);
