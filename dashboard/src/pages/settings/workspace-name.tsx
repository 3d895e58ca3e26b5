import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage, fieldErrors, isApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { invalidate } from '../../api/query.ts';
import { UnsavedGuard } from '../../app/unsaved-guard.tsx';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Input } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.tsx';

/** Renames the workspace. */
export const WorkspaceName = ({ saved }: { readonly saved: string }) => {
  const [name, setName] = useState(saved);
  const [isSubmitted, setSubmitted] = useState(false);
  const isBlank = name.trim() === '';
  const save = useMutation({
    mutationFn: () => call('PATCH', '/settings/name', { body: { name } }),
    onSuccess: () => {
      void invalidate('/settings', '/session');
      toast.good(t('Workspace renamed to {name}.', { name }));
    },
  });
  const taken = isApiError(save.error, 'CONFLICT')
    ? t('This name is not available. Choose another one.')
    : undefined;
  const problem =
    fieldErrors(save.error).name ?? taken ?? (isSubmitted && isBlank ? t('Enter a name.') : undefined);
  const submit = () => {
    setSubmitted(true);
    if (!isBlank) save.mutate();
  };
  return (
    <Form className="flex max-w-md flex-col gap-4" onSubmit={submit}>
      <Input
        label={t('Name')}
        hint={t('People in several workspaces sign in with this name.')}
        required
        maxLength={100}
        autoComplete="off"
        value={name}
        error={problem}
        onChange={({ target }) => setName(target.value)}
      />
      {save.isError && !problem && <Notice tone="danger">{errorMessage(save.error)}</Notice>}
      <div>
        <Button type="submit" variant="primary" disabled={name === saved} busy={save.isPending}>
          {t('Rename')}
        </Button>
      </div>
      <UnsavedGuard when={name !== saved && !save.isSuccess} />
    </Form>
  );
};
