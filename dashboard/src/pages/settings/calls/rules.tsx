import { t } from '../../../lib/i18n.ts';
import { profileLabels } from '../../../records/contacts/labels.ts';
import { useFields } from '../../../records/fields/query.ts';
import { Input, Select } from '../../../ui/field.tsx';
import { FormRows } from '../../../ui/form-rows.tsx';
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
  return (
    <Section
      title={t('Rules for fields')}
      description={t(
        'What a conversation finds out can update the contact: a rule copies a value of the reported data to a field.',
      )}
    >
      <FormRows
        label={t('Rules for fields')}
        columns="sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)_auto]"
        rows={rows}
        max={MAX_ENTRIES}
        newRow={(): RuleRow => ({ id: newId(), data: '', field: '', mode: 'overwrite' })}
        addLabel={t('Add rule')}
        removeLabel={(_, at) => t('Remove rule {number}', { number: at + 1 })}
        onChange={onChange}
      >
        {(row, at, set) => (
          <>
            <Input
              label={t('Name in the data')}
              required
              maxLength={100}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              placeholder={EXAMPLE}
              className="[&_input]:font-mono"
              value={row.data}
              error={problems[`field_rules[${at}].data`]}
              onChange={({ target }) => set({ data: target.value })}
            />
            <Select
              label={t('Field')}
              required
              placeholder={t('Choose a field')}
              options={targets}
              value={row.field}
              error={problems[`field_rules[${at}].field`]}
              onChange={({ target }) => set({ field: target.value })}
            />
            <Select
              label={t('When')}
              options={modeOptions}
              value={row.mode}
              error={problems[`field_rules[${at}].mode`]}
              onChange={({ target }) => set({ mode: target.value as RuleRow['mode'] })}
            />
          </>
        )}
      </FormRows>
    </Section>
  );
};
