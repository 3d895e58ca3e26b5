import type { Import, ImportBeginning, ImportColumn, ImportOptions, ImportRow } from '../../api/types.gen.ts';
import { numberText } from '../../app/format.ts';
import type { Tone } from '../../ui/badge.tsx';

export type FieldName = NonNullable<ImportColumn['field']>;
export type Verdict = ImportRow['verdict'];
export type Effect = NonNullable<ImportRow['effect']>;

interface Word {
  readonly label: string;
  readonly tone: Tone;
  readonly meaning: string;
}

export const fieldNames: Record<FieldName, string> = {
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

export const stateWords: Record<Import['state'], Pick<Word, 'label' | 'tone'>> = {
  planning: { label: 'Planning', tone: 'info' },
  planned: { label: 'Planned', tone: 'warn' },
  applying: { label: 'Applying', tone: 'info' },
  applied: { label: 'Applied', tone: 'good' },
  undoing: { label: 'Undoing', tone: 'info' },
  undone: { label: 'Undone', tone: 'plain' },
  deleting: { label: 'Deleting', tone: 'plain' },
};

export const verdictWords: Record<Verdict, Word> = {
  create: { label: 'Create', tone: 'good', meaning: 'No contact has this number yet.' },
  update: { label: 'Update', tone: 'info', meaning: 'A contact has the number, and the row changes it.' },
  unchanged: {
    label: 'Unchanged',
    tone: 'plain',
    meaning: 'A contact has the number, and nothing changes.',
  },
  duplicate_in_file: {
    label: 'Duplicate',
    tone: 'warn',
    meaning: 'The same number stands further up in the file.',
  },
  invalid: { label: 'Invalid', tone: 'danger', meaning: 'Something is wrong with the row; it stays out.' },
};

export const effectWords: Record<Effect, Word> = {
  created: { label: 'Created', tone: 'good', meaning: 'The row made a new contact.' },
  updated: { label: 'Updated', tone: 'info', meaning: 'The row changed a contact.' },
  none: { label: 'Unchanged', tone: 'plain', meaning: 'There was nothing to change.' },
  removed: { label: 'Removed', tone: 'plain', meaning: 'The contact that the row made was deleted again.' },
  restored: { label: 'Restored', tone: 'good', meaning: 'The contact got its former values back.' },
  edited_since: {
    label: 'Left alone',
    tone: 'warn',
    meaning: 'Somebody changed or deleted the contact after the import, so the undo left it alone.',
  },
};

export const existingWords: Record<ImportOptions['on_existing'], string> = {
  skip: 'Leave the contact alone',
  fill: 'Fill fields that are empty',
  overwrite: 'Overwrite its fields',
};

export const tagWords: Record<ImportOptions['tags'], string> = {
  merge: 'Add the tags of the row',
  replace: 'Replace them by the tags of the row',
};

const encodings: Record<ImportBeginning['encoding'], string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252',
};
const delimiters: Record<ImportBeginning['delimiter'], string> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
};

/** How the file is read. */
export const formatText = ({ encoding, delimiter, has_header }: ImportBeginning): string =>
  `${encodings[encoding]}, cells separated by ${delimiters[delimiter]}, ${has_header ? 'the first row names the columns' : 'no row of headings'}`;

/** Why a row has its verdict. What is wrong with a field is said after the field's name. */
export const reasonText = ({ verdict, field, reason }: ImportRow): string => {
  if (reason === null) return verdictWords[verdict].meaning;
  const isRest = /^\p{Ll}/u.test(reason) && field !== null;
  return isRest ? `${fieldNames[field as FieldName] ?? field} ${reason}` : reason;
};

const KIB = 1024;
const units = ['kB', 'MB', 'GB'] as const;

export const sizeText = (bytes: number): string => {
  if (bytes < KIB) return `${numberText(bytes)} bytes`;
  const step = Math.min(units.length, Math.floor(Math.log(bytes) / Math.log(KIB)));
  return `${(bytes / KIB ** step).toLocaleString('en', { maximumFractionDigits: step > 1 ? 1 : 0 })} ${units[step - 1]}`;
};

const counted = (totals: Import['totals'], words: readonly (readonly [string, string])[]): string =>
  words.flatMap(([name, word]) => (totals[name] ? [`${numberText(totals[name])} ${word}`] : [])).join(', ');

/** What came or would come of an import, in a line. */
export const totalsText = ({ state, totals, rows }: Import): string => {
  if (state === 'planning') return `${numberText(rows)} rows so far`;
  const left = [
    ['unchanged', 'unchanged'],
    ['duplicate_in_file', 'duplicate'],
    ['invalid', 'invalid'],
  ] as const;
  const told =
    state === 'planned'
      ? counted(totals, [['create', 'to create'], ['update', 'to update'], ...left])
      : counted(totals, [
          ['created', 'created'],
          ['updated', 'updated'],
          ['removed', 'removed'],
          ['restored', 'restored'],
          ['edited_since', 'left alone'],
        ]);
  return told || 'Nothing changed';
};
