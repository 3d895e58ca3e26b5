import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage, fieldErrors } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { CreatedIntegration } from '../../../api/types.gen.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { Secret } from '../../../app/secret.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogClose } from '../../../ui/dialog.tsx';
import { Input } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
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
    fieldErrors(create.error).name ?? (isSubmitted && name === '' ? 'Enter a name.' : undefined);
  const submit = () => {
    setSubmitted(true);
    if (name !== '') create.mutate();
  };
  return (
    <FormDialog
      open
      onOpenChange={onClose}
      title="Create integration"
      width="small"
      dirty={name !== ''}
      onSubmit={submit}
      footer={
        <>
          <DialogClose>Cancel</DialogClose>
          <Button type="submit" variant="primary" busy={create.isPending}>
            Create integration
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Input
          label="Name"
          hint="The tool that sends contacts, e.g. your CRM."
          required
          autoFocus
          maxLength={100}
          autoComplete="off"
          value={name}
          error={problem}
          onChange={({ target }) => setName(target.value)}
        />
        {create.isError && !problem && <Notice tone="danger">{errorMessage(create.error)}</Notice>}
      </div>
    </FormDialog>
  );
};

/** Shows the secret of a new integration, once. */
export const SecretOnce = ({
  created: { id, name, secret },
  onClose,
}: {
  readonly created: CreatedIntegration;
  readonly onClose: () => void;
}) => (
  <Dialog
    open
    onOpenChange={onClose}
    title={`${name} created`}
    preventDismiss
    footer={
      <Button variant="primary" onClick={onClose}>
        I've saved the secret
      </Button>
    }
  >
    <div className="flex flex-col gap-4">
      <Secret label="Secret" text={secret}>
        Copy this secret now. You won't be able to see it again. Anyone who has it can create and update
        contacts through this integration. If you lose it, rotate it.
      </Secret>
      <Endpoint id={id} secret={secret} />
    </div>
  </Dialog>
);
