import type { Db } from '../../db/db.ts';
import { longRead } from '../../db/operation.ts';
import { END_OF_TIME } from '../../lib/clock.ts';
import { forbidden } from '../../lib/errors.ts';
import type { KeyScope } from '../../lib/scopes.ts';
import { isImport, type TimelineDetails } from '../../records/change.ts';
import { decodeCursor, encodeCursor } from '../../records/cursor.ts';
import { type ChangeKind, type ChangeRow, changeKinds, listChanges } from '../../records/timeline.store.ts';
import { actorOf, findNames, type Named } from '../audit-log/audit-log.service.ts';
import { callOf } from '../calls/call.service.ts';
import { findListedCalls } from '../calls/call.store.ts';
import { existingContact, mergedIds } from '../contacts/contact.merged.ts';
import { contactId } from '../contacts/contact.service.ts';
import { fieldsOf } from '../fields/field.store.ts';
import type { FieldDefinition } from '../fields/field.values.ts';
import { type ById, isKeyWithout, type Principal } from '../workspaces/principal.ts';
import { type TimelineKind, type TimelineQuery, timelineKinds } from './timeline.schema.ts';
import * as store from './timeline.store.ts';

/** The entry after which a page begins. Entries are ordered by time, and those of one millisecond by id. */
interface TimelinePosition {
  readonly at: string;
  readonly id: string;
}

/** After every time and id. */
const END: TimelinePosition = { at: END_OF_TIME, id: '' };

const AT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ID = /^[a-z0-9_-]{0,80}$/;

const timelineCursor = {
  read: ([at, id]: readonly unknown[]): TimelinePosition | undefined =>
    typeof at === 'string' && AT.test(at) && typeof id === 'string' && ID.test(id) ? { at, id } : undefined,
  message:
    'is not valid for this timeline. Send the next_cursor of the previous page with the same kinds, or start again without a cursor.',
};

/** Kinds that show records of other features need the scope of these, too. */
export const kindScopes: Partial<Record<TimelineKind, KeyScope>> = {
  enrollment: 'campaigns:read',
  call: 'calls:read',
  message: 'calls:read',
};

/** By default all kinds that the caller may read. */
const kindsFor = (principal: Principal, asked: readonly TimelineKind[] | undefined): TimelineKind[] => {
  const missing = (kind: TimelineKind) => {
    const scope = kindScopes[kind];
    return scope && isKeyWithout(principal, scope) ? scope : undefined;
  };
  const refused = asked?.find(missing);
  if (refused) {
    const scope = missing(refused) as KeyScope;
    throw forbidden(`Entries of the kind ${refused} require the scope ${scope}.`, {
      required_scope: scope,
    });
  }
  return timelineKinds.filter((kind) => (asked ? asked.includes(kind) : !missing(kind)));
};

/** An entry before the names are known. */
type Found = TimelinePosition & { kind: TimelineKind; change?: ChangeRow; creation?: store.Creation };

const isChangeKind = (kind: TimelineKind): kind is ChangeKind =>
  (changeKinds as readonly string[]).includes(kind);

interface Range {
  readonly workspace: number;
  /** The contact and those that were merged into it, whose changes stay with their ids. */
  readonly contacts: readonly string[];
  readonly after: TimelinePosition;
  /** The number of entries that each kind may contribute. */
  readonly limit: number;
}

const findOfKind = async (db: Db, kind: TimelineKind, contact: string, range: Range): Promise<Found[]> => {
  const { workspace, after, limit } = range;
  const page = { workspace, contact, ...after, limit };
  if (!isChangeKind(kind))
    return (await db.all(store.listCallIds, { ...page, medium: kind })).map((call) => ({ ...call, kind }));
  const rows = await db.all(listChanges, { ...page, kind });
  return rows.map((change) => ({ at: change.at, id: change.id, kind, change }));
};

/** The creation comes from the contact itself, so it never expires. It sorts before everything else of its millisecond. */
const creationOf = (creation: store.Creation): Found => ({
  at: creation.created_at,
  id: '',
  kind: creation.source === 'import' || isImport(creation.created_by ?? '') ? 'import' : 'edit',
  creation,
});

const isAfter = (one: TimelinePosition, other: TimelinePosition): boolean =>
  one.at > other.at || (one.at === other.at && one.id > other.id);

/** Reads at most a page of each kind, each from an index range, and merges them. */
const findPage = async (db: Db, kinds: readonly TimelineKind[], creation: Found, range: Range) => {
  const ranges = range.contacts.flatMap((contact) =>
    kinds.map((kind) => findOfKind(db, kind, contact, range)),
  );
  const found = (await Promise.all(ranges)).flat();
  if (kinds.includes(creation.kind) && isAfter(range.after, creation)) found.push(creation);
  return found.sort((one, other) => (isAfter(one, other) ? -1 : 1)).slice(0, range.limit);
};

const NO_DETAILS = {
  actor: null,
  source: null,
  fields: null,
  changes: null,
  tags: null,
  enrollment: null,
  call: null,
};

const enrollmentIn = ({ campaign_id }: ChangeRow, details: TimelineDetails, names: Map<string, Named>) =>
  campaign_id === null
    ? null
    : {
        campaign_id,
        campaign_name: names.get(campaign_id)?.name ?? null,
        status: details.status ?? null,
        attempts: details.attempts ?? null,
        outcome: details.outcome ?? null,
      };

type Definitions = ReadonlyMap<string, FieldDefinition>;

/** The details without the values of archived fields, and of fields that were deleted since. */
const detailsOf = ({ details, at }: ChangeRow, definitions: Definitions): TimelineDetails =>
  JSON.parse(details ?? '{}', (name: string, value) => {
    const field = definitions.get(name.replace(/^fields\./, ''));
    const isHidden =
      name.startsWith('fields.') && !(field && field.archived_at === null && field.created_at <= at);
    return isHidden ? undefined : value;
  });

const changeOf = (
  change: ChangeRow,
  { names, definitions }: { names: Map<string, Named>; definitions: Definitions },
  nameActor: (actor: string | null) => unknown,
) => {
  const details = detailsOf(change, definitions);
  const { fields = null, values: changes = null, added, removed } = details;
  return {
    ...NO_DETAILS,
    action: change.action,
    actor: nameActor(change.actor),
    fields: change.campaign_id === null ? fields : null,
    changes,
    tags: added && removed ? { added, removed } : null,
    enrollment: enrollmentIn(change, details, names),
    request_id: change.request_id,
  };
};

/** Adds names and calls to the entries of a page. */
const describe = async (db: Db, principal: Principal, page: readonly Found[]) => {
  const { workspace } = principal;
  const actors = page.flatMap(({ change, creation }) => change?.actor ?? creation?.created_by ?? []);
  const campaigns = page.flatMap(({ change }) => change?.campaign_id ?? []);
  const names = await findNames(db, principal, [...actors, ...campaigns]);
  const definitions = await fieldsOf(db, workspace);
  const calls = page.filter(({ change, creation }) => !change && !creation).map(({ id }) => id);
  const rows =
    calls.length === 0 ? [] : await db.all(findListedCalls, { workspace, ids: JSON.stringify(calls) });
  const callsById = new Map(rows.map((row) => [row.id, callOf(row)]));
  const nameActor = (actor: string | null) => (actor === null ? null : actorOf(actor, names));
  return page.map(({ at, id, kind, change, creation }) => {
    if (change) return { id, at, kind, ...changeOf(change, { names, definitions }, nameActor) };
    if (creation) {
      const { id: contact, source, created_by } = creation;
      const details = { action: 'contact.created', actor: nameActor(created_by), source, request_id: null };
      return { id: contact, at, kind, ...NO_DETAILS, ...details };
    }
    const call = callsById.get(id) ?? null;
    return { id, at, kind, ...NO_DETAILS, action: 'call.recorded', call, request_id: null };
  });
};

/** One page of the timeline of a contact, newest first. */
export const getContactTimeline = longRead(
  'getContactTimeline',
  async (db, principal: Principal, { id, kinds: asked, limit = 20, cursor }: TimelineQuery & ById) => {
    const { workspace } = principal;
    const kinds = kindsFor(principal, asked);
    const contact = contactId.require(id);
    const stored = await db.get(store.findCreation, { workspace, id: contact });
    const creation = await existingContact(db, principal, contact, stored);
    const list = [contact, ...kinds];
    const after = cursor ? decodeCursor(list, cursor, timelineCursor) : END;
    const contacts = [contact, ...(await mergedIds(db, workspace, [contact]))];
    const range = { workspace, contacts, after, limit: limit + 1 };
    const found = await findPage(db, kinds, creationOf(creation), range);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      entries: await describe(db, principal, page),
      next_cursor: last && found.length > limit ? encodeCursor(list, [last.at, last.id]) : null,
    };
  },
);
