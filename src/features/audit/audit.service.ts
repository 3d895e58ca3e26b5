import type { Db, DerivedTable } from '../../db/db.ts';
import { timestamp } from '../../lib/clock.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import { type EntryRow, findActor, insertEntries, insertEntry, setCounts } from './audit.store.ts';

export const actions = [
  'workspace.created',
  'settings.updated',
  'user.created',
  'user.updated',
  'user.deleted',
  'link.created',
  'session.created',
  'session.deleted',
  'session.refused',
  'key.created',
  'key.revoked',
  'contact.created',
  'contact.updated',
  'contact.deleted',
  'contact.exported',
  'bulk_job.canceled',
  'integration.created',
  'integration.updated',
  'integration.secret_rotated',
  'integration.old_secret_revoked',
  'integration.deleted',
  'agent.created',
  'agent.updated',
  'agent.deleted',
  'version.created',
  'version.deployed',
  'channel.created',
  'channel.updated',
  'channel.connected',
  'channel.disconnected',
  'channel.secret_rotated',
  'channel.old_secret_revoked',
  'channel.deleted',
  'call.created',
  'call.updated',
  'campaign.created',
  'campaign.updated',
  'campaign.deleted',
  'enrollment.created',
  'enrollment.claimed',
  'enrollment.updated',
  'enrollment.deleted',
  'import.created',
  'import.updated',
  'import.applied',
  'import.undone',
  'import.deleted',
  'webhook.created',
  'webhook.updated',
  'webhook.secret_rotated',
  'webhook.old_secret_revoked',
  'webhook.tested',
  'webhook.replayed',
  'webhook.replay_canceled',
  'webhook.disabled',
  'webhook.deleted',
  'view.created',
  'view.updated',
  'view.deleted',
] as const;
export type Action = (typeof actions)[number];

/** Actors that have no id. */
export const COMMAND_LINE = 'command line';
export const START = 'start';
/** The schedule of a campaign. */
export const SCHEDULE = 'schedule';
/** A caller who failed to sign in. */
export const UNKNOWN_CALLER = 'unknown';

/** Who makes a change: the workspace, the id of the actor, and the id of the request. */
export interface Actor {
  readonly workspace: number;
  readonly actor: string;
  readonly request?: string | undefined;
  readonly via?: string | undefined;
}

export type Counts = Readonly<Record<string, number>>;

export interface Entry {
  readonly action: Action;
  readonly subject?: string | undefined;
  readonly parent?: string;
  readonly fields?: readonly string[];
  readonly counts?: Counts;
}

const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

const rowOf = (
  { workspace, actor, request, via }: Actor,
  { action, subject, parent, fields, counts }: Entry,
): EntryRow => ({
  workspace_id: workspace,
  at: timestamp(),
  actor,
  action,
  subject: subject ?? null,
  parent: parent ?? null,
  fields: json(fields),
  counts: json(counts),
  request_id: request ?? null,
  via: via ?? null,
});

const entries: DerivedTable<EntryRow> = {
  write: (db, rows) => db.insertRows(insertEntries, rows),
};

/** Records a change in its transaction. The entry is a deferred write. */
export const recordChange = (db: Db, actor: Actor, entry: Entry): void =>
  db.defer(entries, rowOf(actor, entry));

/** Records a change immediately and returns the `seq` of the entry, for work that continues in other transactions. */
export const recordChangeNow = (db: Db, actor: Actor, entry: Entry): MaybePromise<number> =>
  chain(db.get(insertEntry, rowOf(actor, entry)), (inserted) => inserted?.seq ?? 0);

/** Updates the counts of an entry, for work in several transactions. */
export const updateCounts = (
  db: Db,
  { workspace }: Pick<Actor, 'workspace'>,
  { entry, counts }: { entry: number; counts: Counts },
): MaybePromise<number> => db.run(setCounts, { workspace, entry, counts: JSON.stringify(counts) });

/** The id of the user or key that made a change; undefined after its entry has expired. */
export const actorOfEntry = async (
  db: Db,
  { workspace }: Pick<Actor, 'workspace'>,
  { entry }: { entry: number },
): Promise<string | undefined> => (await db.get(findActor, { workspace, entry }))?.actor;

export const changedFields = <T extends object>(
  before: T,
  next: T,
  names: readonly (keyof T & string)[],
): string[] => names.filter((name) => before[name] !== next[name]);
