import { Link } from '@tanstack/react-router';
import { ExternalLink } from 'lucide-react';
import { ApiError } from '../../../api/api-error.ts';
import type { Field } from '../../../api/types.gen.ts';
import { useCurrentUser } from '../../../app/current-user.ts';
import { browserTimeZone, useTimeZone } from '../../../app/time-zone.ts';
import { t } from '../../../lib/i18n.ts';
import { FieldInput } from '../../../records/fields/field-input.tsx';
import { useFields } from '../../../records/fields/query.ts';
import {
  enteredValue,
  fieldText,
  inputOf,
  invalidText,
  isWebAddress,
} from '../../../records/fields/values.ts';
import { InlineEdit } from '../../../ui/inline-edit.tsx';
import { Section } from '../../../ui/page.tsx';
import type { MarkDirty } from './dirty-fields.ts';
import type { FieldName, LoadedContact } from './fields.ts';
import type { Save } from './save.tsx';

interface Props {
  readonly contact: LoadedContact['data'];
  readonly save: Save;
  readonly onDirty: MarkDirty;
}

const FieldEdit = ({
  field,
  zone,
  contact,
  save,
  onDirty,
}: Props & { readonly field: Field; readonly zone: string }) => {
  const { key, label, type } = field;
  const name: FieldName = `fields.${key}`;
  const value = contact.fields?.[key];
  const saveInput = (input: string, before: string) => {
    const next = enteredValue(type, input, zone);
    if (next === undefined) throw new ApiError('VALIDATION_ERROR', invalidText());
    // The control does not show milliseconds.
    const isCurrent = inputOf(type, value, zone) === before;
    const seen = isCurrent ? (value ?? null) : (enteredValue(type, before, zone) ?? null);
    return save({ [name]: next }, { [name]: seen });
  };
  return (
    <div className="flex min-w-0 items-end gap-1 self-start">
      <InlineEdit
        label={label}
        field={name}
        value={inputOf(type, value, zone)}
        show={(input) => (
          <span className="wrap-anywhere">{fieldText(type, enteredValue(type, input, zone), zone)}</span>
        )}
        control={(control) => <FieldInput {...control} field={field} zone={zone} />}
        canClear
        onSave={async (input, before) => saveInput(input, before)}
        onDirty={(isDirty) => onDirty(name, isDirty)}
      />
      {type === 'url' && typeof value === 'string' && isWebAddress(value) && (
        <a
          href={value}
          target="_blank"
          rel="noopener noreferrer"
          title={value}
          className="grid size-8 shrink-0 place-items-center rounded-lg text-muted hover:bg-sunken hover:text-ink"
        >
          <ExternalLink className="size-4" aria-hidden />
          <span className="sr-only">{t('Open {label}', { label })}</span>
        </a>
      )}
    </div>
  );
};

/** The values of the workspace's own fields, with inline editing. */
export const CustomFields = (props: Props) => {
  const fields = useFields();
  const zone = useTimeZone() ?? browserTimeZone();
  const { role } = useCurrentUser();
  if (!fields) return null;
  return (
    <Section title={t('Fields')}>
      {fields.length === 0 ? (
        <p className="text-sm text-muted">
          {t('Your workspace has no fields of its own yet, such as a plan or a renewal date.')}{' '}
          {role === 'owner' && (
            <Link to="/settings" search={{ tab: 'fields' }} className="font-medium text-ink underline">
              {t('Create fields in Settings')}
            </Link>
          )}
        </p>
      ) : (
        <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
          {fields.map((field) => (
            <FieldEdit key={field.key} field={field} zone={zone} {...props} />
          ))}
        </div>
      )}
    </Section>
  );
};
