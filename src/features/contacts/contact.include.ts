import type { Db } from '../../db/db.ts';
import { read } from '../../db/operation.ts';
import type { Storage } from '../../db/storage.ts';
import { ApiError } from '../../lib/errors.ts';
import { withMember } from '../../lib/json.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import type { StoredEvent } from '../../records/event.store.ts';
import { fieldsOf } from '../fields/field.store.ts';
import type { FieldValues } from '../fields/field.values.ts';
import { isKeyWithout, type Principal } from '../workspaces/principal.ts';
import { findStoredByIds } from './contact.store.ts';
import { identitiesByContact } from './identity.list.ts';

/** The values that are shown, without those of archived fields. */
export const shownFields = (json: string, isArchived: (key: string) => boolean): FieldValues =>
  Object.fromEntries(Object.entries(JSON.parse(json) as FieldValues).filter(([key]) => !isArchived(key)));

type Members = Readonly<Record<string, unknown>>;

/** Members of contacts that their documented JSON does not have, by id. */
const membersOf = async (
  db: Db,
  workspace: number,
  ids: readonly string[],
  names: readonly string[],
): Promise<Map<string, Members>> => {
  const [rows, definitions] = await Promise.all([
    db.all(findStoredByIds, { workspace, keys: JSON.stringify(ids) }),
    names.includes('fields') ? fieldsOf(db, workspace) : undefined,
  ]);
  const identities = names.includes('identities')
    ? await identitiesByContact(db, workspace, rows)
    : undefined;
  const isArchived = (key: string) => (definitions?.get(key)?.archived_at ?? null) !== null;
  return new Map(
    rows.map((row) => {
      const fields = shownFields(row.fields, isArchived);
      const values: Members = {
        ...row,
        crm_ids: JSON.parse(row.crm_ids),
        fields,
        identities: identities?.get(row.id),
      };
      return [row.id, Object.fromEntries(names.map((name) => [name, values[name]]))];
    }),
  );
};

/** Adds members to the result of a write. A separate read, so that no stored answer of an idempotency key has them. */
export const includeMembers = read(
  'includeMembers',
  (db, principal: Principal, { json, include }: { json: string; include: string }) =>
    including(db, principal, include, { json }),
);

export const assertMayInclude = (principal: Principal): void => {
  if (isKeyWithout(principal, 'contacts:read'))
    throw new ApiError('FORBIDDEN', 'To include members, this key needs the scope contacts:read.');
};

/** Runs a write and adds the members that the request includes. */
export const withIncluded = async <R extends { json: string }>(
  storage: Storage,
  principal: Principal,
  include: string | undefined,
  write: () => Promise<R>,
): Promise<R> => {
  if (!include) return write();
  assertMayInclude(principal);
  const done = await write();
  const { json } = await storage.run(includeMembers, principal, { json: done.json, include });
  return { ...done, json };
};

/** Adds the members that a request names in `include` to the contacts of a result, whose JSON is separated by commas. */
export const including = <R extends { json: string }>(
  db: Db,
  { workspace }: Principal,
  include: string | undefined,
  found: MaybePromise<R>,
): MaybePromise<R> => {
  if (!include) return found;
  return chain(found, async (result) => {
    const contacts: { id: string }[] = JSON.parse(`[${result.json}]`);
    const ids = contacts.map(({ id }) => id);
    const added = await membersOf(db, workspace, ids, include.split(','));
    const json = contacts.map((contact) => JSON.stringify({ ...contact, ...added.get(contact.id) }));
    return { ...result, json: json.join(',') };
  });
};

/** Adds the current values of fields to snapshots of contacts. No event stores them, so that erasing a field erases all of its values. */
export const withFields = async (
  db: Db,
  workspace: number,
  events: readonly StoredEvent[],
): Promise<StoredEvent[]> => {
  const isShown = ({ type, data }: StoredEvent) => type.startsWith('contact.') && data !== null;
  const ids = events.filter(isShown).map(({ subject }) => subject);
  const added = await membersOf(db, workspace, ids, ['fields']);
  return events.map((event) => {
    const members = isShown(event) ? added.get(event.subject) : undefined;
    if (!members || event.data === null) return event;
    return { ...event, data: withMember(event.data, 'fields', JSON.stringify(members.fields)) };
  });
};
