import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { t } from '../../../lib/i18n.ts';
import { Input } from '../../../ui/field.tsx';
import { toast } from '../../../ui/toast.tsx';

export const RenameIntegration = ({
  id,
  saved,
  onClose,
}: {
  readonly id: string;
  readonly saved: string;
  readonly onClose: () => void;
}) => {
  const [name, setName] = useState(saved);
  const [isSubmitted, setSubmitted] = useState(false);
  const save = useMutation({
    mutationFn: () => call('PATCH', '/integrations/{id}', { params: { id }, body: { name } }),
    onSuccess: () => {
      void invalidate('/integrations');
      toast.good(t('Renamed to {name}.', { name }));
      onClose();
    },
  });
  const isBlank = name.trim() === '';
  const submit = () => {
    setSubmitted(true);
    if (!isBlank) save.mutate();
  };
  return (
    <FormDialog
      title={t('Rename integration')}
      width="small"
      dirty={name !== saved}
      onSubmit={submit}
      onClose={onClose}
      action={t('Rename')}
      busy={save.isPending}
      error={save.error}
    >
      <Input
        label={t('Name')}
        required
        autoFocus
        maxLength={100}
        autoComplete="off"
        value={name}
        error={fieldErrors(save.error).name ?? (isSubmitted && isBlank ? t('Enter a name.') : undefined)}
        onChange={({ target }) => setName(target.value)}
      />
    </FormDialog>
  );
};
