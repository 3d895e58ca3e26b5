import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage, fieldErrors } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { invalidate } from '../../api/query.ts';
import type { View } from '../../api/types.gen.ts';
import { t } from '../../lib/i18n.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Input } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { FormDialog } from '../form-dialog.tsx';

type Props = { readonly onClose: () => void } & (
  | { readonly view: View; readonly list?: never }
  | {
      readonly list: View['list'];
      readonly query: string;
      readonly onSaved: (view: View) => void;
      readonly view?: never;
    }
);

/** Saves the current filters, order and columns under a name, or renames a view. */
const SaveView = (props: Props) => {
  const { view, onClose } = props;
  const [name, setName] = useState(view?.name ?? '');
  const [shared, setShared] = useState(false);
  const save = useMutation({
    mutationFn: () =>
      props.view
        ? call('PATCH', '/views/{id}', { params: { id: props.view.id }, body: { name } })
        : call('POST', '/views', { body: { list: props.list, query: props.query, name, shared } }),
    onSuccess: async ({ data }) => {
      await invalidate('/views');
      onClose();
      if (!props.view) props.onSaved(data);
    },
  });
  const problems = fieldErrors(save.error);
  return (
    <FormDialog
      title={view ? t('Rename view') : t('Save as new view')}
      action={t('Save')}
      dirty={name !== (view?.name ?? '')}
      busy={save.isPending}
      onSubmit={() => name.trim() && save.mutate()}
      onClose={onClose}
    >
      <Input
        label={t('Name')}
        required
        autoFocus
        maxLength={100}
        value={name}
        error={problems.name}
        onChange={({ target }) => setName(target.value)}
      />
      {!view && (
        <Checkbox
          label={t('Share with the workspace')}
          hint={t('All members see it, and you can send them its address.')}
          checked={shared}
          onChange={setShared}
        />
      )}
      {save.isError && Object.keys(problems).length === 0 && (
        <Notice tone="danger">{errorMessage(save.error)}</Notice>
      )}
    </FormDialog>
  );
};

export default SaveView;
