import { Link } from '@tanstack/react-router';
import { Plus, Trash2 } from 'lucide-react';
import { t } from '../../../lib/i18n.ts';
import { dispositionText, useDispositions } from '../../../records/calls/settings.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Input, Select } from '../../../ui/field.tsx';
import { actionLabels } from './retry-rule-labels.ts';
import { MAX_RULES, newRow, type RetryRow } from './retry-rules.ts';

const actions = (Object.keys(actionLabels) as RetryRow['action'][]).map((value) => ({
  value,
  label: actionLabels[value],
}));

/** On wide screens the labels are above the first row only. */
const labelClass = (at: number): string => (at > 0 ? 'sm:[&>label]:sr-only' : '');

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
  const set = (id: number, change: Partial<RetryRow>) =>
    onChange(rows.map((row) => (row.id === id ? { ...row, ...change } : row)));
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
      {rows.length > 0 && (
        <ul aria-label={t('Rules by disposition')} className="flex flex-col gap-3">
          {rows.map((row, at) => (
            <li
              key={row.id}
              className="flex flex-col gap-2 max-sm:border-t max-sm:border-line max-sm:pt-3 sm:grid sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_7rem_auto] sm:items-start"
            >
              <Select
                label={t('Disposition')}
                className={labelClass(at)}
                required
                placeholder={t('Choose')}
                options={options}
                value={row.disposition}
                error={problems[`retry_rules[${at}].disposition`]}
                onChange={({ target }) => set(row.id, { disposition: target.value })}
              />
              <Select
                label={t('Action')}
                className={labelClass(at)}
                options={actions}
                value={row.action}
                error={problems[`retry_rules[${at}].action`]}
                onChange={({ target }) => set(row.id, { action: target.value as RetryRow['action'] })}
              />
              {row.action === 'retry' ? (
                <Input
                  label={t('After minutes')}
                  type="number"
                  min={1}
                  placeholder={t('immediately')}
                  className={labelClass(at)}
                  value={row.minutes}
                  error={problems[`retry_rules[${at}].after_minutes`]}
                  onChange={({ target }) => set(row.id, { minutes: target.value })}
                />
              ) : (
                <span className="max-sm:hidden" />
              )}
              <div className={cx('self-end sm:self-auto', at === 0 && 'sm:pt-6.5')}>
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
      {!isUndefined && (
        <Button
          size="small"
          className="self-start"
          disabled={rows.length >= MAX_RULES}
          onClick={() => onChange([...rows, newRow()])}
        >
          <Plus aria-hidden />
          {t('Add rule')}
        </Button>
      )}
    </fieldset>
  );
};
