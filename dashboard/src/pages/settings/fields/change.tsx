import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { Field } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { toast } from '../../../ui/toast.tsx';

interface Props {
  readonly field: Field;
  readonly onClose: () => void;
}

export const restoreField = ({ key, label }: Field): Promise<void> =>
  call('PATCH', '/fields/{key}', { params: { key }, body: { archived: false } }).then(() => {
    toast.good(t('{label} restored.', { label }));
    void invalidate('/fields', '/contacts');
  }, toast.failed);

/** A field without values is deleted; any other is archived and keeps them. */
export const ArchiveField = ({ field, onClose }: Props) => {
  const { key, label } = field;
  const archive = async () => {
    const { data } = await call('DELETE', '/fields/{key}', { params: { key } });
    void invalidate('/fields', '/contacts');
    if (data.archived)
      toast.good(t('{label} archived.', { label }), {
        label: t('Undo'),
        run: () => void restoreField(field),
      });
    else toast.good(t('{label} deleted.', { label }));
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t('Archive {label}?', { label })}
      action={t('Archive field')}
      consequences={[
        t('It disappears from contacts, lists and the instructions editor.'),
        t('In drafts of instructions, {name} becomes an unknown variable.', { name: `{{${key}}}` }),
        t('Its values are kept, and you can restore it. If no contact has a value, it is deleted.'),
      ]}
      onConfirm={archive}
    />
  );
};

export const EraseField = ({ field: { key, label }, onClose }: Props) => {
  const erase = async () => {
    await call('DELETE', '/fields/{key}', { params: { key }, query: { erase: 'true' } });
    toast.good(t('The values of {label} are being erased.', { label }));
    void invalidate('/fields', '/contacts');
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t('Erase all values of {label}?', { label })}
      danger
      action={t('Erase values')}
      typeToConfirm={key}
      consequences={[
        t('The field and its values are removed from every contact.'),
        t("This can't be undone."),
      ]}
      onConfirm={erase}
    />
  );
};
