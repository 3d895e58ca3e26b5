import { useState } from 'react';
import { browserTimeZone, useTimeZone } from '../../../app/time-zone.ts';
import { t } from '../../../lib/i18n.ts';
import { FieldInput } from '../../../records/fields/field-input.tsx';
import { useFields } from '../../../records/fields/query.ts';
import { enteredValue, type FieldValue, invalidText } from '../../../records/fields/values.ts';

/** What was typed into the controls of the workspace's own fields. */
export const useFieldForm = () => {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [isOpen, setOpen] = useState(false);
  const zone = useTimeZone() ?? browserTimeZone();
  const fields = useFields() ?? [];
  const entries = fields.map(({ key, type }) => [key, enteredValue(type, typed[key] ?? '', zone)] as const);
  const invalid = entries.filter(([, value]) => value === undefined).map(([key]) => key);
  const filled = entries.filter((entry): entry is [string, FieldValue] => (entry[1] ?? null) !== null);
  /** Shows the problems of a response at their fields. */
  const render = (problems: Readonly<Record<string, string>>, isSubmitted: boolean) => {
    const errorOf = (key: string) =>
      problems[`fields.${key}`] ?? (isSubmitted && invalid.includes(key) ? invalidText() : undefined);
    if (fields.length === 0) return null;
    const hasProblem = fields.some(({ key }) => errorOf(key) !== undefined);
    return (
      <details
        open={isOpen || hasProblem}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
        className="rounded-lg border border-line"
      >
        <summary className="cursor-pointer rounded-lg px-3.5 py-2.5 text-sm font-medium">
          {t('Fields')}
        </summary>
        <div className="grid gap-4 px-3.5 pt-1 pb-3.5 sm:grid-cols-2">
          {fields.map((field) => (
            <FieldInput
              key={field.key}
              field={field}
              zone={zone}
              label={field.label}
              value={typed[field.key] ?? ''}
              error={errorOf(field.key)}
              onChange={(value) => setTyped((now) => ({ ...now, [field.key]: value }))}
            />
          ))}
        </div>
      </details>
    );
  };
  return {
    isDirty: Object.values(typed).some(Boolean),
    isValid: invalid.length === 0,
    values: Object.fromEntries(filled),
    render,
  };
};
