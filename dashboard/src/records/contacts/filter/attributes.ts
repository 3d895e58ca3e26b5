import { t } from '../../../lib/i18n.ts';
import { statusLabels } from '../../calls/labels.ts';
import { sourceLabels } from '../sources.ts';

/* What conditions can be about: attributes of every contact, and the fields of the workspace. */

export type AttributeType =
  | 'text'
  | 'number'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'enum'
  | 'country'
  /** A text that is chosen from those in use. */
  | 'known'
  /** The id of a record. */
  | 'record';

export interface Attribute {
  readonly name: string;
  readonly label: string;
  readonly type: AttributeType;
  readonly options?: readonly { readonly value: string; readonly label: string }[] | undefined;
  /** Every contact has a value. */
  readonly isAlwaysSet?: boolean;
  /** Conditions that read better in words of their own, by operator; of a boolean, by its value. */
  readonly phrases?: Readonly<Record<string, string>>;
  /** Not offered, but shown where a filter has it. */
  readonly isHidden?: boolean;
}

/** Says the same as another attribute that is set or not. */
const flag = (name: string, yes: string, no: string): Attribute => ({
  name,
  label: yes,
  type: 'boolean',
  isAlwaysSet: true,
  isHidden: true,
  phrases: { true: yes, false: no },
});

const text = (name: string, label: string): Attribute => ({ name, label, type: 'text' });
const time = (name: string, label: string): Attribute => ({
  name,
  label,
  type: 'datetime',
  isAlwaysSet: true,
});
const choice = (name: string, label: string, labels: Readonly<Record<string, string>>): Attribute => ({
  name,
  label,
  type: 'enum',
  options: Object.entries(labels).map(([value, each]) => ({ value, label: each })),
});
const callStatuses = Object.fromEntries(
  Object.entries(statusLabels).map(([status, { label }]) => [status, label]),
);

/** In the order in which they are offered. */
export const builtIns: readonly Attribute[] = [
  {
    name: 'tag',
    label: t('Tag'),
    type: 'known',
    phrases: { is_set: t('Has a tag'), '!is_set': t('Has no tag') },
  },
  text('company', t('Company')),
  text('name', t('Name')),
  text('first_name', t('First name')),
  text('last_name', t('Last name')),
  {
    ...text('email', t('Email')),
    phrases: { is_set: t('Has an email'), '!is_set': t('Has no email') },
  },
  text('phone_number', t('Phone number')),
  { name: 'phone_country', label: t('Phone country'), type: 'country', isAlwaysSet: true },
  { ...choice('source', t('Source'), sourceLabels), isAlwaysSet: true },
  text('notes', t('Notes')),
  {
    name: 'last_activity_at',
    label: t('Last call or message'),
    type: 'datetime',
    phrases: {
      within_last: t('Called or messaged in the last {value}'),
      '!within_last': t('Not called or messaged in the last {value}'),
      is_set: t('Called or messaged at least once'),
      '!is_set': t('Never called or messaged'),
    },
  },
  choice('call_status', t('Call status'), callStatuses),
  {
    name: 'campaign',
    label: t('Campaign'),
    type: 'record',
    phrases: { is_set: t('Is in a campaign'), '!is_set': t('Is in no campaign') },
  },
  { name: 'import', label: t('Import'), type: 'record' },
  time('created_at', t('Created')),
  time('updated_at', t('Updated')),
  // They begin with the creation, which is no contact: people filter by the last call or message.
  { ...time('first_contact_at', t('First contact')), isHidden: true },
  { ...time('last_contact_at', t('Last contact')), isHidden: true },
  flag('has_email', t('Has an email'), t('Has no email')),
  flag('has_name', t('Has a name'), t('Has no name')),
  flag('in_campaign', t('Is in a campaign'), t('Is in no campaign')),
  flag('called', t('Called or messaged at least once'), t('Never called or messaged')),
];

const sets = ['is_set', '!is_set'];
const equals = ['eq', 'ne'];
const lists = [...equals, 'in', '!in'];
const periods = ['within_last', '!within_last', 'within_next', '!within_next'];
const opsByType: Readonly<Record<AttributeType, readonly string[]>> = {
  text: [...equals, 'contains', '!contains', 'starts_with', 'in', '!in', ...sets],
  number: [...equals, 'gt', 'gte', 'lt', 'lte', ...sets],
  boolean: ['eq', ...sets],
  date: [...periods, ...equals, 'gte', 'lt', ...sets],
  datetime: [...periods, 'gte', 'lt', ...sets],
  enum: [...lists, ...sets],
  known: [...lists, ...sets],
  record: [...lists, ...sets],
  country: equals,
};

/** The operators that the builder offers for an attribute; `!` negates. */
export const opsOf = ({ type, isAlwaysSet }: Attribute): readonly string[] =>
  opsByType[type].filter((op) => !isAlwaysSet || !sets.includes(op));

/** What the editor of a value edits. */
export const isPeriod = (op: string): boolean => op.includes('within_');
export const isList = (op: string): boolean => op === 'in' || op === '!in';
export const hasValue = (op: string): boolean => op !== '' && !op.endsWith('is_set');
