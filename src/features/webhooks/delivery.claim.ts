import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { listEvents, type StoredEvent } from '../../records/event.store.ts';
import * as deliveries from './delivery.store.ts';
import { eventFilter } from './webhook.filter.ts';
import { type EndpointRow, lockEndpointIfFree, NO_REPLAY, updateEndpoint } from './webhook.store.ts';

/** A receiver that fails leaves the rest of its events in the log. */
const MAX_PENDING = 1_000;
/** Events that one step examines, without and with their snapshots. */
const EXAMINED = { thin: 1_000, snapshot: 200 };
/** How far ahead a rate is reserved, and how long before the end of that the next claim is made. */
const RATE_AHEAD_MS = 2_000;
const RATE_CLAIM_MS = 1_000;
/** How far the clocks of two instances can differ. A rate that is used up for longer was stored before the clock was set back. */
const MAX_CLOCK_SKEW_MS = 60_000;

const isoOf = (ms: number) => new Date(ms).toISOString();

/** The part of a rate that may be used now: from when on, and how many requests. */
const rateOf = ({ rate_per_second, rate_until }: EndpointRow, limit: number, now: number) => {
  if (rate_per_second === null) return { from: now, everyMs: 0, count: limit };
  const everyMs = 1_000 / rate_per_second;
  const usedUntil = rate_until === null ? 0 : Date.parse(rate_until);
  const from = usedUntil > now + MAX_CLOCK_SKEW_MS ? now : Math.max(now, usedUntil);
  return {
    from,
    everyMs,
    count: Math.min(limit, Math.max(0, Math.ceil((now + RATE_AHEAD_MS - from) / everyMs))),
  };
};

/** The next events of the log that an endpoint receives. */
const findEvents = async (
  db: Db,
  endpoint: EndpointRow,
  range: { after: number; until: number; limit: number },
  isIncluded: (event: StoredEvent) => boolean = () => true,
) => {
  // Only the filter by tag reads snapshots.
  const form = endpoint.filter_tag === null ? 'thin' : 'snapshot';
  const matches = eventFilter(endpoint);
  const limit = matches ? EXAMINED[form] : Math.min(range.limit, EXAMINED[form]);
  const rows = await db.all(listEvents[form].all, { ...range, workspace: endpoint.workspace_id, limit });
  const events: StoredEvent[] = [];
  /** The last one that was examined. */
  let position = range.after;
  for (const event of rows) {
    if (events.length === range.limit) return { events, position, isMore: true };
    position = event.seq;
    if (isIncluded(event) && matches?.(event) !== false) events.push(event);
  }
  return { events, position, isMore: rows.length === limit };
};

/** Adds deliveries of the next events of a replay. They are claimed by the next step. */
const replayStep = async (db: Db, endpoint: EndpointRow, { limit, now }: { limit: number; now: string }) => {
  const { workspace_id: workspace, id, replay_next: next, replay_until: until } = endpoint;
  if (next === null || until === null || limit <= 0) return {};
  const which = { workspace, endpoint: id };
  const add = (events: readonly { seq: number; subject: string | null }[]) =>
    addDeliveries(db, endpoint, events, { now, lease: null, due_at: now });
  if (endpoint.replay_failed === 1) {
    const rows = await db.all(deliveries.listFailed, { ...which, from: next, until, limit });
    await add(rows.map(({ event_seq, subject }) => ({ seq: event_seq, subject })));
    return rows.length < limit ? NO_REPLAY : { replay_next: (rows.at(-1)?.event_seq ?? until) + 1 };
  }
  const { replay_since: since, replay_before: before } = endpoint;
  const isIncluded = ({ at }: StoredEvent) => at >= (since ?? '') && (before === null || at <= before);
  const found = await findEvents(db, endpoint, { after: next - 1, until, limit }, isIncluded);
  await add(found.events);
  return found.isMore && found.position < until ? { replay_next: found.position + 1 } : NO_REPLAY;
};

/** Inserts deliveries. For an ordered endpoint, only the first of each subject is leased. Returns the leased ones. */
const addDeliveries = async (
  db: Db,
  { workspace_id: workspace, id, ordered }: EndpointRow,
  events: readonly { seq: number; subject: string | null }[],
  { now, lease, due_at }: { now: string; lease: string | null; due_at: string },
): Promise<number[]> => {
  if (events.length === 0) return [];
  const which = { workspace, endpoint: id };
  const waiting = new Set<string>();
  if (ordered === 1) {
    const subjects = JSON.stringify([...new Set(events.map(({ subject }) => subject))]);
    for (const { subject } of await db.all(deliveries.listPendingSubjects, { ...which, subjects }))
      waiting.add(subject);
  }
  const rows = events.map(({ seq, subject }): deliveries.NewDelivery => {
    if (ordered === 0 || subject === null) return { seq, subject: null, due_at, lease };
    if (waiting.has(subject)) return { seq, subject, due_at: deliveries.BLOCKED, lease: null };
    waiting.add(subject);
    return { seq, subject, due_at, lease };
  });
  await db.run(deliveries.insertDeliveries, { ...which, now, deliveries: JSON.stringify(rows) });
  return rows.filter((row) => row.due_at !== deliveries.BLOCKED).map(({ seq }) => seq);
};

interface ClaimInput {
  readonly workspace: number;
  readonly id: string;
  readonly lease: string;
  readonly limit: number;
  readonly leaseMs: number;
}

/** Leases due deliveries of an endpoint, and takes over the next events from the log. Undefined if there is nothing to do, or if
 *  another instance is doing it. */
export const claimDeliveries = write(
  'claimWebhookDeliveries',
  async (db, _: null, { workspace, id, lease, limit, leaseMs }: ClaimInput) => {
    const endpoint = await db.get(lockEndpointIfFree, { workspace, id });
    if (endpoint?.status !== 'active') return undefined;
    const ms = Date.now();
    const now = isoOf(ms);
    const rate = rateOf(endpoint, limit, ms);
    if (rate.count === 0)
      return { target: endpoint, deliveries: [], isMore: false, nextAt: isoOf(rate.from - RATE_CLAIM_MS) };
    const which = { workspace, endpoint: id };
    const until = isoOf(ms + leaseMs);
    const due = await db.all(deliveries.listDue, { ...which, now, limit: rate.count });
    if (due.length > 0) {
      const seqs = JSON.stringify(due.map(({ event_seq }) => event_seq));
      await db.run(deliveries.leaseDeliveries, { ...which, seqs, lease, until });
    }
    const claimed = due.map(({ event_seq, attempts }) => ({ seq: event_seq, attempts }));
    let isMore = due.length === rate.count;
    let nextAt: string | null = null;
    let changes: Partial<EndpointRow> = {};
    if (!isMore) {
      const pending = await db.get(deliveries.countPending, which);
      const room = MAX_PENDING - Number(pending?.count);
      if (room <= 0) nextAt = pending?.next ?? null;
      const isReplay = endpoint.replay_until !== null;
      // A replay gets half of the room, so that neither waits for the other.
      const wanted = Math.min(rate.count - due.length, isReplay ? Math.ceil(room / 2) : room);
      if (wanted > 0) {
        const range = { after: endpoint.position, until: Number.MAX_SAFE_INTEGER, limit: wanted };
        const found = await findEvents(db, endpoint, range);
        const leased = await addDeliveries(db, endpoint, found.events, { now, lease, due_at: until });
        claimed.push(...leased.map((seq) => ({ seq, attempts: 0 })));
        isMore = found.isMore;
        if (found.position > endpoint.position) changes = { position: found.position };
      }
      if (isReplay && room - wanted > 0) {
        const step = await replayStep(db, endpoint, { limit: Math.min(room - wanted, limit), now });
        changes = { ...changes, ...step };
        isMore = true;
      }
    }
    if (rate.everyMs > 0 && claimed.length > 0)
      changes = { ...changes, rate_until: isoOf(rate.from + claimed.length * rate.everyMs) };
    if (Object.keys(changes).length > 0) await db.run(updateEndpoint, { ...endpoint, ...changes });
    const timed = claimed.map((each, at) => ({ ...each, startAt: rate.from + at * rate.everyMs }));
    return { target: endpoint, deliveries: timed, isMore, nextAt };
  },
);
