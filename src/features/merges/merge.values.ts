import { conflict, invalidField } from '../../lib/errors.ts';
import { withCrmId } from '../contacts/contact.crm.ts';
import { MAX_TAGS, profileTexts } from '../contacts/contact.schema.ts';
import { changedRow } from '../contacts/contact.service.ts';
import type { StoredContact } from '../contacts/contact.store.ts';
import { columnOf, currentOf, isAmong, primaryOf } from '../contacts/identity.column.ts';
import {
  type FieldValue,
  nameOfField,
  type SentValues,
  sizeProblem,
  valuesIn,
  withValues,
} from '../fields/field.values.ts';

/** The contact whose value a field gets, by the field's name. */
export type Choices = Readonly<Record<string, string>>;

export interface ValueOf {
  readonly contact_id: string;
  readonly value: FieldValue;
}

/** What a field will have, and what the contacts have now. */
export interface MergedField {
  readonly field: string;
  readonly value: FieldValue;
  readonly contact_id: string;
  readonly is_conflict: boolean;
  readonly values: readonly ValueOf[];
}

const NUMBER = 'phone_number';
const CRM = 'crm_ids.';
const FIELD = nameOfField({ key: '' });

/** The values of a contact by their names, without empty ones. */
export const valuesOf = (row: StoredContact): Map<string, FieldValue> =>
  new Map([
    [NUMBER, row.phone_number],
    ...profileTexts.flatMap((name) => (row[name] ? [[name, row[name]] as const] : [])),
    ...Object.entries(JSON.parse(row.crm_ids) as Record<string, string>).map(
      ([crm, id]) => [`${CRM}${crm}`, id] as const,
    ),
    ...[...valuesIn(row.fields)].map(([key, value]) => [nameOfField({ key }), value] as const),
  ]);

/** Every field that one of the contacts has. By default the first contact's value stays, the survivor being the first. */
export const mergeFields = (contacts: readonly StoredContact[], choices: Choices): MergedField[] => {
  const all = contacts.map((row) => ({ contact_id: row.id, has: valuesOf(row) }));
  const names = [...new Set(all.flatMap(({ has }) => [...has.keys()]))];
  for (const [name, id] of Object.entries(choices)) {
    if (all.some((each) => each.contact_id === id && each.has.has(name))) continue;
    throw invalidField(
      `choices.${name}`,
      'must be the id of one of these contacts that has a value in the field.',
    );
  }
  return names.map((field) => {
    const values = all.flatMap(({ contact_id, has }) => {
      const value = has.get(field);
      return value === undefined ? [] : [{ contact_id, value }];
    });
    const chosen = values.find(({ contact_id }) => contact_id === choices[field]) ?? (values[0] as ValueOf);
    return { field, ...chosen, is_conflict: new Set(values.map(({ value }) => value)).size > 1, values };
  });
};

/** The tags of all contacts in their order, and those beyond the maximum. */
export const mergeTags = (contacts: readonly StoredContact[]): { tags: string[]; left: string[] } => {
  const all = [...new Set(contacts.flatMap(({ tags }) => JSON.parse(tags) as string[]))];
  return { tags: all.slice(0, MAX_TAGS), left: all.slice(MAX_TAGS) };
};

/** What the survivor does not keep: values that another one replaces. Numbers stay as identities. */
export const lostValues = (fields: readonly MergedField[]) =>
  fields.flatMap(({ field, value, values }) =>
    field === NUMBER ? [] : values.filter((each) => each.value !== value).map((each) => ({ field, ...each })),
  );

const least = (some: readonly string[]): string => some.toSorted()[0] as string;
const most = (some: readonly string[]): string => some.toSorted().at(-1) as string;

/** The survivor's row after a merge. */
export const mergedRow = (
  contacts: readonly StoredContact[],
  fields: readonly MergedField[],
): StoredContact => {
  const survivor = contacts[0] as StoredContact;
  const chosen = new Map(fields.map(({ field, value }) => [field, value]));
  const named = (prefix: string) =>
    fields.flatMap(({ field, value }) =>
      field.startsWith(prefix) ? [[field.slice(prefix.length), value] as const] : [],
    );
  const numbered = fields.find(({ field }) => field === NUMBER)?.contact_id;
  const { phone_number, phone_identity, phone_conflict } =
    contacts.find(({ id }) => id === numbered) ?? survivor;
  const values: SentValues = Object.fromEntries(named(FIELD));
  const merged = withValues(survivor.fields, values);
  const problem = sizeProblem(merged);
  if (problem !== undefined)
    throw conflict(`The fields of these contacts together are too large. \`fields\` ${problem}`);
  const primary = primaryOf({ phone_identity });
  const all = contacts.flatMap(currentOf).filter((each) => !isAmong(each, primary));
  return changedRow(survivor, {
    phone_number,
    phone_identity,
    phone_conflict,
    identities: columnOf(all),
    ...Object.fromEntries(
      profileTexts.map((name) => [name, (chosen.get(name) as string | undefined) ?? survivor[name]]),
    ),
    tags: mergeTags(contacts).tags,
    fields: merged,
    crm_ids: named(CRM).reduce((ids, [crm, id]) => withCrmId(ids, crm, String(id)), survivor.crm_ids),
    first_contact_at: least(contacts.map((each) => each.first_contact_at)),
    last_contact_at: most(contacts.map((each) => each.last_contact_at)),
  });
};
