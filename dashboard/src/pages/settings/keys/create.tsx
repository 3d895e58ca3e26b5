import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { CreatedKey, Key } from '../../../api/types.gen.ts';
import { CodeBlock } from '../../../app/code-block.tsx';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { SecretDialog } from '../../../app/secret-dialog.tsx';
import { exactTime } from '../../../lib/format.ts';
import { Input, Select } from '../../../ui/field.tsx';
import { dayAfter, endOfDay, scopeLabels } from './labels.ts';

const scopes = Object.entries(scopeLabels).map(([value, label]) => ({ value, label }));
const expiries = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 1 year' },
  { value: 'day', label: 'Custom date' },
];
const blank = { name: '', scope: 'read_write' as Key['scope'], expiry: '', day: '', rate: '' };

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
          scope: form.scope,
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
  const submit = () => {
    setSubmitted(true);
    if (form.name !== '' && !isDayWrong) create.mutate();
  };
  return (
    <FormDialog
      title="Create API key"
      width="small"
      dirty={form.name !== '' || form.rate !== ''}
      onSubmit={submit}
      onClose={onClose}
      action="Create API key"
      busy={create.isPending}
      error={create.error}
    >
      <Input
        label="Name"
        hint="The program that will use it, e.g. Website form."
        required
        autoFocus
        maxLength={100}
        autoComplete="off"
        value={form.name}
        error={problems.name ?? (isSubmitted && form.name === '' ? 'Enter a name.' : undefined)}
        onChange={({ target }) => set({ name: target.value })}
      />
      <Select
        label="Scope"
        hint="Read only is enough for reports."
        options={scopes}
        value={form.scope}
        error={problems.scope}
        onChange={({ target }) => set({ scope: target.value as Key['scope'] })}
      />
      <Select
        label="Expires"
        options={expiries}
        value={form.expiry}
        error={form.expiry === 'day' ? undefined : problems.expires_at}
        onChange={({ target }) => set({ expiry: target.value })}
      />
      {form.expiry === 'day' && (
        <Input
          label="Expiration date"
          type="date"
          required
          min={dayAfter(0)}
          value={form.day}
          error={
            problems.expires_at ?? (isSubmitted && isDayWrong ? 'Choose today or a later date.' : undefined)
          }
          onChange={({ target }) => set({ day: target.value })}
        />
      )}
      <Input
        label="Rate limit"
        hint="Requests per interval, e.g. 600/1m. Leave empty for no per-key limit."
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
    title={`${created.name} created`}
    description={`${scopeLabels[created.scope]}, ${created.expires_at ? `expires ${exactTime(created.expires_at)}` : 'never expires'}.`}
    label="Key"
    secret={created.key}
    explanation="Store it like a password. If you lose it, create another key and revoke this one."
    onClose={onClose}
  >
    <CodeBlock
      label="Terminal example"
      text={`curl -s "${location.origin}/v1/contacts?limit=1" \\\n  -H "Authorization: Bearer ${created.key}"`}
    />
  </SecretDialog>
);
