import type { Db } from '../../db/db.ts';
import { longRead } from '../../db/operation.ts';
import { parseUuid } from '../../lib/ids.ts';
import { type Page, pageRequestOf } from '../../lib/page.ts';
import { channelId } from '../channels/channel.service.ts';
import { contactId } from '../contacts/contact.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { CallFilterQuery, CallQuery } from './call.schema.ts';
import { callOf, countCalls } from './call.service.ts';
import * as store from './call.store.ts';
import {
  type CallConditions,
  type CallPosition,
  callRangeStatements,
  rangeOf,
  startOf,
} from './call-list.store.ts';

/** The total of a list with several filters stops here, because it would have to read every call of its range. */
export const MAX_TOTAL = 10_000;

/** Sorts after every time. */
const END = '~';

export const conditionsOf = (query: CallFilterQuery): CallConditions => {
  const { contact_id = '', channel_id = '', agent_id = '', version_id = '' } = query;
  return {
    contact_id: contactId.parse(contact_id) ?? contact_id,
    channel_id: channelId.parse(channel_id) ?? channel_id,
    agent_id: parseUuid(agent_id) ?? agent_id,
    version_id: parseUuid(version_id) ?? version_id,
    direction: query.direction ?? '',
    medium: query.type ?? '',
    status: query.status ?? '',
    since: query.started_since ?? '',
    before: query.started_before ?? END,
  };
};

const isByStart = ({ sort, version_id, type, status, started_since, started_before }: CallQuery): boolean =>
  Boolean(sort || version_id || type || status || started_since || started_before);

/** In the order of the start. */
const listByStart = async (db: Db, principal: Principal, query: CallQuery): Promise<Page> => {
  const { workspace } = principal;
  const conditions = conditionsOf(query);
  const { range, isFiltered } = rangeOf(conditions);
  const order = query.sort === 'started_at' ? 'asc' : 'desc';
  const { count, [order]: page } = callRangeStatements[range];
  const args = { ...conditions, ...startOf(conditions, order), ...pageRequestOf(query), workspace };
  const found = await db.all(page, args);
  const isWhole = range === 'all' && !isFiltered && conditions.since === '' && conditions.before === END;
  const limit = isFiltered ? MAX_TOTAL : Number.MAX_SAFE_INTEGER;
  const total = isWhole
    ? await countCalls(db, principal)
    : Number((await db.get(count, { ...conditions, workspace, limit }))?.count);
  return { json: found.map((row) => JSON.stringify(callOf(row))).join(','), total };
};

/** In the order in which calls were recorded, newest first. */
const listByRecording = async (db: Db, principal: Principal, query: CallQuery): Promise<Page> => {
  const filter = { workspace: principal.workspace, ...conditionsOf(query) };
  const given = store.callFilters.filter((name) => filter[name] !== '');
  const { rows, count } = store.listingOf(given);
  const found = await db.all(rows, { ...filter, ...pageRequestOf(query) });
  const total =
    given.length === 0 ? await countCalls(db, principal) : Number((await db.get(count, filter))?.count);
  return { json: found.map((row) => JSON.stringify(callOf(row))).join(','), total };
};

export const listCalls = longRead(
  'listCalls',
  (db: Db, principal: Principal, query: CallQuery): Promise<Page> =>
    isByStart(query) ? listByStart(db, principal, query) : listByRecording(db, principal, query),
);

export type ExportedCall = ReturnType<typeof callOf>;

export interface CallExportStep {
  filters: CallFilterQuery;
  /** The position of the last call of the previous step; undefined for the first step. */
  after: CallPosition | undefined;
  limit: number;
}

/** The next calls of an export, newest first; `next` is undefined after the last. */
export const exportCallsStep = longRead(
  'exportCallsStep',
  async (
    db: Db,
    { workspace }: Principal,
    { filters, after, limit }: CallExportStep,
  ): Promise<{ calls: ExportedCall[]; next: CallPosition | undefined }> => {
    const conditions = conditionsOf(filters);
    const position = after ?? startOf(conditions, 'desc');
    const args = { ...conditions, ...position, workspace, limit, offset: 0 };
    const rows = await db.all(callRangeStatements[rangeOf(conditions).range].desc, args);
    const last = rows.length < limit ? undefined : rows.at(-1);
    return {
      calls: rows.map(callOf),
      next: last && { key: last.started_at, seq: Number(last.seq) },
    };
  },
);
