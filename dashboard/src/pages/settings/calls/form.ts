import type { CallSettings } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';

/* The settings for calls as they are edited: rows with an identity, numbers as text. */

export interface DispositionRow {
  readonly id: number;
  readonly key: string;
  readonly label: string;
  /** Calls may have its key, so it can no longer be changed. */
  readonly isSaved: boolean;
}

export interface RuleRow {
  readonly id: number;
  readonly data: string;
  readonly field: string;
  readonly mode: CallSettings['field_rules'][number]['mode'];
}

export interface CallsForm {
  readonly dispositions: readonly DispositionRow[];
  readonly rules: readonly RuleRow[];
  readonly hasTranscripts: boolean;
  readonly days: string;
}

export const MAX_ENTRIES = 50;
export const MAX_DAYS = 3_650;
export const DEFAULT_DAYS = '30';

let lastId = 0;
export const newId = (): number => ++lastId;

export const formOf = ({ dispositions, field_rules, transcript_days }: CallSettings): CallsForm => ({
  dispositions: dispositions.map((each) => ({ ...each, id: newId(), isSaved: true })),
  rules: field_rules.map((each) => ({ ...each, id: newId() })),
  hasTranscripts: transcript_days !== null,
  days: transcript_days === null ? DEFAULT_DAYS : String(transcript_days),
});

/** `Wants a callback` as `wants_a_callback`. */
export const dispositionKey = (label: string): string =>
  label
    .normalize('NFD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 40)
    .replace(/_+$/, '');

/** A disposition has the key that was typed, or else that of its label. */
export const keyOf = ({ key, label }: DispositionRow): string => key || dispositionKey(label);

export const bodyOf = ({ dispositions, rules, hasTranscripts, days }: CallsForm): CallSettings => ({
  dispositions: dispositions.map((row) => ({ key: keyOf(row), label: row.label.trim() })),
  field_rules: rules.map(({ data, field, mode }) => ({ data: data.trim(), field, mode })),
  transcript_days: hasTranscripts ? Number(days) : null,
});

export const isSameSettings = (form: CallsForm, settings: CallSettings): boolean =>
  JSON.stringify(bodyOf(form)) === JSON.stringify(bodyOf(formOf(settings)));

/** The row with this id moved by one place. */
export const moved = <Row extends { readonly id: number }>(
  rows: readonly Row[],
  id: number,
  by: 1 | -1,
): readonly Row[] => {
  const from = rows.findIndex((row) => row.id === id);
  const row = rows[from];
  const to = from + by;
  return !row || to < 0 || to >= rows.length ? rows : rows.toSpliced(from, 1).toSpliced(to, 0, row);
};

const KEY = /^[a-z][a-z0-9_]{0,39}$/;

/** The problems of all rows by field, named as the service names them. */
export const problemsOf = ({ dispositions, rules, hasTranscripts, days }: CallsForm) => {
  const found: Record<string, string> = {};
  const keys = dispositions.map(keyOf);
  for (const [at, row] of dispositions.entries()) {
    const key = keys[at] ?? '';
    if (row.label.trim() === '') found[`dispositions[${at}].label`] = t('Enter a label.');
    else if (!KEY.test(key))
      found[`dispositions[${at}].key`] = t('Enter a key of lower-case letters, digits and underscores.');
    else if (keys.indexOf(key) < at)
      found[`dispositions[${at}].key`] = t('Another disposition has this key.');
  }
  const pairs = rules.map(({ data, field }) => JSON.stringify([data.trim(), field]));
  for (const [at, { data, field }] of rules.entries()) {
    if (data.trim() === '') found[`field_rules[${at}].data`] = t('Enter a name.');
    if (field === '') found[`field_rules[${at}].field`] = t('Choose a field.');
    else if (data.trim() !== '' && pairs.indexOf(pairs[at] ?? '') < at)
      found[`field_rules[${at}].field`] = t('Another rule has this name and field.');
  }
  const count = Number(days);
  if (hasTranscripts && !(Number.isInteger(count) && count >= 1 && count <= MAX_DAYS))
    found.transcript_days = t('Enter a whole number from {min} to {max}.', { min: 1, max: MAX_DAYS });
  return found;
};
