import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors, isApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { Field } from '../../../api/types.gen.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { t } from '../../../lib/i18n.ts';
import { FilterableBox, MAX_FILTERABLE } from '../../../records/fields/filterable.tsx';
import { fieldTypeLabels } from '../../../records/fields/labels.ts';
import { type FieldType, keyOf, optionsIn } from '../../../records/fields/values.ts';
import { Input, Select, Textarea } from '../../../ui/field.tsx';
import { toast } from '../../../ui/toast.tsx';

const MAX_LABEL = 100;

const typeHints: Readonly<Record<FieldType, string>> = {
  text: t('At most 2,000 characters.'),
  number: t('Whole or with decimals, for example a balance.'),
  boolean: t('For example whether someone agreed to something.'),
  date: t('A day, for example of a renewal.'),
  datetime: t("A moment, for example of an appointment. Agents get it in the contact's time zone."),
  enum: t('One of the options that you list.'),
  url: t('A web address that starts with https:// or http://.'),
};
const types = (Object.keys(fieldTypeLabels) as FieldType[]).map((value) => ({
  value,
  label: fieldTypeLabels[value],
}));

interface Form {
  readonly label: string;
  /** Undefined while it follows the label. */
  readonly key: string | undefined;
  readonly type: FieldType;
  readonly options: string;
  readonly filterable: boolean;
}

const formOf = (field: Field | undefined): Form => ({
  label: field?.label ?? '',
  key: field?.key,
  type: field?.type ?? 'text',
  options: field?.options?.join('\n') ?? '',
  filterable: field?.filterable ?? false,
});

/** Creates a field, or changes one: its key and its type stay. */
export const FieldForm = ({
  field,
  filterableCount,
  onClose,
}: {
  readonly field?: Field;
  /** How many fields are filterable. */
  readonly filterableCount: number;
  readonly onClose: () => void;
}) => {
  const [before] = useState(() => formOf(field));
  const [form, setForm] = useState(before);
  const [isSubmitted, setSubmitted] = useState(false);
  const set = (change: Partial<Form>) => setForm((now) => ({ ...now, ...change }));
  const { label, type, filterable } = form;
  const key = form.key ?? keyOf(label);
  const options = type === 'enum' ? optionsIn(form.options) : undefined;
  const save = useMutation({
    mutationFn: () => {
      const body = { label: label.trim(), filterable, ...(options && { options }) };
      return field
        ? call('PATCH', '/fields/{key}', { params: { key }, body })
        : call('POST', '/fields', { body: { ...body, key, type } });
    },
    onSuccess: () => {
      void invalidate('/fields', '/contacts');
      toast.good(field ? t('Field saved.') : t('{label} created.', { label: label.trim() }));
      onClose();
    },
  });
  const problems = fieldErrors(save.error);
  const taken = !field && isApiError(save.error, 'CONFLICT') ? save.error.message : undefined;
  const missing = (isMissing: boolean, text: string) => (isSubmitted && isMissing ? text : undefined);
  const hasNoOptions = options?.length === 0;
  const submit = () => {
    setSubmitted(true);
    if (label.trim() !== '' && key !== '' && !hasNoOptions) save.mutate();
  };
  const isFull = !before.filterable && filterableCount >= MAX_FILTERABLE;
  return (
    <FormDialog
      title={field ? t('Edit {label}', { label: field.label }) : t('Create field')}
      dirty={JSON.stringify(form) !== JSON.stringify(before)}
      onSubmit={submit}
      onClose={onClose}
      action={field ? t('Save') : t('Create field')}
      busy={save.isPending}
      error={taken ? undefined : save.error}
    >
      <Input
        label={t('Label')}
        hint={t('What your team sees, for example Renewal date.')}
        required
        autoFocus
        maxLength={MAX_LABEL}
        autoComplete="off"
        value={label}
        error={problems.label ?? missing(label.trim() === '', t('Enter a label.'))}
        onChange={({ target }) => set({ label: target.value })}
      />
      <Input
        label={t('Key')}
        hint={
          field
            ? t("The key can't be changed.")
            : t("The name in instructions, in the API and in files. It can't be changed later.")
        }
        required
        readOnly={field !== undefined}
        maxLength={40}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        className="[&_input]:font-mono [&_input]:read-only:bg-sunken"
        value={key}
        error={problems.key ?? taken ?? missing(key === '', t('Enter a key, for example renewal_date.'))}
        onChange={({ target }) => set({ key: target.value })}
      />
      <Select
        label={t('Type')}
        hint={field ? t("The type can't be changed.") : typeHints[type]}
        options={types}
        disabled={field !== undefined}
        value={type}
        error={problems.type}
        onChange={({ target }) => set({ type: target.value as FieldType })}
      />
      {options && (
        <Textarea
          label={t('Options')}
          hint={
            field
              ? t('One per line. Options can be added and reordered, but not removed.')
              : t('One per line, at most 100.')
          }
          required
          value={form.options}
          error={
            problems.options ??
            Object.entries(problems).find(([name]) => name.startsWith('options'))?.[1] ??
            missing(options.length === 0, t('Enter at least one option.'))
          }
          onChange={({ target }) => set({ options: target.value })}
        />
      )}
      <FilterableBox
        count={filterableCount}
        isFull={isFull}
        problem={problems.filterable}
        checked={filterable}
        onChange={(next) => set({ filterable: next })}
      />
    </FormDialog>
  );
};
