import type { ContactFacts } from '../contacts/contact.lookup.ts';
import { type ProfileText, profileTexts } from '../contacts/contact.schema.ts';
import type { FieldValues } from '../fields/field.values.ts';

/** What an import writes of a row. */
export type ImportedFacts = ContactFacts & {
  crm_id: string | null;
  /** Null if the row has none. */
  fields: FieldValues | null;
  /** Of the enrollment. Null if the row has none. */
  variables: FieldValues | null;
};

/** The values that later rows of a file add to the first one with their number. */
export type MergedValues = Partial<Pick<ImportedFacts, ProfileText | 'fields' | 'variables'>> & {
  tags: string[];
  crm_id?: string;
};

const isEmpty = (text: string | null | undefined): boolean =>
  text === null || text === undefined || text === '';

const added = (first: FieldValues | null, later: FieldValues | null): FieldValues | null =>
  later && Object.fromEntries(Object.entries(later).filter(([key]) => first?.[key] === undefined));

/** The values that a later row adds to those of an earlier one. */
export const addedValues = (first: ImportedFacts, later: ImportedFacts): MergedValues => ({
  ...Object.fromEntries(
    profileTexts.flatMap((field) =>
      isEmpty(first[field]) && !isEmpty(later[field]) ? [[field, later[field]]] : [],
    ),
  ),
  ...(first.crm_id === null && later.crm_id !== null && { crm_id: later.crm_id }),
  fields: added(first.fields, later.fields),
  variables: added(first.variables, later.variables),
  tags: later.tags.filter((tag) => !first.tags.includes(tag)),
});

/** A row, or values that were added to it, with the values that a later row adds. */
export const fillFrom = <F extends MergedValues | ImportedFacts>(first: F, values: MergedValues): F => ({
  ...first,
  ...values,
  fields: values.fields ? { ...first.fields, ...values.fields } : first.fields,
  variables: values.variables ? { ...first.variables, ...values.variables } : first.variables,
  tags: [...new Set([...first.tags, ...values.tags])],
});
