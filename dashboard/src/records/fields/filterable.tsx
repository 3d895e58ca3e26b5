import { t } from '../../lib/i18n.ts';
import { Checkbox } from '../../ui/checkbox.tsx';

export const MAX_FILTERABLE = 20;

/** Whether contacts are found by a field. It is disabled where too many fields are filterable already. */
export const FilterableBox = ({
  count,
  isFull,
  problem,
  checked,
  onChange,
}: {
  /** How many fields are filterable. */
  readonly count: number;
  readonly isFull: boolean;
  readonly problem?: string | undefined;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}) => (
  <Checkbox
    label={t('Filterable')}
    hint={
      problem ??
      (isFull
        ? t('{max} fields are filterable, which is the maximum.', { max: MAX_FILTERABLE })
        : t('Finds contacts by this field quickly, also among a million. {count} of {max} in use.', {
            count,
            max: MAX_FILTERABLE,
          }))
    }
    invalid={problem !== undefined}
    disabled={isFull}
    checked={checked}
    onChange={onChange}
  />
);
