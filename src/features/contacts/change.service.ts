import type { Db, DerivedTable } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import type { Expiry } from '../../jobs/expiry.ts';
import { timestamp } from '../../lib/clock.ts';
import { newUuid } from '../../lib/ids.ts';
import type { Principal } from '../workspaces/principal.ts';
import * as store from './change.store.ts';

export interface ChangeDetails {
  /** The names of the changed fields. */
  readonly fields?: readonly string[];
  readonly added?: readonly string[];
  readonly removed?: readonly string[];
  /** The enrollment after the change. */
  readonly status?: string;
  readonly attempts?: number;
  readonly outcome?: string | null;
}

export interface NewChange {
  readonly contact: string;
  readonly kind: Exclude<store.ChangeKind, 'import'>;
  readonly action: store.ChangeAction;
  /** By default now. */
  readonly at?: string;
  readonly campaign?: string;
  readonly details?: ChangeDetails;
}

const changes: DerivedTable<store.ChangeRow> = {
  write: (db, rows) => db.insertRows(store.insertChange, rows),
};

/** The actor of an import is its id. */
export const isImport = (actor: string) => actor.startsWith('import_');

/** Records a change for the timeline of a contact, in its transaction. */
export const recordContactChange = (
  db: Db,
  { workspace, actor, request }: Principal,
  { contact, kind, action, at, campaign, details }: NewChange,
): void =>
  db.defer(changes, {
    workspace_id: workspace,
    contact_id: contact,
    kind: isImport(actor) ? 'import' : kind,
    at: at ?? timestamp(),
    id: newUuid(),
    action,
    actor,
    request_id: request ?? null,
    campaign_id: campaign ?? null,
    details: details ? JSON.stringify(details) : null,
  });

/** Written last, so that it includes the changes of the same transaction. */
const erasures: DerivedTable<{ workspace: number; contact: string }> = {
  isLast: true,
  write: (db, erased) => [db.each(store.deleteChanges, erased)],
};

/** Deletes the changes of deleted contacts. */
export const eraseContactChanges = (
  db: Db,
  { workspace }: Principal,
  contacts: readonly { id: string }[],
): void => {
  for (const { id } of contacts) db.defer(erasures, { workspace, contact: id });
};

/** Few, so that other writes do not wait long for a step. */
const STEP = 500;

/** Deletes some expired changes of a workspace, oldest first, and returns how many. */
export const expireChanges = write(
  'expireChanges',
  async (db: Db, _: null, expiry: Expiry): Promise<number> =>
    db.run(store.deleteChangesBefore, { ...expiry, limit: STEP }),
);
