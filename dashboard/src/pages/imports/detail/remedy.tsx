import type { ImportOptions, ImportReason } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { duplicateLabels } from '../../../records/imports/labels.ts';
import { Button } from '../../../ui/button.tsx';
import { CountrySelect } from '../../../ui/country-select.tsx';
import { Select } from '../../../ui/field.tsx';
import type { PlanChange } from './use-replan.ts';

const isCountryReason = (reason: ImportReason['reason']): boolean =>
  reason === 'country_missing' || reason === 'country_mismatch' || reason === 'country_ambiguous';

/** Resolves a reason with one choice. */
export const Remedy = ({
  reason: { reason, rejected },
  rules,
  busy,
  onReplan,
  onColumns,
}: {
  readonly reason: ImportReason;
  readonly rules: ImportOptions;
  readonly busy: boolean;
  readonly onReplan: (change: PlanChange) => void;
  readonly onColumns: () => void;
}) => {
  if (reason === 'phone_too_short') return null;
  if (isCountryReason(reason)) {
    return (
      <div className="w-60">
        <CountrySelect
          label={t('Country of these numbers')}
          hideLabel
          none={rules.country ? t('Choose another country') : t('Choose a country')}
          value=""
          disabled={busy}
          onChange={(country) => onReplan({ country })}
        />
      </div>
    );
  }
  if (reason === 'duplicate_in_file') {
    return (
      <div className="w-72">
        <Select
          label={t('If several rows have the same number')}
          hideLabel
          disabled={busy}
          value={rules.on_duplicate}
          options={Object.entries(duplicateLabels).map(([value, label]) => ({ value, label }))}
          onChange={({ target }) => onReplan({ on_duplicate: target.value as ImportOptions['on_duplicate'] })}
        />
      </div>
    );
  }
  if (reason === 'phone_missing' || reason === 'phone_invalid' || reason === 'crm_id_conflict') {
    return (
      <Button size="small" onClick={onColumns}>
        {t('Choose columns')}
      </Button>
    );
  }
  if (reason === 'email_invalid') {
    const rule = rejected ? 'omit_field' : 'reject_row';
    return (
      <Button size="small" busy={busy} onClick={() => onReplan({ on_invalid_email: rule })}>
        {rejected ? t('Import without the email') : t('Skip these rows')}
      </Button>
    );
  }
  return !rejected || reason === 'digits_lost' ? null : (
    <Button size="small" busy={busy} onClick={() => onReplan({ on_invalid: 'omit_field' })}>
      {t('Import without these cells')}
    </Button>
  );
};
