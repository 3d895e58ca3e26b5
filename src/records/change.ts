import { count } from '../db/counters.ts';
import { type Db, type DerivedTable, derivedRows } from '../db/db.ts';
import { pickColumns } from '../db/statement.ts';
import { timestamp } from '../lib/clock.ts';
import { newUuid } from '../lib/ids.ts';
import { chain, type MaybePromise } from '../lib/maybe-promise.ts';
import { isLongerThan } from '../lib/text.ts';
import type { Action, EventType } from './actions.ts';
import * as audit from './audit.store.ts';
import * as events from './event.store.ts';
import * as timeline from './timeline.store.ts';

/** Actors that have no id. */
export const COMMAND_LINE = 'command line';
export const START = 'start';
/** The schedule of a campaign. */
export const SCHEDULE = 'schedule';
/** The audience of a campaign. */
export const AUDIENCE = 'audience';
/** A caller who failed to sign in. */
export const UNKNOWN_CALLER = 'unknown';

/** Who makes a change. */
export interface Actor {
  /** Limits every statement. */
  readonly workspace: number;
  /** The id of a key, user, channel or integration, or one of the actors that have none. */
  readonly actor: string;
  /** The id of the request, unless it only reads. */
  readonly request?: string | undefined;
  /** The interface of a change that is not one of the API, the dashboard or the command line. */
  readonly via?: 'mcp' | undefined;
}

export type Counts = Readonly<Record<string, number>>;

/** Fields with their values before and after a change. */
export interface Values {
  readonly before: object;
  readonly after: object;
}

/** The longest text and the longest JSON of a value that a change keeps. */
const [MAX_TEXT, MAX_JSON] = [500, 4_000];

const shortened = (value: unknown): unknown =>
  typeof value === 'string' && isLongerThan(value, MAX_TEXT)
    ? `${[...value].slice(0, MAX_TEXT).join('')}…`
    : (value ?? null);

/** The values of fields that have changed. Long texts are cut, and long lists left out. */
export const changedOf = (states: Values, fields: readonly string[]): Values => {
  const [before, after] = [states.before, states.after].map((state) =>
    Object.fromEntries(Object.entries(state).map(([name, value]) => [name, shortened(value)])),
  ) as [Record<string, unknown>, Record<string, unknown>];
  const names = fields.filter((name) => {
    const [old = '', now = ''] = [JSON.stringify(before[name]), JSON.stringify(after[name])];
    return old !== now && old.length + now.length <= MAX_JSON;
  });
  return { before: pickColumns(before, names), after: pickColumns(after, names) };
};

/** What the audit log says about a change: ids, names of fields and counts, and the values of settings. Never secrets, and never what
 *  is stored about a contact. */
export interface Entry {
  readonly action: Action;
  /** The changed record; undefined for several records or the workspace itself. An enrollment has the id of its contact. */
  readonly subject?: string | undefined;
  /** The record that the subject is a part of: the agent of a version, the campaign of an enrollment. */
  readonly parent?: string;
  /** The names of the changed fields. */
  readonly fields?: readonly string[] | undefined;
  /** The settings before and after the change, of which those with the names of changed fields are kept. */
  readonly values?: Values;
  readonly counts?: Counts;
}

/** What other systems see of a change. */
export interface Snapshot {
  /** By default that of the entry. */
  readonly subject?: string;
  /** The records that the change affects. Deleting the contact erases its snapshots. */
  readonly contact?: string | null;
  readonly agent?: string | null | undefined;
  readonly campaign?: string;
  /** The names of the changed fields as the API shows them, by default those of the entry. */
  readonly changed?: readonly string[] | undefined;
  /** The record as the API shows it, as JSON. */
  readonly data?: string;
}

/** An event has the name of its action, unless it is a special form of an update. */
type WithEvent =
  | { readonly action: EventType; readonly event?: Snapshot }
  | { readonly action: Action; readonly event?: Snapshot & { readonly type: EventType } };

export interface TimelineDetails {
  /** The names of the changed fields. */
  readonly fields?: readonly string[];
  readonly values?: Values;
  readonly added?: readonly string[];
  readonly removed?: readonly string[];
  /** The enrollment after the change. */
  readonly status?: string;
  readonly attempts?: number;
  readonly outcome?: string | null;
}

/** What the timeline of the event's contact shows of a change. */
export interface TimelineEntry {
  readonly kind: Exclude<timeline.ChangeKind, 'import'>;
  readonly action: timeline.ChangeAction;
  /** By default now. */
  readonly at?: string;
  readonly details?: TimelineDetails;
}

export type Change = Entry &
  WithEvent & {
    /** False for one of many records whose change has one entry. */
    readonly isAudited?: boolean;
    /** Only with an event, which names the contact. */
    readonly timeline?: readonly TimelineEntry[];
    /** The counters that had the record before the change, and those that have it now. */
    readonly counters?: { readonly before?: readonly string[]; readonly after?: readonly string[] };
  };

const entryRows = derivedRows(audit.insertEntries);
const eventRows = derivedRows(events.insertEvents);
const timelineRows = derivedRows(timeline.insertChanges);

const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

const entryOf = ({ workspace, actor, request, via }: Actor, entry: Entry, at: string): audit.EntryRow => ({
  workspace_id: workspace,
  at,
  actor,
  action: entry.action,
  subject: entry.subject ?? null,
  parent: entry.parent ?? null,
  fields: json(
    entry.values && entry.fields?.length
      ? { names: entry.fields, ...changedOf(entry.values, entry.fields) }
      : entry.fields,
  ),
  counts: json(entry.counts),
  request_id: request ?? null,
  via: via ?? null,
});

/** The actor of an import is its id. */
export const isImport = (actor: string) => actor.startsWith('import_');

/** Records a change in its transaction: in the audit log, as an event for the feed and webhooks, in the timeline of the contact
 *  and in counters. All are deferred writes. Call it for every record that changes, after the statement that locks the record:
 *  a record's events are in the order of its changes. */
export const change = (db: Db, principal: Actor, recorded: Change): void => {
  const at = timestamp();
  const { event, counters } = recorded;
  if (recorded.isAudited !== false) db.defer(entryRows, entryOf(principal, recorded, at));
  if (event) deferEvent(db, principal, recorded, event, at);
  if (counters?.before) count(db, principal.workspace, counters.before, -1);
  if (counters?.after) count(db, principal.workspace, counters.after, 1);
};

const deferEvent = (
  db: Db,
  { workspace, actor, request }: Actor,
  { action, subject, fields, timeline: shown = [] }: Change,
  event: Snapshot & { readonly type?: EventType },
  at: string,
): void => {
  const { contact = null, agent = null, campaign = null, changed = fields } = event;
  const request_id = request ?? null;
  db.defer(eventRows, {
    workspace_id: workspace,
    at,
    type: event.type ?? (action as EventType),
    subject: event.subject ?? subject ?? '',
    contact_id: contact,
    agent_id: agent,
    campaign_id: campaign,
    actor,
    request_id,
    changed: json(changed),
    data: event.data ?? null,
  });
  for (const entry of shown)
    db.defer(timelineRows, {
      workspace_id: workspace,
      contact_id: contact ?? '',
      kind: isImport(actor) ? 'import' : entry.kind,
      at: entry.at ?? at,
      id: newUuid(),
      action: entry.action,
      actor,
      request_id,
      campaign_id: campaign,
      details: json(entry.details),
    });
};

/** Records a change in the audit log immediately and returns the `seq` of the entry, for work that continues in other
 *  transactions. */
export const changeInSteps = (db: Db, actor: Actor, entry: Entry): MaybePromise<number> =>
  chain(db.get(audit.insertEntry, entryOf(actor, entry, timestamp())), (inserted) => inserted?.seq ?? 0);

/** Updates the counts of an entry, for work in several transactions. */
export const updateCounts = (
  db: Db,
  { workspace }: Pick<Actor, 'workspace'>,
  { entry, counts }: { entry: number; counts: Counts },
): MaybePromise<number> =>
  db.run(audit.setCounts, { workspace_id: workspace, seq: entry, counts: JSON.stringify(counts) });

/** The id of the user or key that made a change; undefined after its entry has expired. */
export const actorOfEntry = async (
  db: Db,
  { workspace }: Pick<Actor, 'workspace'>,
  { entry }: { entry: number },
): Promise<string | undefined> => (await db.get(audit.findActor, { workspace, entry }))?.actor;

export const changedFields = <T extends object>(
  before: T,
  next: T,
  names: readonly (keyof T & string)[],
): string[] => names.filter((name) => before[name] !== next[name]);

interface Erasure {
  readonly workspace: number;
  readonly contact?: string;
  /** Ids of calls. */
  readonly calls?: readonly string[];
}

/** Written last, so that it includes the changes of the same transaction. */
const erasures: DerivedTable<Erasure> = {
  isLast: true,
  write: (db, erased) =>
    [...Map.groupBy(erased, ({ workspace }) => workspace)].flatMap(([workspace, some]) => {
      const contacts = some.flatMap(({ contact }) => contact ?? []);
      const calls = JSON.stringify(some.flatMap(({ calls = [] }) => calls));
      const ids = { workspace, contacts: JSON.stringify(contacts), calls };
      return [
        db.all(events.lockSnapshots, ids),
        db.run(events.eraseSnapshots, ids),
        db.run(events.eraseCallSnapshots, ids),
        db.each(
          timeline.deleteChanges,
          contacts.map((contact) => ({ workspace, contact })),
        ),
      ];
    }),
};

/** Erases the snapshots of all events about deleted contacts, and their timelines. The events remain, with the ids. */
export const eraseContactChanges = (
  db: Db,
  { workspace }: Pick<Actor, 'workspace'>,
  contacts: readonly { id: string }[],
): void => {
  for (const { id: contact } of contacts) db.defer(erasures, { workspace, contact });
};

/** Erases the snapshots that have the number of the other party, of calls without a link to the deleted contact. */
export const eraseCallEvents = (
  db: Db,
  { workspace }: Pick<Actor, 'workspace'>,
  calls: readonly string[],
): void => db.defer(erasures, { workspace, calls });

/** Erases the values of a field from the timelines of contacts that are locked. */
export const eraseFieldChanges = async (
  db: Db,
  { workspace, field }: { readonly workspace: number; readonly field: string },
  contacts: readonly { id: string }[],
): Promise<void> => {
  const keys = JSON.stringify(contacts.map(({ id }) => id));
  for (const row of await db.all(timeline.changesWithValues, { workspace, keys })) {
    if (!row.details?.includes(`"${field}":`)) continue;
    const kept = JSON.parse(row.details, (name, value) => (name === field ? undefined : value));
    await db.run(timeline.setDetails, { ...row, details: JSON.stringify(kept) });
  }
};
