import type { Import, ImportBeginning, ImportOptions, ImportReason, ImportRow } from '../../api/types.gen.ts';
import { locale, numberText, plural, t, translatedMessage } from '../../lib/i18n.ts';
import type { Tone } from '../../ui/badge.tsx';
import { countryName } from '../../ui/country-select.tsx';
import { profileLabels } from '../contacts/labels.ts';

export type Verdict = ImportRow['verdict'];
export type Effect = NonNullable<ImportRow['effect']>;
export type Reason = ImportReason['reason'];

interface Label {
  readonly label: string;
  readonly tone: Tone;
  readonly meaning: string;
}

const { phone_number, ...otherLabels } = profileLabels;

export const fieldLabels = {
  phone_number,
  other_phone: t('Other phone number'),
  normalized_phone: t('Normalized phone number'),
  ...otherLabels,
  crm_ids: t('CRM ID'),
};
export type FieldName = keyof typeof fieldLabels;

/** The label of a field; the key of one that the workspace has defined. */
export const fieldLabel = (field: string): string => {
  const [, variable] = /^variables\.(.*)/.exec(field) ?? [];
  if (variable !== undefined) return t('Variable {name}', { name: variable });
  return fieldLabels[field as FieldName] ?? field.replace(/^fields\./, '');
};

const importStateLabels: Record<Import['state'], Pick<Label, 'label' | 'tone'>> = {
  planning: { label: t('Preparing'), tone: 'info' },
  planned: { label: t('Ready to apply'), tone: 'warn' },
  applying: { label: t('Applying'), tone: 'info' },
  applied: { label: t('Applied'), tone: 'good' },
  undoing: { label: t('Undoing'), tone: 'info' },
  undone: { label: t('Undone'), tone: 'plain' },
  deleting: { label: t('Deleting'), tone: 'plain' },
};

/** The status of an import. A preview that would change no contact has nothing to apply. */
export const importStateLabel = (data: Pick<Import, 'state' | 'totals' | 'options'>) =>
  data.state === 'planned' && !hasChanges(data)
    ? ({ label: t('Nothing to apply'), tone: 'plain' } as const)
    : importStateLabels[data.state];

/** Whether the preview would create, update or enroll a contact. */
export const hasChanges = ({ totals, options }: Pick<Import, 'totals' | 'options'>): boolean => {
  const { create = 0, update = 0, unchanged = 0 } = totals;
  return create + update + (options.campaign_id === null ? 0 : unchanged) > 0;
};

export const verdictLabels: Record<Verdict, Label> = {
  create: { label: t('Create'), tone: 'good', meaning: t('No contact has this number yet.') },
  update: {
    label: t('Update'),
    tone: 'info',
    meaning: t('An existing contact has this number and will be updated.'),
  },
  unchanged: {
    label: t('Unchanged'),
    tone: 'plain',
    meaning: t('An existing contact has this number. Nothing changes.'),
  },
  duplicate_in_file: {
    label: t('Duplicate'),
    tone: 'warn',
    meaning: t('This number appears in another row of the file.'),
  },
  invalid: { label: t('Invalid'), tone: 'danger', meaning: t('This row has an error and is skipped.') },
};

export const effectLabels: Record<Effect, Label> = {
  created: { label: t('Created'), tone: 'good', meaning: t('A new contact was created.') },
  updated: { label: t('Updated'), tone: 'info', meaning: t('An existing contact was updated.') },
  none: { label: t('Unchanged'), tone: 'plain', meaning: t('There was nothing to change.') },
  removed: {
    label: t('Removed'),
    tone: 'plain',
    meaning: t('The contact created by this row was deleted.'),
  },
  restored: {
    label: t('Restored'),
    tone: 'good',
    meaning: t("The contact's previous values were restored."),
  },
  edited_since: {
    label: t('Skipped (edited since)'),
    tone: 'warn',
    meaning: t('The contact was changed, claimed or deleted after the import, so the undo skipped it.'),
  },
};

/** A problem of rows, and what to do about it. */
export const reasonLabels: Record<Reason, { readonly label: string; readonly hint: string }> = {
  country_missing: {
    label: t('No country code'),
    hint: t('Choose the country of these numbers.'),
  },
  country_mismatch: {
    label: t('Does not fit the default country'),
    hint: t('Choose another country, or correct the rows.'),
  },
  country_ambiguous: {
    label: t('Could be a number of another country'),
    hint: t('Write these numbers with + and the country code. Another default country applies to all rows.'),
  },
  phone_too_short: {
    label: t('Too few digits'),
    hint: t('Digits are missing. Correct the rows.'),
  },
  digits_lost: {
    label: t('Digits lost in a spreadsheet'),
    hint: t('Format the column as text in the spreadsheet, and export the file again.'),
  },
  phone_missing: {
    label: t('No phone number'),
    hint: t(
      'Check which column has the phone numbers. A second column can fill in where the first is empty.',
    ),
  },
  phone_invalid: {
    label: t('Not a valid phone number'),
    hint: t('Check which column has the phone numbers, or correct the rows.'),
  },
  email_invalid: { label: t('Invalid email address'), hint: t('The rest of the row can be imported.') },
  tags_invalid: { label: t('Invalid tags'), hint: t('The rest of the row can be imported.') },
  value_invalid: { label: t('Invalid value'), hint: t('The rest of the row can be imported.') },
  crm_id_invalid: { label: t('Invalid CRM ID'), hint: t('The rest of the row can be imported.') },
  crm_id_conflict: {
    label: t('CRM ID of another row'),
    hint: t('A CRM ID identifies one contact. Correct the IDs, or check which column has them.'),
  },
  duplicate_in_file: {
    label: t('Same number as another row'),
    hint: t('One contact is imported for each number.'),
  },
};

export const existingLabels: Record<ImportOptions['on_existing'], string> = {
  skip: t('Skip the row'),
  fill: t('Fill empty fields only'),
  overwrite: t('Overwrite existing values'),
};

export const invalidLabels: Record<ImportOptions['on_invalid'], string> = {
  omit_field: t('Import the row without that cell'),
  reject_row: t('Skip the row'),
};

export const duplicateLabels: Record<ImportOptions['on_duplicate'], string> = {
  first: t('Import the first row'),
  last: t('Import the last row'),
  fill: t('Merge: fill gaps from later rows'),
};

export const tagLabels: Record<ImportOptions['tags'], string> = {
  merge: t('Add tags from the file'),
  replace: t('Replace with tags from the file'),
};

/** The label of a row that is not applied yet. */
export const pending: Label = { label: t('Pending'), tone: 'plain', meaning: t('Not applied yet.') };

export const encodingLabels: Record<ImportBeginning['encoding'], string> = {
  'utf-8': t('UTF-8'),
  'utf-16le': t('UTF-16 (little-endian)'),
  'utf-16be': t('UTF-16 (big-endian)'),
  'windows-1252': t('Western European (Windows-1252)'),
  'windows-1250': t('Central European (Windows-1250)'),
  'windows-1251': t('Cyrillic (Windows-1251)'),
  'windows-1253': t('Greek (Windows-1253)'),
  'windows-1254': t('Turkish (Windows-1254)'),
  'windows-1255': t('Hebrew (Windows-1255)'),
  'windows-1256': t('Arabic (Windows-1256)'),
  'windows-1257': t('Baltic (Windows-1257)'),
  'windows-1258': t('Vietnamese (Windows-1258)'),
  'windows-874': t('Thai (Windows-874)'),
  'iso-8859-2': t('Central European (ISO-8859-2)'),
  'iso-8859-5': t('Cyrillic (ISO-8859-5)'),
  'koi8-r': t('Cyrillic (KOI8-R)'),
  'koi8-u': t('Ukrainian (KOI8-U)'),
  ibm866: t('Cyrillic (DOS)'),
  macintosh: t('Western (Mac)'),
  shift_jis: t('Japanese (Shift_JIS)'),
  'euc-jp': t('Japanese (EUC-JP)'),
  gb18030: t('Chinese simplified (GBK)'),
  big5: t('Chinese traditional (Big5)'),
  'euc-kr': t('Korean (EUC-KR)'),
};

/** How the encoding is known. */
export const encodingSources: Record<ImportBeginning['encoding_source'], string> = {
  detected: t('detected'),
  guessed: t('guessed'),
  chosen: t('chosen'),
};

const delimiters: Record<ImportBeginning['delimiter'], string> = {
  ',': t('commas'),
  ';': t('semicolons'),
  '\t': t('tabs'),
  '|': t('pipes'),
};

/** A summary of the file format. */
export const formatText = ({
  encoding,
  delimiter,
  header_row,
  sheet,
}: Pick<ImportBeginning, 'encoding' | 'delimiter' | 'header_row' | 'sheet'>): string => {
  const kind =
    sheet === null
      ? t('{encoding}, separated by {delimiter}', {
          encoding: encodingLabels[encoding],
          delimiter: delimiters[delimiter],
        })
      : t('Excel workbook, sheet “{sheet}”', { sheet });
  const header = header_row === null ? t('no header row') : t('header in line {line}', { line: header_row });
  return `${kind}, ${header}`;
};

/** A message about a field. One that starts in lower case follows the label of the field. */
export const problemText = (field: string | null, text: string): string => {
  // The service names countries by their codes. Some names would need an article after “in”.
  const translated = translatedMessage(text.replace(/(?<= in )[A-Z]{2}(?=\.$)/, countryName));
  const message = text.replace(/ in ([A-Z]{2})\.$/, (_, code: string) => ` (${countryName(code)}).`);
  const isRest = /^\p{Ll}/u.test(message) && field !== null;
  if (!isRest) return translated ?? message;
  const label = fieldLabel(field);
  if (translated === undefined) return `${label} ${message}`;
  // A translation is a sentence of its own; those about numbers name them.
  return field === 'phone_number' ? translated : `${label}: ${translated}`;
};

/** Why a row has its verdict. */
export const reasonText = ({ verdict, field, reason }: ImportRow): string =>
  reason === null ? verdictLabels[verdict].meaning : problemText(field, reason);

const KIB = 1024;
const units = ['kB', 'MB', 'GB'] as const;

export const sizeText = (bytes: number): string => {
  if (bytes < KIB) return plural(bytes, '# byte', '# bytes');
  const step = Math.min(units.length, Math.floor(Math.log(bytes) / Math.log(KIB)));
  const number = (bytes / KIB ** step).toLocaleString(locale, { maximumFractionDigits: step > 1 ? 1 : 0 });
  return `${number} ${units[step - 1]}`;
};

const counted = (totals: Import['totals'], words: readonly (readonly [string, string])[]): string =>
  words.flatMap(([name, word]) => (totals[name] ? [`${numberText(totals[name])} ${word}`] : [])).join(', ');

/** The totals of an import, or of its preview, in one line; undefined if nothing changed. */
export const countsText = ({ state, totals }: Pick<Import, 'state' | 'totals'>): string | undefined => {
  const left = [
    ['unchanged', t('unchanged')],
    ['duplicate_in_file', t('duplicate')],
    ['invalid', t('invalid')],
    ['with_warnings', t('with warnings')],
  ] as const;
  const text =
    state === 'planned'
      ? counted(totals, [['create', t('to create')], ['update', t('to update')], ...left])
      : counted(totals, [
          ['created', t('created')],
          ['updated', t('updated')],
          ['removed', t('removed')],
          ['restored', t('restored')],
          ['edited_since', t('skipped (edited since)')],
          ['enrolled', t('enrolled')],
          ['unenrolled', t('removed from the campaign')],
          ['still_enrolled', t('still enrolled')],
        ]);
  return text || undefined;
};

export const totalsText = (data: Import): string =>
  data.state === 'planning'
    ? plural(data.rows, '# row so far', '# rows so far')
    : (countsText(data) ?? t('Nothing changed'));
