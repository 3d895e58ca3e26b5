import type { ImportReason, ImportRules } from '../../../api/types.gen.ts';
import { locale, t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { CountrySelect, countryName } from '../../../ui/country-select.tsx';
import { Select } from '../../../ui/field.tsx';
import { duplicateLabels } from '../labels.ts';
import type { PlanChange } from './use-replan.ts';

/** The country of the browser's language, such as `US` of `en-US`. */
const browserCountry = new Intl.Locale(globalThis.navigator?.language ?? locale).region;

/** Resolves a reason with one choice. */
export const Remedy = ({
  reason: { reason, rejected },
  rules,
  busy,
  onReplan,
  onColumns,
}: {
  readonly reason: ImportReason;
  readonly rules: ImportRules;
  readonly busy: boolean;
  readonly onReplan: (change: PlanChange) => void;
  readonly onColumns: () => void;
}) => {
  if (reason === 'country_missing' || reason === 'country_mismatch' || reason === 'country_ambiguous') {
    return (
      <>
        {browserCountry && browserCountry !== rules.country && (
          <Button size="small" busy={busy} onClick={() => onReplan({ country: browserCountry })}>
            {t('Use {country}', { country: countryName(browserCountry) })}
          </Button>
        )}
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
      </>
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
          onChange={({ target }) => onReplan({ on_duplicate: target.value as ImportRules['on_duplicate'] })}
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
