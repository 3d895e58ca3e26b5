import type { ContactFacts } from '../contacts/contact.lookup.ts';
import { type ProfileText, profileTexts } from '../contacts/contact.schema.ts';
import type { FieldValues } from '../fields/field.values.ts';

/** What an import writes of a row. */
export type ImportedFacts = ContactFacts & {
  crm_id: string | null;
  /** Null if the row has none. */
  fields: FieldValues | null;
};

/** The values that later rows of a file add to the first one with their number. */
export type MergedValues = Partial<Pick<ImportedFacts, ProfileText>> & {
  tags: string[];
  crm_id?: string;
  fields?: FieldValues;
};

const isEmpty = (text: string | null | undefined): boolean =>
  text === null || text === undefined || text === '';

const addedFields = (first: FieldValues | null, later: FieldValues): FieldValues =>
  Object.fromEntries(Object.entries(later).filter(([key]) => first?.[key] === undefined));

/** The values that a later row adds to those of an earlier one. */
export const addedValues = (first: ImportedFacts, later: ImportedFacts): MergedValues => ({
  ...Object.fromEntries(
    profileTexts.flatMap((field) =>
      isEmpty(first[field]) && !isEmpty(later[field]) ? [[field, later[field]]] : [],
    ),
  ),
  ...(first.crm_id === null && later.crm_id !== null && { crm_id: later.crm_id }),
  ...(later.fields && { fields: addedFields(first.fields, later.fields) }),
  tags: later.tags.filter((tag) => !first.tags.includes(tag)),
});

export const joinValues = (former: MergedValues | null, { tags, ...added }: MergedValues): MergedValues => ({
  ...former,
  ...added,
  ...((former?.fields ?? added.fields) && { fields: { ...former?.fields, ...added.fields } }),
  tags: [...(former?.tags ?? []), ...tags],
});

/** A row with the values that later rows add to it. */
export const fillFrom = <F extends ImportedFacts>(first: F, { tags, ...values }: MergedValues): F => ({
  ...first,
  ...values,
  fields: values.fields ? { ...first.fields, ...values.fields } : first.fields,
  tags: [...new Set([...first.tags, ...tags])],
});
