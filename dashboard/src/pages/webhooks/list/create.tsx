import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { CreatedWebhook } from '../../../api/types.gen.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { SecretDialog } from '../../../app/secret-dialog.tsx';
import { t } from '../../../lib/i18n.ts';
import { WebhookFields } from '../fields.tsx';
import { blankForm, bodyOf, isSameForm, missingFields, type WebhookForm } from '../form.ts';
import { VerifySignature } from '../verify-signature.tsx';

const CreateWebhook = ({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: (created: CreatedWebhook) => void;
}) => {
  const [form, setForm] = useState(blankForm);
  const [isSubmitted, setSubmitted] = useState(false);
  const create = useMutation({
    mutationFn: () => call('POST', '/webhooks', { body: bodyOf(form) }),
    onSuccess: ({ data }) => {
      void invalidate('/webhooks');
      onCreated(data);
    },
  });
  const missing = missingFields(form);
  const submit = () => {
    setSubmitted(true);
    if (Object.keys(missing).length === 0) create.mutate();
  };
  return (
    <FormDialog
      title={t('Add endpoint')}
      description={t('Events from now on are sent to it.')}
      dirty={!isSameForm(form, blankForm)}
      onSubmit={submit}
      onClose={onClose}
      action={t('Add endpoint')}
      busy={create.isPending}
      error={create.error}
    >
      <WebhookFields
        form={form}
        problems={{ ...fieldErrors(create.error), ...(isSubmitted && missing) }}
        onChange={(change: Partial<WebhookForm>) => setForm((now) => ({ ...now, ...change }))}
      />
    </FormDialog>
  );
};

/** Shows the secret of a new endpoint, once. */
export const WebhookCreated = ({
  created,
  onClose,
}: {
  readonly created: CreatedWebhook;
  readonly onClose: () => void;
}) => (
  <SecretDialog
    title={t('Endpoint added')}
    description={created.url}
    secret={created.secret}
    explanation={t(
      'It signs every event, so that your system can verify that a request comes from Roster. If you lose it, rotate it.',
    )}
    onClose={onClose}
  >
    <VerifySignature />
  </SecretDialog>
);

export default CreateWebhook;
