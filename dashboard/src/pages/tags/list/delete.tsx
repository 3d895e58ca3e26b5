import { startBulkJob } from '../../../app/bulk-jobs/start.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { useTagCount } from './tag-counts.ts';

/** Removes a tag from all contacts. */
export const DeleteTag = ({ tag, onClose }: { readonly tag: string; readonly onClose: () => void }) => {
  const count = useTagCount(tag);
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t('Delete tag “{tag}”?', { tag })}
      danger
      action={t('Delete tag')}
      consequences={[
        count === undefined
          ? t('The tag is removed from all contacts that have it.')
          : plural(
              count,
              'The tag is removed from # contact. The contact remains.',
              'The tag is removed from # contacts. The contacts remain.',
            ),
        t("This can't be undone."),
      ]}
      onConfirm={() => startBulkJob({ action: 'tag', selection: { filter: { tag } }, remove: [tag] })}
    />
  );
};
