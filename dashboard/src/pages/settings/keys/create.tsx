import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { CreatedKey } from '../../../api/types.gen.ts';
import { CodeBlock } from '../../../app/code-block.tsx';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { SecretDialog } from '../../../app/secret-dialog.tsx';
import { exactTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { DocsLink } from '../../../ui/docs-link.tsx';
import { Input, Select } from '../../../ui/field.tsx';
import { exampleRequest } from './example.ts';
import { dayAfter, endOfDay, type KeyScope, scopeLabels } from './labels.ts';
import { ScopeFields } from './scope-fields.tsx';

const choices = ['read_write', 'read', 'custom'] as const;
const scopes = choices.map((value) => ({ value, label: scopeLabels[value] }));
const scopeHints: Readonly<Record<(typeof choices)[number], string>> = {
  read_write: t('Contacts and agents. Cannot deploy.'),
  read: t('Contacts and agents. Enough for reports.'),
  custom: t('Exactly what you select below.'),
};
const expiries = [
  { value: '', label: t('Never') },
  { value: '30', label: t('In 30 days') },
  { value: '90', label: t('In 90 days') },
  { value: '365', label: t('In 1 year') },
  { value: 'day', label: t('Custom date') },
];
const blank = {
  name: '',
  scope: 'read_write' as (typeof choices)[number],
  scopes: [] as readonly KeyScope[],
  expiry: '',
  day: '',
  rate: '',
};

const expiresAt = ({ expiry, day }: typeof blank): string | null =>
  expiry === '' ? null : endOfDay(expiry === 'day' ? day : dayAfter(Number(expiry)));

export const CreateKey = ({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: (created: CreatedKey) => void;
}) => {
  const [form, setForm] = useState(blank);
  const [isSubmitted, setSubmitted] = useState(false);
  const set = (change: Partial<typeof form>) => setForm((now) => ({ ...now, ...change }));
  const create = useMutation({
    mutationFn: () =>
      call('POST', '/keys', {
        body: {
          name: form.name,
          ...(form.scope === 'custom' ? { scopes: form.scopes } : { scope: form.scope }),
          expires_at: expiresAt(form),
          rate_limit: form.rate || null,
        },
      }),
    onSuccess: ({ data }) => {
      void invalidate('/keys');
      onCreated(data);
    },
  });
  const problems = fieldErrors(create.error);
  const isDayWrong = form.expiry === 'day' && form.day < dayAfter(0);
  const hasNoScope = form.scope === 'custom' && form.scopes.length === 0;
  const submit = () => {
    setSubmitted(true);
    if (form.name !== '' && !isDayWrong && !hasNoScope) create.mutate();
  };
  return (
    <FormDialog
      title={t('Create API key')}
      width="small"
      dirty={form.name !== '' || form.rate !== '' || form.scopes.length > 0}
      onSubmit={submit}
      onClose={onClose}
      action={t('Create API key')}
      busy={create.isPending}
      error={create.error}
    >
      <Input
        label={t('Name')}
        hint={t('The program that will use it, e.g. Website form.')}
        required
        autoFocus
        maxLength={100}
        autoComplete="off"
        value={form.name}
        error={problems.name ?? (isSubmitted && form.name === '' ? t('Enter a name.') : undefined)}
        onChange={({ target }) => set({ name: target.value })}
      />
      <Select
        label={t('Scope')}
        hint={scopeHints[form.scope]}
        options={scopes}
        value={form.scope}
        error={problems.scope}
        onChange={({ target }) => set({ scope: target.value as (typeof choices)[number] })}
      />
      {form.scope === 'custom' && (
        <ScopeFields
          value={form.scopes}
          error={problems.scopes ?? (isSubmitted && hasNoScope ? t('Select at least one scope.') : undefined)}
          onChange={(next) => set({ scopes: next })}
        />
      )}
      <Select
        label={t('Expires')}
        options={expiries}
        value={form.expiry}
        error={form.expiry === 'day' ? undefined : problems.expires_at}
        onChange={({ target }) => set({ expiry: target.value })}
      />
      {form.expiry === 'day' && (
        <Input
          label={t('Expiration date')}
          type="date"
          required
          min={dayAfter(0)}
          value={form.day}
          error={
            problems.expires_at ??
            (isSubmitted && isDayWrong ? t('Choose today or a later date.') : undefined)
          }
          onChange={({ target }) => set({ day: target.value })}
        />
      )}
      <Input
        label={t('Rate limit')}
        hint={t('Requests per interval, e.g. 600/1m. Leave empty for no per-key limit.')}
        autoComplete="off"
        value={form.rate}
        error={problems.rate_limit}
        onChange={({ target }) => set({ rate: target.value })}
      />
    </FormDialog>
  );
};

/** Shows a new API key, once. */
export const KeyCreated = ({
  created,
  onClose,
}: {
  readonly created: CreatedKey;
  readonly onClose: () => void;
}) => (
  <SecretDialog
    title={t('{name} created', { name: created.name })}
    description={
      created.expires_at
        ? t('{scope}, expires {date}.', {
            scope: scopeLabels[created.scope],
            date: exactTime(created.expires_at),
          })
        : t('{scope}, never expires.', { scope: scopeLabels[created.scope] })
    }
    kind="key"
    secret={created.key}
    explanation={t('Store it like a password. If you lose it, create another key and revoke this one.')}
    onClose={onClose}
  >
    <CodeBlock label={t('Terminal example')} text={exampleRequest(location.origin, created)} />
    <DocsLink to="keys" />
  </SecretDialog>
);
