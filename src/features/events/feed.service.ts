import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../../db/db.ts';
import { longRead, read } from '../../db/operation.ts';
import { pickColumns } from '../../db/statement.ts';
import type { Storage } from '../../db/storage.ts';
import { ApiError, invalidField, notFound } from '../../lib/errors.ts';
import { eventIdExample, eventIdOf, positionIn } from '../../records/event.id.ts';
import * as store from '../../records/event.store.ts';
import type { ById, Principal } from '../workspaces/principal.ts';
import type { FeedQuery } from './event.schema.ts';
import { sequenceEvents } from './event.sequence.ts';

/** With a filter, a page examines at most this many events. */
const MAX_EXAMINED = 2_000;
/** A page ends after snapshots of this many characters: 500 versions of an agent can have 50 MB. */
const MAX_PAGE_LENGTH = 2_000_000;

/** The first rows of a page, at least one. */
const withinLength = (rows: readonly store.StoredEvent[]): readonly store.StoredEvent[] => {
  let length = 0;
  const last = rows.findIndex(({ data }) => {
    length += data?.length ?? 0;
    return length > MAX_PAGE_LENGTH;
  });
  return last === -1 ? rows : rows.slice(0, last + 1);
};

/** What a page needs to know of an event to refresh what it shows: nothing about who made the change. */
const changeJson = ({ type, subject, contact_id, agent_id, campaign_id }: store.StoredEvent): string => {
  const ids = new Set([subject, contact_id, agent_id, campaign_id].filter((id) => id !== null));
  return JSON.stringify({ type, ids: [...ids] });
};

/** An event as JSON. The snapshot is stored as JSON. */
export const eventJson = (row: store.StoredEvent, payload: FeedQuery['payload'] = 'snapshot'): string => {
  if (payload === 'ids') return changeJson(row);
  const head = JSON.stringify({
    id: eventIdOf(row),
    type: row.type,
    timestamp: row.at,
    workspace_id: row.workspace_id,
    subject_id: row.subject,
    ...pickColumns(row, ['contact_id', 'agent_id', 'campaign_id', 'actor', 'request_id']),
  });
  const data = payload === 'thin' ? null : row.data;
  return `${head.slice(0, -1)},"changed":${row.changed},"data":${data}}`;
};

const eventsGone = (after: string) =>
  new ApiError(
    'GONE',
    `The log no longer has the event ${after} or the one after it: its retention period has passed, or the database was restored from an earlier backup. Read the records again, then continue with after=latest.`,
  );

/** The oldest and the newest position, 0 if there are no events, and whether there are committed events without one. */
const boundsOf = async (db: Db, workspace: number) => {
  // In this order: positions that another reader assigns in between are within the bounds.
  const waiting = await db.get(store.findUnsequenced, { workspace });
  const bounds = await db.get(store.findBounds, { workspace });
  return { oldest: bounds?.oldest ?? 0, newest: bounds?.newest ?? 0, isBehind: waiting !== undefined };
};

/** The newest position, to notice new events. */
export const feedState = read('feedState', async (db, { workspace }: Pick<Principal, 'workspace'>) =>
  boundsOf(db, workspace),
);

/** The position of the event after which a page begins. */
const positionOf = async (
  db: Db,
  workspace: number,
  after: string,
  bounds: { oldest: number; newest: number },
): Promise<number> => {
  if (after === 'latest') return bounds.newest;
  const position = positionIn(after);
  if (position === undefined)
    throw invalidField('after', `must be the id of an event, such as ${eventIdExample}, or latest.`);
  const found = await db.get(store.findEvent, { workspace, seq: position });
  const isKnown = found ? eventIdOf(found) === after : position > 0 && position === bounds.oldest - 1;
  if (!isKnown) throw eventsGone(after);
  return position;
};

/** One page of the log, oldest first. */
export const listFeed = longRead(
  'listFeed',
  async (db, { workspace }: Principal, { after, types, limit, payload }: FeedQuery) => {
    const bounds = await boundsOf(db, workspace);
    const { newest, oldest, isBehind } = bounds;
    const begin =
      after === undefined ? Math.max(oldest - 1, 0) : await positionOf(db, workspace, after, bounds);
    const until = Math.min(newest, begin + (types ? MAX_EXAMINED : limit));
    const range = { workspace, after: begin, until, limit };
    const statements = store.listEvents[payload === 'snapshot' ? payload : 'thin'];
    const found = await (types
      ? db.all(statements.ofTypes, { ...range, types: JSON.stringify(types) })
      : db.all(statements.all, range));
    const rows = withinLength(found);
    const isCut = rows.length === limit || rows.length < found.length;
    const end = isCut ? (rows.at(-1)?.seq ?? until) : until;
    const last =
      end === rows.at(-1)?.seq ? rows.at(-1) : await db.get(store.findEvent, { workspace, seq: end });
    return {
      events: rows.map((row) => eventJson(row, payload)),
      /** Where the next page begins. */
      after: last ? eventIdOf(last) : end === begin && after !== 'latest' ? (after ?? null) : null,
      has_more: end < newest || isBehind,
      isBehind: isBehind && end === newest,
      newest,
    };
  },
);

export type FeedPage = Awaited<ReturnType<typeof listFeed>>;

/** How many steps of sequencing `after=latest` waits for: a log without readers can have many events without a position. */
const MAX_STEPS = 100;
const BUSY_MS = 20;

/** One page of the log. Assigns positions first if the reader has all events that have one. */
export const readFeed = async (storage: Storage, principal: Principal, query: FeedQuery) => {
  const { workspace } = principal;
  let page = await storage.run(listFeed, principal, query);
  for (let step = 0; page.isBehind && page.events.length < query.limit && step < MAX_STEPS; step++) {
    const assigned = await storage.run(sequenceEvents, null, { workspace });
    const isLatest = query.after === 'latest';
    if (assigned === 0 && !isLatest) break;
    // Another reader is assigning positions. Without them, this one would begin before events that are committed already.
    if (assigned === 0) await pause(BUSY_MS, undefined, { ref: false });
    page = await storage.run(listFeed, principal, query);
    if (!isLatest) break;
  }
  return page;
};

export const getEvent = read('getEvent', async (db, { workspace }: Principal, { id }: ById) => {
  const seq = positionIn(id);
  const found = seq && (await db.get(store.findEvent, { workspace, seq }));
  if (!found || eventIdOf(found) !== id) throw notFound('event');
  return eventJson(found);
});
