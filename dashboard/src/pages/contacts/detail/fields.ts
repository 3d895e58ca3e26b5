import type { Answer } from '../../../api/client.ts';
import { apiQuery, queryClient } from '../../../api/query.ts';
import type { ContactWithCrmIds } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';

/** A contact with the `etag` of the response it came from. */
export type LoadedContact = Answer<'GET', '/contacts/{id}'>;

export const contactQuery = (id: string) => apiQuery('/contacts/{id}', { params: { id } });

export const cacheContact = (id: string, known: LoadedContact): void => {
  queryClient.setQueryData(contactQuery(id).queryKey, known);
};

/** The editable fields in display order, with their labels. */
export const fieldLabels = {
  phone_number: t('Phone number'),
  first_name: t('First name'),
  last_name: t('Last name'),
  display_name: t('Display name'),
  email: t('Email'),
  company: t('Company'),
  tags: t('Tags'),
  notes: t('Notes'),
} as const;

export type FieldName = keyof typeof fieldLabels;
export type Fields = Pick<ContactWithCrmIds, FieldName>;
export type Change = Partial<Fields>;

export const fieldsOf = (change: Change): FieldName[] =>
  (Object.keys(fieldLabels) as FieldName[]).filter((name) => name in change);

/** An empty text and `null` look the same to the user. */
const textOf = (value: Fields[FieldName]): string =>
  typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);

export const isSame = (one: Fields[FieldName], other: Fields[FieldName]): boolean =>
  textOf(one) === textOf(other);

/** The editable fields in which two states of a contact differ. Times and CRM IDs, which change on their own, are
 *  ignored. */
export const differences = (one: Fields, other: Fields): FieldName[] =>
  fieldsOf(one).filter((name) => !isSame(one[name], other[name]));

/** New numbers are always international; any other number was migrated from an older system. */
export const isLegacy = (phone: string): boolean => !/^\+\d{7,15}$/.test(phone);
