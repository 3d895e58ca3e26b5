import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { errorDetail, errorMessage, fieldErrors } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { apiQuery, invalidate } from '../../../api/query.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { TagInput } from '../../../app/tag-input.tsx';
import { contactName } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { Input, Textarea } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { PhoneField } from '../../../ui/phone-field.tsx';
import { toast } from '../../../ui/toast.tsx';
import { useFieldForm } from './create-fields.tsx';

const blank = {
  phone_number: '',
  first_name: '',
  last_name: '',
  email: '',
  company: '',
  notes: '',
  tags: [] as string[],
};
type Form = typeof blank;

/** Empty fields are not sent, so that they are stored as `null` rather than as an empty text. */
const filledFields = (form: Form) => ({
  phone_number: form.phone_number,
  ...Object.fromEntries(Object.entries(form).filter(([, value]) => value.length > 0)),
});

/** Scrolls the field above a notice into view, because the dialog may be scrolled to its end. */
const showWithField = (notice: HTMLElement | null) =>
  notice?.previousElementSibling?.scrollIntoView({ block: 'nearest' });

const AddContact = ({ onClose }: { readonly onClose: () => void }) => {
  const [form, setForm] = useState(blank);
  const [isSubmitted, setSubmitted] = useState(false);
  const country = useQuery(apiQuery('/settings')).data?.data.default_country;
  const set = (change: Partial<Form>) => setForm((now) => ({ ...now, ...change }));
  const own = useFieldForm();
  const add = useMutation({
    mutationFn: () => {
      const hasFields = Object.keys(own.values).length > 0;
      return call('POST', '/contacts', {
        body: { ...filledFields(form), ...(hasFields && { fields: own.values }) },
      });
    },
    onSuccess: ({ data }) => {
      void invalidate('/contacts', '/tags', '/figures');
      toast.good(t('{name} added.', { name: contactName(data) }));
      onClose();
    },
  });
  const problems = fieldErrors(add.error);
  const existing = errorDetail(add.error, 'existing_contact_id');
  const missing = isSubmitted && form.phone_number === '' ? t('Enter a phone number.') : undefined;
  const submit = () => {
    setSubmitted(true);
    if (form.phone_number !== '' && own.isValid) add.mutate();
  };
  const text = (name: 'first_name' | 'last_name' | 'email' | 'company', label: string, maxLength: number) => (
    <Input
      label={label}
      maxLength={maxLength}
      error={problems[name]}
      value={form[name]}
      autoComplete="off"
      onChange={({ target }) => set({ [name]: target.value })}
    />
  );
  return (
    <FormDialog
      title={t('Add contact')}
      dirty={own.isDirty || Object.values(form).some(({ length }) => length > 0)}
      onSubmit={submit}
      onClose={onClose}
      action={t('Add contact')}
      busy={add.isPending}
    >
      <PhoneField
        label={t('Phone number')}
        required
        autoFocus
        country={country}
        value={form.phone_number}
        onChange={(phone_number) => set({ phone_number })}
        error={problems.phone_number ?? missing}
      />
      {add.isError && Object.keys(problems).length === 0 && (
        <div ref={showWithField}>
          <Notice
            tone="danger"
            action={
              existing && (
                <Link to="/contacts/$id" params={{ id: existing }} className="font-medium underline">
                  {t('Open contact')}
                </Link>
              )
            }
          >
            {existing ? t('A contact with this phone number already exists.') : errorMessage(add.error)}
          </Notice>
        </div>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        {text('first_name', t('First name'), 100)}
        {text('last_name', t('Last name'), 100)}
        {text('email', t('Email'), 254)}
        {text('company', t('Company'), 200)}
      </div>
      <TagInput
        label={t('Tags')}
        hint={t('Press Enter or comma to add a tag.')}
        value={form.tags}
        error={problems.tags}
        onChange={(tags) => set({ tags })}
      />
      <Textarea
        label={t('Notes')}
        maxLength={2000}
        error={problems.notes}
        value={form.notes}
        onChange={({ target }) => set({ notes: target.value })}
      />
      {own.render(problems, isSubmitted)}
    </FormDialog>
  );
};

export default AddContact;
