import { Plus, Trash2 } from 'lucide-react';
import { t } from '../../../lib/i18n.ts';
import { profileLabels } from '../../../records/contacts/labels.ts';
import { useFields } from '../../../records/fields/query.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Input, Select } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page.tsx';
import { MAX_ENTRIES, newId, type RuleRow } from './form.ts';

export const modes: Readonly<Record<RuleRow['mode'], string>> = {
  overwrite: t('Always replace the value'),
  if_empty: t('Only if the contact has none'),
};
const modeOptions = (Object.keys(modes) as RuleRow['mode'][]).map((value) => ({
  value,
  label: modes[value],
}));

const { phone_number: _number, tags: _tags, ...texts } = profileLabels;

/** What a rule can write: fields of the workspace and texts of the profile. */
export const useRuleTargets = () => {
  const fields = useFields();
  return [
    ...(fields ?? []).map(({ key, label }) => ({ value: key, label })),
    ...Object.entries(texts).map(([value, label]) => ({ value, label })),
  ];
};

/** Not a text: a name that a runtime may report. */
const EXAMPLE = ['budget'][0];

/** On wide screens the labels are above the first row only. */
const labelClass = (at: number): string => (at > 0 ? 'sm:[&>label]:sr-only' : '');

/** The rules that copy results to fields of the contact. */
export const Rules = ({
  rows,
  problems,
  onChange,
}: {
  readonly rows: readonly RuleRow[];
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (rows: readonly RuleRow[]) => void;
}) => {
  const targets = useRuleTargets();
  const set = (id: number, change: Partial<RuleRow>) =>
    onChange(rows.map((row) => (row.id === id ? { ...row, ...change } : row)));
  return (
    <Section
      title={t('Rules for fields')}
      description={t(
        'What a conversation finds out can update the contact: a rule copies a value of the reported data to a field.',
      )}
    >
      {rows.length > 0 && (
        <ul aria-label={t('Rules for fields')} className="mb-3 flex flex-col gap-3 sm:gap-2">
          {rows.map((row, at) => (
            <li
              key={row.id}
              className="grid items-start gap-2 max-sm:rounded-lg max-sm:border max-sm:border-line max-sm:p-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)_auto]"
            >
              <Input
                label={t('Name in the data')}
                required
                maxLength={100}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                placeholder={EXAMPLE}
                className={cx('[&_input]:font-mono', labelClass(at))}
                value={row.data}
                error={problems[`field_rules[${at}].data`]}
                onChange={({ target }) => set(row.id, { data: target.value })}
              />
              <Select
                label={t('Field')}
                className={labelClass(at)}
                required
                placeholder={t('Choose a field')}
                options={targets}
                value={row.field}
                error={problems[`field_rules[${at}].field`]}
                onChange={({ target }) => set(row.id, { field: target.value })}
              />
              <Select
                label={t('When')}
                className={labelClass(at)}
                options={modeOptions}
                value={row.mode}
                error={problems[`field_rules[${at}].mode`]}
                onChange={({ target }) => set(row.id, { mode: target.value as RuleRow['mode'] })}
              />
              <div className={at === 0 ? 'justify-self-end sm:pt-6.5' : 'justify-self-end'}>
                <IconButton
                  label={t('Remove rule {number}', { number: at + 1 })}
                  icon={<Trash2 aria-hidden />}
                  onClick={() => onChange(rows.filter(({ id }) => id !== row.id))}
                />
              </div>
            </li>
          ))}
        </ul>
      )}
      <Button
        disabled={rows.length >= MAX_ENTRIES}
        onClick={() => onChange([...rows, { id: newId(), data: '', field: '', mode: 'overwrite' }])}
      >
        <Plus aria-hidden />
        {t('Add rule')}
      </Button>
    </Section>
  );
};
