import type { ImportCountry, ImportReason, ImportRules } from '../../../api/types.gen.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { duplicateLabels } from '../../../records/imports/labels.ts';
import { Button } from '../../../ui/button.tsx';
import { CountrySelect, countryName } from '../../../ui/country-select.tsx';
import { Select } from '../../../ui/field.tsx';
import type { PlanChange } from './use-replan.ts';

/** How many rows a country fixes. Only a sample of many rows is checked, and all others may be valid as well. */
const countryText = ({ country, fixes, checked }: ImportCountry, rows: number): string => {
  const values = { country: countryName(country) };
  return checked < rows
    ? plural(fixes, 'Use {country}: fixes at least # row', 'Use {country}: fixes at least # rows', values)
    : plural(fixes, 'Use {country}: fixes # row', 'Use {country}: fixes # rows', values);
};

const isCountryReason = (reason: ImportReason['reason']): boolean =>
  reason === 'country_missing' || reason === 'country_mismatch' || reason === 'country_ambiguous';

/** Whether another country may resolve a reason. */
const dependsOnCountry = (reason: ImportReason['reason']): boolean =>
  isCountryReason(reason) || reason === 'phone_too_short';

/** Resolves a reason with one choice. */
export const Remedy = ({
  reason: { reason, rejected },
  reasons,
  rules,
  countries,
  busy,
  onReplan,
  onColumns,
}: {
  readonly reason: ImportReason;
  /** All reasons of the import. */
  readonly reasons: readonly ImportReason[];
  readonly rules: ImportRules;
  /** Those that fix rows. */
  readonly countries: readonly ImportCountry[];
  readonly busy: boolean;
  readonly onReplan: (change: PlanChange) => void;
  readonly onColumns: () => void;
}) => {
  if (dependsOnCountry(reason)) {
    const rows = reasons.reduce((sum, each) => sum + (dependsOnCountry(each.reason) ? each.count : 0), 0);
    return (
      <>
        {countries.map((each) => (
          <Button
            key={each.country}
            size="small"
            busy={busy}
            onClick={() => onReplan({ country: each.country })}
          >
            {countryText(each, rows)}
            {each.breaks > 0 &&
              `, ${plural(each.breaks, 'changes at least # valid row', 'changes at least # valid rows')}`}
          </Button>
        ))}
        {isCountryReason(reason) && (
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
        )}
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
