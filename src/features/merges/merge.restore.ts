import { pickColumns } from '../../db/statement.ts';
import { withCrmId } from '../contacts/contact.crm.ts';
import { profileTexts } from '../contacts/contact.schema.ts';
import { changedRow } from '../contacts/contact.service.ts';
import { rowOf, type StoredContact } from '../contacts/contact.store.ts';
import {
  columnOf,
  currentOf,
  type IdentityValue,
  isAmong,
  primaryOf,
  secondaryOf,
} from '../contacts/identity.column.ts';
import {
  changedValues,
  type Definitions,
  nameOfField,
  valuesIn,
  withValues,
} from '../fields/field.values.ts';
import type { FormerContact, Survivor } from './merge.service.ts';

/* The rows of contacts after an undo. */

/** Without values of fields that were erased since: a new field can have the key of one. */
const withoutErased = (json: string, { definitions, since }: Context): string => {
  const gone = [...valuesIn(json).keys()].filter((key) => {
    const field = definitions.get(key);
    return !field || field.created_at > since;
  });
  return gone.length === 0 ? json : withValues(json, Object.fromEntries(gone.map((key) => [key, null])));
};

export interface Context {
  readonly definitions: Definitions;
  /** When the contacts were merged. */
  readonly since: string;
  /** The identities that return to the contacts that had them. */
  readonly given: readonly IdentityValue[];
  /** Whether the number of the survivor is the one before the merge again. */
  readonly hasNumber: boolean;
}

/** A contact that exists again. Without its number, it has the displayed one only. */
export const restoredContact = (former: FormerContact, context: Context) => {
  const { created_by, seq, ...row } = former;
  const fields = withoutErased(row.fields, context);
  const others = secondaryOf(row).filter((each) => isAmong(each, context.given));
  const isOwn = primaryOf(row).every((each) => isAmong(each, context.given));
  const identities = columnOf(others);
  const phone_identity = isOwn ? row.phone_identity : null;
  const isSame = fields === row.fields && isOwn && identities === (row.identities ?? null);
  const after = isSame ? row : { ...row, ...rowOf({ ...row, fields, identities, phone_identity }) };
  return { after, restored: { seq, created_by } };
};

const isEqual = (one: StoredContact, other: StoredContact): boolean =>
  (Object.keys(one) as (keyof StoredContact)[]).every(
    (name) => (one[name] ?? null) === (other[name] ?? null),
  );

/** The survivor without what the merge has changed, and the fields that stay because they were changed since. */
export const restoredSurvivor = (
  now: StoredContact,
  { before, after }: Survivor,
  context: Context,
): { row: StoredContact; kept: string[] } => {
  const was = withoutErased(before.fields, context);
  const identities = currentOf(now).filter((each) => !isAmong(each, context.given));
  if (
    isEqual(now, after) &&
    context.hasNumber &&
    was === before.fields &&
    identities.length === currentOf(before).length
  )
    return { row: before, kept: [] };
  const kept: string[] = [];
  /** The value before the merge, unless it was changed since. */
  const restored = <T>(name: string, [old, merged, current]: readonly [T, T, T]): T => {
    if (old === merged || current === old) return current;
    if (current === merged) return old;
    kept.push(name);
    return current;
  };
  const column = <K extends keyof StoredContact>(name: K) =>
    restored(name, [before[name], after[name], now[name]]);
  const texts = Object.fromEntries(profileTexts.map((name) => [name, column(name)]));
  const merged = valuesIn(after.fields);
  const values = changedValues(was, after.fields).map(({ key, before: old }) => {
    const states = [old ?? null, merged.get(key) ?? null, valuesIn(now.fields).get(key) ?? null] as const;
    return [key, restored(nameOfField({ key }), states)] as const;
  });
  const idsIn = ({ crm_ids }: StoredContact) =>
    new Map(Object.entries(JSON.parse(crm_ids) as Record<string, string>));
  const crm_ids = [...idsIn(after)].reduce((json, [crm, id]) => {
    const [old, current] = [idsIn(before).get(crm) ?? null, idsIn(now).get(crm) ?? null];
    return old === id ? json : withCrmId(json, crm, restored(`crm_ids.${crm}`, [old, id, current]));
  }, now.crm_ids);
  const added = new Set(JSON.parse(after.tags) as string[]).difference(
    new Set(JSON.parse(before.tags) as string[]),
  );
  const number = context.hasNumber ? before : now;
  const primary = primaryOf(number);
  const row = changedRow(now, {
    ...texts,
    ...pickColumns(number, ['phone_number', 'phone_identity', 'phone_conflict']),
    identities: columnOf(identities.filter((each) => !isAmong(each, primary))),
    tags:
      now.tags === after.tags
        ? (JSON.parse(before.tags) as string[])
        : (JSON.parse(now.tags) as string[]).filter((tag) => !added.has(tag)),
    fields: withValues(now.fields, Object.fromEntries(values)),
    crm_ids,
    first_contact_at:
      now.first_contact_at === after.first_contact_at ? before.first_contact_at : now.first_contact_at,
    last_contact_at:
      now.last_contact_at === after.last_contact_at ? before.last_contact_at : now.last_contact_at,
  });
  if (now.phone_identity !== after.phone_identity) kept.unshift('phone_number');
  return { row, kept };
};
