import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage, fieldErrors } from '../../api/api-error.ts';
import { t } from '../../lib/i18n.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Input } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { FormDialog } from '../form-dialog.tsx';
import type { SavedView, ViewSource } from './source.ts';

type Props = { readonly source: ViewSource; readonly onClose: () => void } & (
  | { readonly view: SavedView; readonly query?: never }
  | { readonly query: string; readonly onSaved: (view: SavedView) => void; readonly view?: never }
);

/** Saves the current filters, order and columns under a name, or renames a view. */
const SaveView = (props: Props) => {
  const { source, view, onClose } = props;
  const [name, setName] = useState(view?.name ?? '');
  const [shared, setShared] = useState(false);
  const save = useMutation({
    mutationFn: () =>
      props.view
        ? source.update(props.view.id, { name })
        : source.create({ query: props.query, name, shared }),
    onSuccess: (saved) => {
      onClose();
      if (!props.view) props.onSaved(saved);
    },
  });
  const problems = fieldErrors(save.error);
  return (
    <FormDialog
      title={view ? source.texts.rename : source.texts.saveAs}
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
      {props.query !== undefined && source.describe?.(props.query)}
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
