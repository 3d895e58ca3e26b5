import type { Import, ImportBeginning, ImportColumn, ImportOptions, ImportRow } from '../../api/types.gen.ts';
import { numberText } from '../../lib/format.ts';
import type { Tone } from '../../ui/badge.tsx';

export type FieldName = NonNullable<ImportColumn['field']>;
export type Verdict = ImportRow['verdict'];
export type Effect = NonNullable<ImportRow['effect']>;

interface Label {
  readonly label: string;
  readonly tone: Tone;
  readonly meaning: string;
}

export const fieldLabels: Record<FieldName, string> = {
  phone_number: 'Phone number',
  other_phone: 'Other phone number',
  normalized_phone: 'Normalized phone number',
  first_name: 'First name',
  last_name: 'Last name',
  display_name: 'Display name',
  email: 'Email',
  company: 'Company',
  notes: 'Notes',
  tags: 'Tags',
};

export const importStateLabels: Record<Import['state'], Pick<Label, 'label' | 'tone'>> = {
  planning: { label: 'Preparing', tone: 'info' },
  planned: { label: 'Ready to apply', tone: 'warn' },
  applying: { label: 'Applying', tone: 'info' },
  applied: { label: 'Applied', tone: 'good' },
  undoing: { label: 'Undoing', tone: 'info' },
  undone: { label: 'Undone', tone: 'plain' },
  deleting: { label: 'Deleting', tone: 'plain' },
};

export const verdictLabels: Record<Verdict, Label> = {
  create: { label: 'Create', tone: 'good', meaning: 'No contact has this number yet.' },
  update: {
    label: 'Update',
    tone: 'info',
    meaning: 'An existing contact has this number and will be updated.',
  },
  unchanged: {
    label: 'Unchanged',
    tone: 'plain',
    meaning: 'An existing contact has this number. Nothing changes.',
  },
  duplicate_in_file: {
    label: 'Duplicate',
    tone: 'warn',
    meaning: 'This number appears earlier in the file.',
  },
  invalid: { label: 'Invalid', tone: 'danger', meaning: 'This row has an error and is skipped.' },
};

export const effectLabels: Record<Effect, Label> = {
  created: { label: 'Created', tone: 'good', meaning: 'A new contact was created.' },
  updated: { label: 'Updated', tone: 'info', meaning: 'An existing contact was updated.' },
  none: { label: 'Unchanged', tone: 'plain', meaning: 'There was nothing to change.' },
  removed: { label: 'Removed', tone: 'plain', meaning: 'The contact created by this row was deleted.' },
  restored: { label: 'Restored', tone: 'good', meaning: "The contact's previous values were restored." },
  edited_since: {
    label: 'Skipped (edited since)',
    tone: 'warn',
    meaning: 'Someone changed or deleted the contact after the import, so the undo skipped it.',
  },
};

export const existingLabels: Record<ImportOptions['on_existing'], string> = {
  skip: 'Skip the row',
  fill: 'Fill empty fields only',
  overwrite: 'Overwrite existing values',
};

export const invalidLabels: Record<ImportOptions['on_invalid'], string> = {
  omit_field: 'Import the row without that cell',
  reject_row: 'Skip the row',
};

export const tagLabels: Record<ImportOptions['tags'], string> = {
  merge: 'Add tags from the file',
  replace: 'Replace with tags from the file',
};

/** The label of a row that is not applied yet. */
export const pending: Label = { label: 'Pending', tone: 'plain', meaning: 'Not applied yet.' };

export const encodingLabels: Record<ImportBeginning['encoding'], string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 (little-endian)',
  'utf-16be': 'UTF-16 (big-endian)',
  'windows-1252': 'Western European (Windows-1252)',
  'windows-1250': 'Central European (Windows-1250)',
  'windows-1251': 'Cyrillic (Windows-1251)',
  'windows-1253': 'Greek (Windows-1253)',
  'windows-1254': 'Turkish (Windows-1254)',
  'windows-1255': 'Hebrew (Windows-1255)',
  'windows-1256': 'Arabic (Windows-1256)',
  'windows-1257': 'Baltic (Windows-1257)',
  'windows-1258': 'Vietnamese (Windows-1258)',
  'windows-874': 'Thai (Windows-874)',
  'iso-8859-2': 'Central European (ISO-8859-2)',
  'iso-8859-5': 'Cyrillic (ISO-8859-5)',
  'koi8-r': 'Cyrillic (KOI8-R)',
  'koi8-u': 'Ukrainian (KOI8-U)',
  ibm866: 'Cyrillic (DOS)',
  macintosh: 'Western (Mac)',
  shift_jis: 'Japanese (Shift_JIS)',
  'euc-jp': 'Japanese (EUC-JP)',
  gb18030: 'Chinese simplified (GBK)',
  big5: 'Chinese traditional (Big5)',
  'euc-kr': 'Korean (EUC-KR)',
};
const delimiters: Record<ImportBeginning['delimiter'], string> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'pipes',
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
      ? `${encodingLabels[encoding]}, separated by ${delimiters[delimiter]}`
      : `Excel workbook, sheet “${sheet}”`;
  return `${kind}, ${header_row === null ? 'no header row' : `header in line ${header_row}`}`;
};

/** Prefixes a message that starts in lower case with the label of its field. */
export const problemText = (field: string | null, message: string): string => {
  const isRest = /^\p{Ll}/u.test(message) && field !== null;
  return isRest ? `${fieldLabels[field as FieldName] ?? field} ${message}` : message;
};

/** Why a row has its verdict. */
export const reasonText = ({ verdict, field, reason }: ImportRow): string =>
  reason === null ? verdictLabels[verdict].meaning : problemText(field, reason);

const KIB = 1024;
const units = ['kB', 'MB', 'GB'] as const;

export const sizeText = (bytes: number): string => {
  if (bytes < KIB) return `${numberText(bytes)} bytes`;
  const step = Math.min(units.length, Math.floor(Math.log(bytes) / Math.log(KIB)));
  return `${(bytes / KIB ** step).toLocaleString('en', { maximumFractionDigits: step > 1 ? 1 : 0 })} ${units[step - 1]}`;
};

const counted = (totals: Import['totals'], words: readonly (readonly [string, string])[]): string =>
  words.flatMap(([name, word]) => (totals[name] ? [`${numberText(totals[name])} ${word}`] : [])).join(', ');

/** The totals of an import, or of its preview, in one line. */
export const totalsText = ({ state, totals, rows }: Import): string => {
  if (state === 'planning') return `${numberText(rows)} rows so far`;
  const left = [
    ['unchanged', 'unchanged'],
    ['duplicate_in_file', 'duplicate'],
    ['invalid', 'invalid'],
    ['with_warnings', 'with warnings'],
  ] as const;
  const text =
    state === 'planned'
      ? counted(totals, [['create', 'to create'], ['update', 'to update'], ...left])
      : counted(totals, [
          ['created', 'created'],
          ['updated', 'updated'],
          ['removed', 'removed'],
          ['restored', 'restored'],
          ['edited_since', 'skipped (edited since)'],
        ]);
  return text || 'Nothing changed';
};
