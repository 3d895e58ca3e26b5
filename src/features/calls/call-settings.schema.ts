import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import { profileTexts } from '../contacts/contact.schema.ts';
import { KEY, KEY_PATTERN } from '../fields/field.values.ts';
import { resultKey } from './result.schema.ts';

const MAX_ENTRIES = 50;
export const ruleModes = ['overwrite', 'if_empty'] as const;

const dataName = v.text({
  min: 1,
  max: 100,
  schema: { description: 'A member of `data`.', examples: ['budget'] },
});
const ruledField = v.text({
  schema: {
    pattern: KEY_PATTERN,
    description: `The key of a field of the workspace, or ${profileTexts.join(', ')}.`,
    examples: ['company'],
  },
  check: (key) => (KEY.test(key) ? undefined : 'must be the key of a field, for example budget.'),
});

const disposition = v.object(
  { key: resultKey, label: v.text({ min: 1, max: 100, schema: { examples: ['Booked'] } }) },
  { title: 'DispositionInput', required: ['key', 'label'] },
);
const fieldRule = v.object(
  {
    data: dataName,
    field: ruledField,
    mode: v.described(
      v.oneOf(ruleModes),
      '`overwrite` replaces the value of the contact; `if_empty` leaves one that it has.',
    ),
  },
  { title: 'FieldRuleInput', required: ['data', 'field', 'mode'] },
);
export type FieldRule = ReturnType<typeof fieldRule.read>;

const repeatedIn = (names: readonly string[]) => names.find((name, at) => names.indexOf(name) < at);

export const callSettingsBody = v.object(
  {
    dispositions: v.listOf(v.nested(disposition), {
      max: MAX_ENTRIES,
      description: 'How calls can end. Their keys differ.',
    }),
    field_rules: v.listOf(v.nested(fieldRule), {
      max: MAX_ENTRIES,
      description: 'Which members of `data` are copied to fields of the contact. Each pair differs.',
    }),
    transcript_days: v.described(
      v.nullable(v.integer(1, 3_650)),
      'For how many days a transcript is kept. `null` turns transcripts off.',
    ),
  },
  {
    title: 'CallSettingsInput',
    required: ['dispositions', 'field_rules', 'transcript_days'],
    check: (value) => {
      const { dispositions, field_rules } = value as CallSettings;
      const key = repeatedIn(dispositions.map((each) => each.key));
      const pair = repeatedIn(field_rules.map((each) => JSON.stringify([each.data, each.field])));
      return [
        ...(key ? [{ field: 'dispositions', message: `must not have the key ${key} twice.` }] : []),
        ...(pair
          ? [{ field: 'field_rules', message: 'must not have two rules with the same data and field.' }]
          : []),
      ];
    },
  },
);
export type CallSettings = ReturnType<typeof callSettingsBody.read>;

export const callSettingsResponse = s.object('CallSettings', {
  dispositions: s.list(s.object('Disposition', v.schemasOf(disposition.fields))),
  field_rules: s.list(s.object('FieldRule', v.schemasOf(fieldRule.fields))),
  transcript_days: s.nullable(
    s.integer('For how many days a transcript is kept; `null` if transcripts are off.'),
  ),
});
