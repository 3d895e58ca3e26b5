import { useId } from 'react';
import { t } from '../../lib/i18n.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import type { WebhookForm } from './form.ts';
import { type EventType, eventGroups, eventTypes } from './labels.tsx';

const choices = { all: t('All events'), selected: t('Selected events') } as const;

/** The types of events that an endpoint receives: all, or some, grouped by the kind of the record. */
export const EventTypeFields = ({
  form,
  error,
  onChange,
}: {
  readonly form: WebhookForm;
  readonly error: string | undefined;
  readonly onChange: (change: Partial<WebhookForm>) => void;
}) => {
  const id = useId();
  const { types } = form;
  const select = (changed: readonly EventType[], isChecked: boolean) =>
    onChange({
      types: eventTypes.filter((type) => (changed.includes(type) ? isChecked : types.includes(type))),
    });
  return (
    <div className="flex flex-col gap-3">
      <Segmented
        label={t('Events')}
        options={choices}
        value={form.hasAllTypes ? 'all' : 'selected'}
        onChange={(choice) => onChange({ hasAllTypes: choice === 'all' })}
      />
      {!form.hasAllTypes && (
        <fieldset aria-describedby={error ? `${id}-error` : undefined}>
          <legend className="sr-only">{t('Event types')}</legend>
          <div className="grid gap-x-5 gap-y-4 rounded-xl border border-line p-3.5 sm:grid-cols-2">
            {eventGroups.map(([group, own]) => {
              const count = own.filter((type) => types.includes(type)).length;
              return (
                <div key={group} className="flex flex-col gap-1.5">
                  <Checkbox
                    label={<span className="font-medium">{group}</span>}
                    checked={count === own.length || (count > 0 && 'indeterminate')}
                    onChange={(isChecked) => select(own, isChecked)}
                  />
                  <div className="flex flex-col gap-1.5 pl-7">
                    {own.map((type) => (
                      <Checkbox
                        key={type}
                        label={<code className="font-mono text-[0.8125rem]">{type}</code>}
                        checked={types.includes(type)}
                        onChange={(isChecked) => select([type], isChecked)}
                      />
                    ))}
                  </div>
                </div>
              );
            })}
          </div>
        </fieldset>
      )}
      <p id={`${id}-error`} aria-live="polite" className="text-[0.8125rem] text-danger-ink empty:hidden">
        {!form.hasAllTypes && error}
      </p>
    </div>
  );
};
