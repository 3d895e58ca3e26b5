import { t } from '../../lib/i18n.ts';
import { duplicateLabels, existingLabels, invalidLabels, tagLabels } from '../../records/imports/labels.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { CountrySelect } from '../../ui/country-select.tsx';
import { Select } from '../../ui/field.tsx';
import { CampaignSelect } from './campaign.tsx';
import type { Rules } from './mapping.ts';

const optionsOf = (words: Record<string, string>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));

/** The rules of an import: default country, existing contacts, tags, invalid cells, duplicates and the campaign. */
export const RuleFields = ({
  rules,
  noCountryLabel,
  onChange,
}: {
  readonly rules: Rules;
  /** The label of the option for no country, if that is allowed. */
  readonly noCountryLabel?: string | undefined;
  readonly onChange: (change: Partial<Rules>) => void;
}) => (
  <div className="grid gap-x-5 gap-y-4 sm:grid-cols-2">
    <CountrySelect
      label={t('Default country for local numbers')}
      hint={
        rules.country
          ? t('Numbers without a country code are assumed to be in this country.')
          : t('Without a default country, numbers without a country code are invalid.')
      }
      {...(noCountryLabel && { none: noCountryLabel })}
      value={rules.country}
      onChange={(country) => onChange({ country })}
    />
    <Select
      label={t('If the contact already exists')}
      hint={t('Empty cells never clear a field.')}
      value={rules.on_existing}
      options={optionsOf(existingLabels)}
      onChange={({ target }) => onChange({ on_existing: target.value as Rules['on_existing'] })}
    />
    <Select
      label={t('Tags of existing contacts')}
      hint={
        rules.on_existing === 'skip' ? t('Tags stay the same: existing contacts are skipped.') : undefined
      }
      disabled={rules.on_existing === 'skip'}
      value={rules.tags}
      options={optionsOf(tagLabels)}
      onChange={({ target }) => onChange({ tags: target.value as Rules['tags'] })}
    />
    <Select
      label={t('If several rows have the same number')}
      hint={
        rules.on_duplicate === 'fill'
          ? t('The first row is imported with values that only later rows have, and the tags of all.')
          : undefined
      }
      value={rules.on_duplicate}
      options={optionsOf(duplicateLabels)}
      onChange={({ target }) => onChange({ on_duplicate: target.value as Rules['on_duplicate'] })}
    />
    <Select
      label={t('If an optional cell is invalid')}
      hint={t('A row without a valid phone number is always skipped.')}
      value={rules.on_invalid}
      options={optionsOf(invalidLabels)}
      onChange={({ target }) =>
        onChange({ on_invalid: target.value as Rules['on_invalid'], on_invalid_email: null })
      }
    />
    <CampaignSelect value={rules.campaign_id} onChange={(campaign_id) => onChange({ campaign_id })} />
    <div className="flex flex-col gap-3 self-center">
      {rules.on_invalid === 'reject_row' ? (
        <Checkbox
          label={t('Skip invalid emails')}
          hint={t('Import the row without the email address instead of skipping the row.')}
          checked={rules.on_invalid_email === 'omit_field'}
          onChange={(omits) => onChange({ on_invalid_email: omits ? 'omit_field' : null })}
        />
      ) : (
        <Checkbox
          label={t('Skip rows with an invalid email')}
          hint={t('Skip the row instead of importing it without the email address.')}
          checked={rules.on_invalid_email === 'reject_row'}
          onChange={(rejects) => onChange({ on_invalid_email: rejects ? 'reject_row' : null })}
        />
      )}
      <Checkbox
        label={t('Legacy migration')}
        hint={t(
          "For data from an older system: numbers that can't be converted to international format are stored as written instead of rejected.",
        )}
        checked={rules.legacy}
        onChange={(legacy) => onChange({ legacy })}
      />
    </div>
  </div>
);
