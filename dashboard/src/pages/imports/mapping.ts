import type { ImportBeginning, ImportColumn, ImportOptions } from '../../api/types.gen.ts';
import type { FieldName } from './labels.ts';

/** What a person has decided otherwise than it was found: from the place of a column to its field, or null for none. */
export type Choices = Readonly<Record<number, FieldName | null>>;

/** What a person has chosen about how the file is read; the rest is detected. */
export interface FormatChoice {
  readonly encoding?: ImportBeginning['encoding'] | undefined;
  readonly header_row?: number | undefined;
  readonly sheet?: string | undefined;
}

export type Rules = Omit<ImportOptions, 'country'> & { readonly country: string };

export const fieldAt = (columns: readonly ImportColumn[], choices: Choices, at: number): FieldName | null => {
  const chosen = choices[at];
  return chosen === undefined ? (columns[at]?.field ?? null) : chosen;
};

/** Which column has a field; any number of columns may hold other phone numbers. */
export const holderOf = (columns: readonly ImportColumn[], choices: Choices, field: FieldName): number =>
  field === 'other_phone' ? -1 : columns.findIndex((_, at) => fieldAt(columns, choices, at) === field);

/** Gives a column a field. A field is used once, so the column that had it is left out. */
export const choose = (
  columns: readonly ImportColumn[],
  choices: Choices,
  at: number,
  field: FieldName | null,
): Choices => {
  const holder = field === null ? -1 : holderOf(columns, choices, field);
  const next = { ...choices, ...(holder === -1 ? {} : { [holder]: null }), [at]: field };
  return Object.fromEntries(
    Object.entries(next).filter(([place, value]) => columns[Number(place)]?.field !== value),
  );
};

export const hasPhone = (columns: readonly ImportColumn[], choices: Choices): boolean =>
  holderOf(columns, choices, 'phone_number') !== -1;
