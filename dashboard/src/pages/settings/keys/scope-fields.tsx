import { useId } from 'react';
import { t } from '../../../lib/i18n.ts';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { type KeyScope, scopeGroups } from './labels.ts';

/** The scopes of a custom key, as groups of checkboxes. */
export const ScopeFields = ({
  value,
  error,
  onChange,
}: {
  readonly value: readonly KeyScope[];
  readonly error: string | undefined;
  readonly onChange: (scopes: readonly KeyScope[]) => void;
}) => {
  const id = useId();
  return (
    <fieldset className="flex flex-col gap-3" aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="sr-only">{t('Scopes')}</legend>
      {/* Above the scopes, because the end of the list is far from the first one. */}
      <p
        id={`${id}-error`}
        aria-live="polite"
        className="scroll-mt-2 text-[0.8125rem] text-danger-ink empty:hidden"
      >
        {error}
      </p>
      {Object.entries(scopeGroups).map(([group, scopes], groupIndex) => (
        <div key={group} className="flex flex-col gap-2">
          <p className="text-sm font-medium">{group}</p>
          {Object.entries(scopes).map(([name, description], index) => {
            const scope = name as KeyScope;
            return (
              <Checkbox
                key={scope}
                label={<code>{scope}</code>}
                hint={description}
                invalid={error !== undefined && groupIndex + index === 0}
                checked={value.includes(scope)}
                onChange={(isChecked) =>
                  onChange(isChecked ? [...value, scope] : value.filter((each) => each !== scope))
                }
              />
            );
          })}
        </div>
      ))}
    </fieldset>
  );
};
