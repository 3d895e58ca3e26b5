import type { ImportBeginning, ImportColumn, ImportRules } from '../../api/types.gen.ts';
import type { FieldName } from './labels.ts';

/** The fields that the user assigned, by column index, where they differ from the detected ones; null skips the
 *  column. */
export type Choices = Readonly<Record<number, FieldName | null>>;

/** The format options that the user set; the rest is detected. */
export interface FormatChoice {
  readonly encoding?: ImportBeginning['encoding'] | undefined;
  readonly header_row?: number | undefined;
  readonly sheet?: string | undefined;
}

/** The rules as fields show them: no country and no CRM are empty texts. */
export type Rules = Omit<ImportRules, 'country' | 'crm'> & { readonly country: string; readonly crm: string };

export const fieldAt = (columns: readonly ImportColumn[], choices: Choices, at: number): FieldName | null => {
  const chosen = choices[at];
  return chosen === undefined ? (columns[at]?.field ?? null) : chosen;
};

/** The index of the column that is mapped to a field. Several columns may be other phone numbers. */
export const columnOf = (columns: readonly ImportColumn[], choices: Choices, field: FieldName): number =>
  field === 'other_phone' ? -1 : columns.findIndex((_, at) => fieldAt(columns, choices, at) === field);

/** Maps a column to a field. A column that was mapped to it before is skipped. */
export const choose = (
  columns: readonly ImportColumn[],
  choices: Choices,
  at: number,
  field: FieldName | null,
): Choices => {
  const current = field === null ? -1 : columnOf(columns, choices, field);
  const next = { ...choices, ...(current === -1 ? {} : { [current]: null }), [at]: field };
  return Object.fromEntries(
    Object.entries(next).filter(([place, value]) => columns[Number(place)]?.field !== value),
  );
};

export const hasPhone = (columns: readonly ImportColumn[], choices: Choices): boolean =>
  columnOf(columns, choices, 'phone_number') !== -1;

/** Whether a column has CRM ids, so that the CRM must be named. */
export const hasCrmIds = (columns: readonly ImportColumn[], choices: Choices): boolean =>
  columnOf(columns, choices, 'crm_ids') !== -1;

/** Whether the mapping can be sent. */
export const isComplete = (columns: readonly ImportColumn[], choices: Choices, crm: string): boolean =>
  hasPhone(columns, choices) && (crm.trim() !== '' || !hasCrmIds(columns, choices));
