import { Link } from '@tanstack/react-router';
import { t } from '../../../lib/i18n.ts';
import { dispositionText, useDispositions } from '../../../records/calls/settings.ts';
import { Input, Select } from '../../../ui/field.tsx';
import { FormRows } from '../../../ui/form-rows.tsx';
import { actionLabels } from './retry-rule-labels.ts';
import { MAX_RULES, newRow, type RetryRow } from './retry-rules.ts';

const actions = (Object.keys(actionLabels) as RetryRow['action'][]).map((value) => ({
  value,
  label: actionLabels[value],
}));

/** What happens to a contact by the disposition of the call. */
export const RetryRuleFields = ({
  rows,
  problems,
  onChange,
}: {
  readonly rows: readonly RetryRow[];
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (rows: readonly RetryRow[]) => void;
}) => {
  const dispositions = useDispositions();
  const isUndefined = dispositions?.length === 0 && rows.length === 0;
  // One that was removed from the settings stays in its rule.
  const keys = [
    ...new Set([
      ...(dispositions?.map(({ key }) => key) ?? []),
      ...rows.map(({ disposition }) => disposition).filter(Boolean),
    ]),
  ];
  const options = keys.map((value) => ({ value, label: dispositionText(dispositions, value) }));
  return (
    <fieldset className="flex flex-col gap-3 rounded-lg border border-line p-3.5">
      <legend className="px-1 text-sm font-medium">{t('After a call, by disposition')}</legend>
      <p className="text-[0.8125rem] text-muted">
        {isUndefined
          ? t('No dispositions are defined yet.')
          : t('Applies when your runtime reports the disposition instead of a status.')}{' '}
        {isUndefined && (
          <Link
            to="/settings"
            search={{ tab: 'calls' }}
            className="rounded font-medium text-accent-ink hover:underline"
          >
            {t('Settings for calls')}
          </Link>
        )}
      </p>
      {!isUndefined && (
        <FormRows
          label={t('Rules by disposition')}
          columns="sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_7rem_auto]"
          rows={rows}
          max={MAX_RULES}
          newRow={newRow}
          addLabel={t('Add rule')}
          addSize="small"
          removeLabel={(_, at) => t('Remove rule {number}', { number: at + 1 })}
          onChange={onChange}
        >
          {(row, at, set) => (
            <>
              <Select
                label={t('Disposition')}
                required
                placeholder={t('Choose')}
                options={options}
                value={row.disposition}
                error={problems[`retry_rules[${at}].disposition`]}
                onChange={({ target }) => set({ disposition: target.value })}
              />
              <Select
                label={t('Action')}
                options={actions}
                value={row.action}
                error={problems[`retry_rules[${at}].action`]}
                onChange={({ target }) => set({ action: target.value as RetryRow['action'] })}
              />
              {row.action === 'retry' ? (
                <Input
                  label={t('After minutes')}
                  type="number"
                  min={1}
                  placeholder={t('immediately')}
                  value={row.minutes}
                  error={problems[`retry_rules[${at}].after_minutes`]}
                  onChange={({ target }) => set({ minutes: target.value })}
                />
              ) : (
                <span className="max-sm:hidden" />
              )}
            </>
          )}
        </FormRows>
      )}
    </fieldset>
  );
};
