import type { Db, DerivedTable } from '../../db/db.ts';
import { timestamp } from '../../lib/clock.ts';
import type { Principal } from '../workspaces/principal.ts';
import * as store from './event.store.ts';
import type { EventType } from './event.types.ts';

export interface NewEvent {
  readonly type: EventType;
  /** The id of the changed record. An enrollment has the id of its contact. */
  readonly subject: string;
  /** The records that the change is about. Snapshots with a contact are erased when the contact is deleted. */
  readonly contact?: string | null;
  readonly agent?: string | null;
  readonly campaign?: string | null;
  /** The names of the changed fields. */
  readonly changed?: readonly string[];
  /** The record as the API shows it, as JSON. */
  readonly data?: string;
}

const log: DerivedTable<store.EventRow> = {
  write: (db, rows) => db.insertRows(store.insertEvent, rows),
};

/** Records a change in its transaction, for the feed and webhooks. Call it for every record that changes, after the
 *  statement that locks the record: the order of the events of a record is that of its changes. */
export const recordEvent = (
  db: Db,
  { workspace, actor, request }: Principal,
  { type, subject, contact = null, agent = null, campaign = null, changed, data }: NewEvent,
): void =>
  db.defer(log, {
    workspace_id: workspace,
    at: timestamp(),
    type,
    subject,
    contact_id: contact,
    agent_id: agent,
    campaign_id: campaign,
    actor,
    request_id: request ?? null,
    changed: changed ? JSON.stringify(changed) : null,
    data: data ?? null,
  });

interface Erasure {
  readonly workspace: number;
  readonly contact?: string;
  /** Ids of calls. */
  readonly calls?: readonly string[];
}

/** Written last, so that it includes the events of the same transaction. */
const erasures: DerivedTable<Erasure> = {
  isLast: true,
  write: (db, erased) =>
    [...Map.groupBy(erased, ({ workspace }) => workspace)].flatMap(([workspace, some]) => {
      const contacts = JSON.stringify(some.flatMap(({ contact }) => contact ?? []));
      const ids = some.flatMap(({ calls = [] }) => calls);
      const about = { workspace, contacts };
      if (ids.length === 0) return [db.all(store.lockSnapshots, about), db.run(store.eraseSnapshots, about)];
      const calls = JSON.stringify(ids);
      return [
        db.all(store.lockSnapshotsAndCalls, { ...about, calls }),
        db.run(store.eraseSnapshots, about),
        db.run(store.eraseCallSnapshots, { workspace, calls }),
      ];
    }),
};

/** Erases the snapshots of all events about deleted contacts. The events remain, with the ids. */
export const eraseContactEvents = (
  db: Db,
  { workspace }: Principal,
  contacts: readonly { id: string }[],
): void => {
  for (const { id } of contacts) db.defer(erasures, { workspace, contact: id });
};

/** Erases the snapshots that have the number of the other party, of calls without a link to the deleted contact. */
export const eraseCallEvents = (db: Db, { workspace }: Principal, calls: readonly string[]): void =>
  db.defer(erasures, { workspace, calls });
