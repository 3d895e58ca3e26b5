import type { AuditedRecord, CampaignSchedule, ChangedValues, Field } from '../../api/types.gen.ts';
import { differencesOf } from '../../lib/differences.ts';
import { EMPTY } from '../../lib/format.ts';
import { locale, numberText, t } from '../../lib/i18n.ts';
import { pointerSteps } from '../../lib/json-text.ts';
import { fieldLabel } from '../audit-log/labels.ts';
import { windowText } from '../campaigns/call-window.ts';
import { fieldText } from '../fields/values.ts';

type Window = NonNullable<CampaignSchedule['call_window']>;
type Leaf = string | number | boolean;

export const isRecord = (value: unknown): value is AuditedRecord =>
  typeof value === 'object' && value !== null && 'id' in value && 'deleted' in value;

const isWindow = (value: object): value is Window => 'days' in value && 'from' in value && 'to' in value;

/** Settings whose values have words. */
const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  role: { owner: t('Owner'), member: t('Member') },
  status: {
    draft: t('Draft'),
    active: t('Active'),
    paused: t('Paused'),
    finished: t('Finished'),
    disabled: t('Disabled'),
  },
  mode: {
    snapshot: t('Once'),
    live: t('Live audience'),
    overwrite: t('Always replace the value'),
    if_empty: t('Only if the contact has none'),
  },
  start_status: { scheduled: t('Scheduled'), started: t('started') },
  payload: { snapshot: t('Snapshot') },
  action: { retry: t('Call again'), complete: t('Complete'), fail: t('Fail') },
};

const countries = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' });

export interface Vocabulary {
  readonly fields: readonly Field[];
  readonly zone: string;
}

const leafText = (name: string, value: Leaf, { fields, zone }: Vocabulary): string => {
  const key = name.replace(/^fields\./, '');
  const field = key === name ? undefined : fields.find((each) => each.key === key);
  if (field) return fieldText(field.type, value, zone);
  if (typeof value === 'boolean') return value ? t('Yes') : t('No');
  if (typeof value === 'number') return numberText(value);
  if (name === 'default_country') return countries.of(value) ?? value;
  if (name.endsWith('_at')) return fieldText('datetime', value, zone);
  return words[name]?.[value] ?? value;
};

/** A value of a field in words. */
export const valueText = (name: string, value: unknown, vocabulary: Vocabulary): string => {
  if (value === null || value === undefined || value === '') return EMPTY;
  if (typeof value !== 'object') return leafText(name, value as Leaf, vocabulary);
  if (isRecord(value)) return value.name ?? value.id;
  if (isWindow(value)) return windowText(value);
  const entries = Object.entries(value).filter(([, each]) => each !== null && each !== '');
  if (entries.length === 0) return EMPTY;
  if (!Array.isArray(value))
    return entries.map(([key, each]) => valueText(key, each, vocabulary)).join(' · ');
  const separator = typeof value[0] === 'object' ? '; ' : ', ';
  return entries.map(([, each]) => valueText(name, each, vocabulary)).join(separator);
};

/** A changed value, or a changed part of one. */
export interface Change {
  readonly path: string;
  readonly label: string;
  /** The field's name, which tells what its values mean. */
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The changed values with their labels, in the order in which the service names them. */
export const changesIn = ({ before, after }: ChangedValues, fields: readonly Field[]): Change[] => {
  const labels = new Map(fields.map(({ key, label }) => [key, label]));
  return differencesOf(
    before,
    after,
    (value) => Array.isArray(value) || isRecord(value) || isWindow(value),
  ).map((each) => {
    const steps = pointerSteps(each.path);
    const label = steps.map((step) => fieldLabel(step, labels)).join(' · ');
    return { path: each.path, label, name: steps.at(-1) ?? '', before: each.before, after: each.after };
  });
};
