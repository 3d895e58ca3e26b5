import type { Answer } from '../../../api/client.ts';
import { apiQuery, queryClient } from '../../../api/query.ts';
import type { ContactWithCrmIds } from '../../../api/types.gen.ts';
import { type ProfileField, profileLabels } from '../../../records/contacts/labels.ts';
import type { FieldValue } from '../../../records/fields/values.ts';

/** A contact with the `etag` of the response it came from. */
export type LoadedContact = Answer<'GET', '/contacts/{id}'>;

export const contactQuery = (id: string) =>
  apiQuery('/contacts/{id}', { params: { id }, query: { include: 'fields' } });

export const cacheContact = (id: string, known: LoadedContact): void => {
  queryClient.setQueryData(contactQuery(id).queryKey, known);
};

/** A member of the profile, or one of the workspace's own fields. */
export type FieldName = ProfileField | `fields.${string}`;
type Value = ContactWithCrmIds[ProfileField] | FieldValue;

/** What can be edited, by name. */
export type Fields = Pick<ContactWithCrmIds, ProfileField> & {
  readonly [name: `fields.${string}`]: FieldValue | null;
};
export type Change = Partial<Fields>;

const profileNames = Object.keys(profileLabels) as ProfileField[];

/** The key of one of the workspace's own fields. */
export const keyOfName = (name: FieldName): string | undefined => /^fields\.(.+)$/.exec(name)?.[1];

/** The names of a change, in the order in which the page shows them. */
export const namesIn = (change: Change): FieldName[] => [
  ...profileNames.filter((name) => name in change),
  ...(Object.keys(change) as FieldName[]).filter((name) => keyOfName(name) !== undefined),
];

/** What can be edited of a contact. */
export const editableOf = (contact: LoadedContact['data']): Fields => ({
  ...(Object.fromEntries(profileNames.map((name) => [name, contact[name]])) as Fields),
  ...Object.fromEntries(Object.entries(contact.fields ?? {}).map(([key, value]) => [`fields.${key}`, value])),
});

/** A change as the service expects it. */
export const bodyOf = (change: Change) => {
  const own = namesIn(change).flatMap((name) => {
    const key = keyOfName(name);
    return key === undefined ? [] : [[key, change[name]] as const];
  });
  const profile = Object.fromEntries(
    profileNames.filter((name) => name in change).map((name) => [name, change[name]]),
  );
  return {
    ...(profile as Partial<Pick<Fields, ProfileField>>),
    ...(own.length > 0 && { fields: Object.fromEntries(own) as Record<string, FieldValue | null> }),
  };
};

/** A contact with a change that is not saved yet. */
export const withChange = (contact: LoadedContact['data'], change: Change): LoadedContact['data'] => {
  const { fields, ...profile } = bodyOf(change);
  const values = Object.entries({ ...contact.fields, ...fields }).filter(([, value]) => value !== null);
  return { ...contact, ...profile, fields: Object.fromEntries(values) as Record<string, FieldValue> };
};

/** An empty text and no value look the same to the user. */
const textOf = (value: Value | undefined): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value);

export const isSame = (one: Value | undefined, other: Value | undefined): boolean =>
  textOf(one) === textOf(other);

/** The names in which two states of a contact differ. Times and CRM IDs, which change on their own, are ignored. */
export const differences = (one: Fields, other: Fields): FieldName[] =>
  namesIn({ ...one, ...other }).filter((name) => !isSame(one[name], other[name]));

/** New numbers are always international; any other number was migrated from an older system. */
export const isLegacy = (phone: string): boolean => !/^\+\d{7,15}$/.test(phone);
