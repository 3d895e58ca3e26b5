import type { ContactFacts } from '../contacts/contact.lookup.ts';
import { type ProfileText, profileTexts } from '../contacts/contact.schema.ts';

/** What an import writes of a row. */
export type ImportedFacts = ContactFacts & { crm_id: string | null };

/** The values that later rows of a file add to the first one with their number. */
export type MergedValues = Partial<Pick<ImportedFacts, ProfileText>> & {
  tags: string[];
  crm_id?: string;
};

const isEmpty = (text: string | null | undefined): boolean =>
  text === null || text === undefined || text === '';

/** The values that a later row adds to those of an earlier one. */
export const addedValues = (first: ImportedFacts, later: ImportedFacts): MergedValues => ({
  ...Object.fromEntries(
    profileTexts.flatMap((field) =>
      isEmpty(first[field]) && !isEmpty(later[field]) ? [[field, later[field]]] : [],
    ),
  ),
  ...(first.crm_id === null && later.crm_id !== null && { crm_id: later.crm_id }),
  tags: later.tags.filter((tag) => !first.tags.includes(tag)),
});

export const joinValues = (former: MergedValues | null, { tags, ...added }: MergedValues): MergedValues => ({
  ...former,
  ...added,
  tags: [...(former?.tags ?? []), ...tags],
});

/** A row with the values that later rows add to it. */
export const fillFrom = <F extends ImportedFacts>(first: F, { tags, ...values }: MergedValues): F => ({
  ...first,
  ...values,
  tags: [...new Set([...first.tags, ...tags])],
});
