import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { CreatedIntegration } from '../../../api/types.gen.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { SecretDialog } from '../../../app/secret-dialog.tsx';
import { t } from '../../../lib/i18n.ts';
import { Input } from '../../../ui/field.tsx';
import { Endpoint } from '../endpoint.tsx';

export const CreateIntegration = ({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: (created: CreatedIntegration) => void;
}) => {
  const [name, setName] = useState('');
  const [isSubmitted, setSubmitted] = useState(false);
  const create = useMutation({
    mutationFn: () => call('POST', '/integrations', { body: { name } }),
    onSuccess: ({ data }) => {
      void invalidate('/integrations');
      onCreated(data);
    },
  });
  const problem =
    fieldErrors(create.error).name ?? (isSubmitted && name === '' ? t('Enter a name.') : undefined);
  const submit = () => {
    setSubmitted(true);
    if (name !== '') create.mutate();
  };
  return (
    <FormDialog
      title={t('Create integration')}
      width="small"
      dirty={name !== ''}
      onSubmit={submit}
      onClose={onClose}
      action={t('Create integration')}
      busy={create.isPending}
      error={create.error}
    >
      <Input
        label={t('Name')}
        hint={t('The tool that sends contacts, e.g. your CRM.')}
        required
        autoFocus
        maxLength={100}
        autoComplete="off"
        value={name}
        error={problem}
        onChange={({ target }) => setName(target.value)}
      />
    </FormDialog>
  );
};

/** Shows the secret of a new integration, once. */
export const IntegrationCreated = ({
  created: { id, name, secret },
  onClose,
}: {
  readonly created: CreatedIntegration;
  readonly onClose: () => void;
}) => (
  <SecretDialog
    title={t('{name} created', { name })}
    secret={secret}
    explanation={t(
      'Anyone who has it can create and update contacts through this integration. If you lose it, rotate it.',
    )}
    onClose={onClose}
  >
    <Endpoint id={id} secret={secret} />
  </SecretDialog>
);
