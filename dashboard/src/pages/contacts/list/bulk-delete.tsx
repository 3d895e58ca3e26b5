import { startBulkJob } from '../../../app/bulk-jobs/start.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { bulkSelectionOf, countOf, type Selection } from './selection.ts';
import { SelectionText } from './selection-text.tsx';

/** Above this number, which is more than one page, the user must type a word to confirm. */
const CONFIRM_ABOVE = 50;

/** Asks for confirmation and starts a job that deletes the contacts. */
const BulkDelete = ({
  selection,
  onClose,
}: {
  readonly selection: Selection;
  /** Called with whether the selection can be cleared. */
  readonly onClose: (isDone?: boolean) => void;
}) => {
  const count = countOf(selection);
  return (
    <ConfirmDialog
      open
      onOpenChange={() => onClose(false)}
      title={plural(count, 'Delete # contact?', 'Delete # contacts?')}
      danger
      action={plural(count, 'Delete # contact', 'Delete # contacts')}
      consequences={[
        <SelectionText key="selection" selection={selection} />,
        t('They are permanently deleted, along with their tags, notes and CRM IDs.'),
        t('Their campaign enrollments are removed.'),
        t('Their calls and messages remain, without the name and number.'),
        t("This can't be undone. Export them first if you might need them."),
      ]}
      {...(count > CONFIRM_ABOVE && { typeToConfirm: t('delete') })}
      onConfirm={async () => {
        await startBulkJob({ action: 'delete', selection: bulkSelectionOf(selection) });
        onClose(true);
      }}
    />
  );
};

export default BulkDelete;
