import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { Import } from '../../../api/types.gen.ts';
import { countText, exactTime, numberText } from '../../../lib/format.ts';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { updateCachedImport } from '../use-import.ts';

export type ImportAction = 'apply' | 'undo' | 'delete';

const present = (list: readonly (string | false)[]): string[] =>
  list.filter((each): each is string => each !== false);

const changes: Record<Import['options']['on_existing'], string> = {
  skip: 'existing contacts are skipped',
  fill: 'empty fields are filled',
  overwrite: 'existing values are overwritten',
};

const applyConsequences = ({ totals, options }: Import): string[] => {
  const {
    create = 0,
    update = 0,
    unchanged = 0,
    duplicate_in_file = 0,
    invalid = 0,
    with_warnings = 0,
  } = totals;
  const out = duplicate_in_file + invalid;
  return present([
    create > 0 && `${countText(create, 'contact')} will be created.`,
    update > 0 && `${countText(update, 'contact')} will be updated: ${changes[options.on_existing]}.`,
    unchanged > 0 && `${countText(unchanged, 'contact')} won't change.`,
    out > 0 &&
      `${countText(out, 'row')} will be skipped: ${numberText(invalid)} invalid, ${numberText(duplicate_in_file)} duplicate.`,
    with_warnings > 0 && `${countText(with_warnings, 'row')} will be imported without the invalid cells.`,
    'Each row is checked again when it is applied.',
    'You can undo for 30 days.',
  ]);
};

const undoConsequences = ({ totals: { created = 0, updated = 0 }, undo_until }: Import): string[] =>
  present([
    created > 0 &&
      `${countText(created, 'contact')} created by this import will be deleted, with notes, tags and enrollments. Calls are kept without the contact.`,
    updated > 0 &&
      `${countText(updated, 'updated contact')} will get ${updated === 1 ? 'its' : 'their'} previous values back.`,
    'Contacts changed or deleted since the import will be skipped and listed.',
    "An undone import can't be applied again, but you can import the file again.",
    undo_until !== null && `You can undo until ${exactTime(undo_until)}.`,
  ]);

const deleteConsequences = ({ state }: Import): string[] =>
  state === 'planned'
    ? ['The preview and the uploaded file will be deleted.', 'No contacts change.']
    : present([
        'The record of this import, its rows and its report will be deleted.',
        'Contacts are kept as they are now.',
        state === 'applied' && 'It can no longer be undone.',
      ]);

const actions = {
  apply: { title: 'Apply', label: 'Apply import', danger: false, consequences: applyConsequences },
  undo: { title: 'Undo', label: 'Undo import', danger: true, consequences: undoConsequences },
  delete: { title: 'Delete', label: 'Delete import', danger: true, consequences: deleteConsequences },
} as const;

/** Summarizes what an action will do, and runs it. */
export const ConfirmAction = ({
  data,
  action,
  onClose,
  onStarted,
  onDeleted,
}: {
  readonly data: Import;
  readonly action: ImportAction;
  readonly onClose: () => void;
  /** The row filters change once the import has started. */
  readonly onStarted: () => void;
  readonly onDeleted: () => void;
}) => {
  const { title, label, danger, consequences } = actions[action];
  const params = { id: data.id };
  const run = async () => {
    if (action === 'delete') {
      await call('DELETE', '/imports/{id}', { params });
      return onDeleted();
    }
    const answer =
      action === 'apply'
        ? await call('POST', '/imports/{id}/apply', { params })
        : await call('POST', '/imports/{id}/undo', { params });
    updateCachedImport(data.id, answer.data);
    onStarted();
    void invalidate('/imports');
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={<span className="wrap-anywhere">{`${title} “${data.name}”?`}</span>}
      consequences={consequences(data)}
      action={label}
      danger={danger}
      onConfirm={run}
    />
  );
};
