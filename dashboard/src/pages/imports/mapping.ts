import type { ImportBeginning, ImportColumn, ImportOptions } from '../../api/types.gen.ts';
import type { FieldName } from '../../records/imports/labels.ts';

/** A field that the import creates. */
export type NewField = NonNullable<ImportColumn['suggestion']>;
/** A field of contacts, one that the workspace has defined, or a variable of an enrollment. */
export type Target = FieldName | `fields.${string}` | `variables.${string}`;

/** The fields that the user assigned, by column index, where they differ from the detected ones; null skips the
 *  column. */
export type Choices = Readonly<Record<number, Target | NewField | null>>;

/** The format options that the user set; the rest is detected. */
export interface FormatChoice {
  readonly encoding?: ImportBeginning['encoding'] | undefined;
  readonly header_row?: number | undefined;
  readonly sheet?: string | undefined;
}

/** The rules as fields show them: no country, no CRM and no campaign are empty texts. */
export type Rules = Omit<ImportOptions, 'country' | 'crm' | 'campaign_id'> & {
  readonly country: string;
  readonly crm: string;
  readonly campaign_id: string;
};

const targetOf = (choice: Choices[number]): Target | null =>
  typeof choice === 'object' && choice ? `fields.${choice.key}` : choice;

export const fieldAt = (columns: readonly ImportColumn[], choices: Choices, at: number): Target | null => {
  const chosen = choices[at];
  return chosen === undefined ? ((columns[at]?.field ?? null) as Target | null) : targetOf(chosen);
};

/** The field that a column creates. */
export const newFieldAt = (
  columns: readonly ImportColumn[],
  choices: Choices,
  at: number,
): NewField | undefined => {
  const chosen = choices[at];
  if (chosen === undefined) return columns[at]?.creates ?? undefined;
  return typeof chosen === 'object' ? (chosen ?? undefined) : undefined;
};

const KEY = /^[a-z][a-z0-9_]{0,39}$/;

/** Whether the fields to create are complete. */
export const areNewFieldsValid = (columns: readonly ImportColumn[], choices: Choices): boolean =>
  columns.every((_, at) => {
    const field = newFieldAt(columns, choices, at);
    return !field || isNewFieldValid(field);
  });

export const isKeyValid = ({ key }: NewField): boolean => KEY.test(key);

const isNewFieldValid = (field: NewField): boolean =>
  isKeyValid(field) &&
  field.label?.trim() !== '' &&
  (field.type !== 'enum' || (field.options ?? []).length > 0);

/** The choices as a request has them. With a campaign, they include every column that is shown as skipped: the service would map
 *  some of them to variables by their names. */
export const requestOf = (columns: readonly ImportColumn[], choices: Choices, campaign: string) => {
  const shown = campaign === '' ? [] : columns.map((_, at) => [at, fieldAt(columns, choices, at)] as const);
  const skipped = shown.filter(([, field]) => field === null);
  const entries = Object.entries({ ...Object.fromEntries(skipped), ...choices });
  const created = entries.filter(
    (entry): entry is [string, NewField] => typeof entry[1] === 'object' && entry[1] !== null,
  );
  const mapped = entries.filter(
    (entry): entry is [string, Target | null] => typeof entry[1] === 'string' || entry[1] === null,
  );
  return {
    ...(mapped.length > 0 && { mapping: Object.fromEntries(mapped) as Record<string, string | null> }),
    ...(created.length > 0 && { create_fields: Object.fromEntries(created) }),
  };
};

/** The index of the column that is mapped to a field. Several columns may be other phone numbers. */
export const columnOf = (columns: readonly ImportColumn[], choices: Choices, field: Target): number =>
  field === 'other_phone' ? -1 : columns.findIndex((_, at) => fieldAt(columns, choices, at) === field);

/** Maps a column to a field. A column that was mapped to it before is skipped. */
export const choose = (
  columns: readonly ImportColumn[],
  choices: Choices,
  at: number,
  choice: Choices[number],
): Choices => {
  const field = targetOf(choice);
  const isNew = typeof choice === 'object' && choice !== null;
  // While a key is typed, it may be that of another column for a moment.
  const current = field === null || isNew ? -1 : columnOf(columns, choices, field);
  const next = { ...choices, ...(current === -1 ? {} : { [current]: null }), [at]: choice };
  return Object.fromEntries(
    Object.entries(next).filter(([place, value]) => columns[Number(place)]?.field !== value),
  );
};

/** The name of the variable that a column is mapped to. */
const variableIn = (field: Target | null): string | undefined => field?.match(/^variables\.(.*)/)?.[1];

/** The choices without variables, which need a campaign. */
export const withoutVariables = (columns: readonly ImportColumn[], choices: Choices): Choices =>
  columns.reduce<Choices>(
    (next, _, at) =>
      variableIn(fieldAt(columns, next, at)) === undefined ? next : choose(columns, next, at, null),
    choices,
  );

/** `crm` and `external` stand for themselves: the file does not say which CRM it is. */
const crmNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'salesforce hubspot pipedrive zoho dynamics freshsales copper close attio twenty sugarcrm zendesk intercom crm external'
      .split(' ')
      .map((name) => [name, name]),
  ),
  sfdc: 'salesforce',
  externe: 'external',
};

/** The CRM whose record ids a column has by its name, such as `salesforce` of “Salesforce Contact ID”. */
export const crmOf = (columnName: string): string | undefined => {
  const words = columnName
    .replace(/hub ?spot/i, 'hubspot')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  const [first = '', ...rest] = words;
  const isId = /^(?:(?:crm|contact|record|person|lead) )*id$/.test(rest.join(' '));
  return isId && Object.hasOwn(crmNames, first) ? crmNames[first] : undefined;
};

/** The first column without a field whose name is that of CRM ids, if no column is mapped to them. */
export const proposedCrmId = (
  columns: readonly ImportColumn[],
): { readonly at: number; readonly crm: string } | undefined => {
  if (columns.some(({ field }) => field === 'crm_ids')) return undefined;
  const at = columns.findIndex(({ name, field }) => field === null && crmOf(name) !== undefined);
  return at === -1 ? undefined : { at, crm: crmOf(columns[at]?.name ?? '') ?? '' };
};

/** The choices that a new file starts with. */
export const proposedChoices = (columns: readonly ImportColumn[]): Choices => {
  const proposed = proposedCrmId(columns);
  return proposed ? { [proposed.at]: 'crm_ids' } : {};
};

export const hasPhone = (columns: readonly ImportColumn[], choices: Choices): boolean =>
  columnOf(columns, choices, 'phone_number') !== -1;

/** Whether a column has CRM ids, so that the CRM must be named. */
export const hasCrmIds = (columns: readonly ImportColumn[], choices: Choices): boolean =>
  columnOf(columns, choices, 'crm_ids') !== -1;

/** Whether CRM ids are imported without the name of the CRM. */
export const lacksCrm = (columns: readonly ImportColumn[], choices: Choices, crm: string): boolean =>
  hasCrmIds(columns, choices) && crm.trim() === '';
