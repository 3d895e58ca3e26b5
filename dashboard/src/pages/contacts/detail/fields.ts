import type { Answer } from '../../../api/client.ts';
import { apiQuery, queryClient } from '../../../api/query.ts';
import type { ContactWithCrmIds } from '../../../api/types.gen.ts';
import { type ProfileField, profileLabels } from '../../../records/contacts/labels.ts';

/** A contact with the `etag` of the response it came from. */
export type LoadedContact = Answer<'GET', '/contacts/{id}'>;

export const contactQuery = (id: string) => apiQuery('/contacts/{id}', { params: { id } });

export const cacheContact = (id: string, known: LoadedContact): void => {
  queryClient.setQueryData(contactQuery(id).queryKey, known);
};

export type Fields = Pick<ContactWithCrmIds, ProfileField>;
export type Change = Partial<Fields>;

export const fieldsOf = (change: Change): ProfileField[] =>
  (Object.keys(profileLabels) as ProfileField[]).filter((name) => name in change);

/** An empty text and `null` look the same to the user. */
const textOf = (value: Fields[ProfileField]): string =>
  typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);

export const isSame = (one: Fields[ProfileField], other: Fields[ProfileField]): boolean =>
  textOf(one) === textOf(other);

/** The editable fields in which two states of a contact differ. Times and CRM IDs, which change on their own, are
 *  ignored. */
export const differences = (one: Fields, other: Fields): ProfileField[] =>
  fieldsOf(one).filter((name) => !isSame(one[name], other[name]));

/** New numbers are always international; any other number was migrated from an older system. */
export const isLegacy = (phone: string): boolean => !/^\+\d{7,15}$/.test(phone);
