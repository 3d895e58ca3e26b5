import { useQuery } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import { apiQuery, invalidate } from '../../../api/query.ts';
import type { Import, ImportUndo } from '../../../api/types.gen.ts';
import { minuteTime } from '../../../lib/format.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { updateCachedImport } from '../use-import.ts';

export type ImportAction = 'apply' | 'undo' | 'delete';

const present = (list: readonly (string | false)[]): string[] =>
  list.filter((each): each is string => each !== false);

const changes: Record<Import['options']['on_existing'], string> = {
  skip: t('existing contacts are skipped'),
  fill: t('empty fields are filled'),
  overwrite: t('existing values are overwritten'),
};

const applyConsequences = ({ totals, options, columns }: Import): string[] => {
  const {
    create = 0,
    update = 0,
    unchanged = 0,
    duplicate_in_file = 0,
    invalid = 0,
    with_warnings = 0,
  } = totals;
  const created = columns.flatMap(({ creates }) => (creates ? [creates.label ?? creates.key] : []));
  return present([
    create > 0 && plural(create, '# contact will be created.', '# contacts will be created.'),
    update > 0 &&
      plural(update, '# contact will be updated: {rule}.', '# contacts will be updated: {rule}.', {
        rule: changes[options.on_existing],
      }),
    unchanged > 0 && plural(unchanged, "# contact won't change.", "# contacts won't change."),
    invalid > 0 && plural(invalid, '# invalid row will be skipped.', '# invalid rows will be skipped.'),
    duplicate_in_file > 0 &&
      (options.on_duplicate === 'fill'
        ? plural(
            duplicate_in_file,
            '# row will be merged into another row with the same number.',
            '# rows will be merged into other rows with the same number.',
          )
        : plural(duplicate_in_file, '# duplicate row will be skipped.', '# duplicate rows will be skipped.')),
    with_warnings > 0 &&
      plural(
        with_warnings,
        '# row will be imported without the invalid cells.',
        '# rows will be imported without the invalid cells.',
      ),
    options.campaign_id !== null &&
      plural(
        create + update + unchanged,
        '# contact will be enrolled in the campaign, unless it already is.',
        '# contacts will be enrolled in the campaign, unless they already are.',
      ),
    created.length > 0 &&
      t('These fields will be created: {names}. An undo does not remove them.', {
        names: created.join(', '),
      }),
    t('Each row is checked again when it is applied.'),
    t('You can undo for 30 days.'),
  ]);
};

const undoConsequences = (
  { undo_until }: Import,
  preview: ImportUndo | undefined,
  hasFailed: boolean,
): string[] => {
  if (hasFailed)
    return [t('Contacts changed, claimed or deleted since the import will be skipped and listed.')];
  if (!preview) return [t('Checking which contacts were changed since the import…')];
  const { removed, restored, edited_by_you, edited_by_others, claimed, deleted, unenrolled, still_enrolled } =
    preview;
  return present([
    removed > 0 &&
      plural(
        removed,
        '# contact created by this import will be deleted, with notes, tags and enrollments. Calls remain, without the contact.',
        '# contacts created by this import will be deleted, with notes, tags and enrollments. Calls remain, without the contact.',
      ),
    restored > 0 &&
      plural(
        restored,
        '# updated contact will get its previous values back.',
        '# updated contacts will get their previous values back.',
      ),
    edited_by_you > 0 &&
      plural(
        edited_by_you,
        '# contact will be skipped, because you changed it after the import.',
        '# contacts will be skipped, because you changed them after the import.',
      ),
    edited_by_others > 0 &&
      plural(
        edited_by_others,
        '# contact will be skipped, because someone else changed it after the import.',
        '# contacts will be skipped, because someone else changed them after the import.',
      ),
    claimed > 0 &&
      plural(
        claimed,
        '# contact created by this import will stay, because someone has already worked on its enrollment.',
        '# contacts created by this import will stay, because someone has already worked on their enrollments.',
      ),
    deleted > 0 &&
      plural(
        deleted,
        '# contact was already deleted after the import.',
        '# contacts were already deleted after the import.',
      ),
    unenrolled > 0 &&
      plural(
        unenrolled,
        '# enrollment of this import will be removed from the campaign.',
        '# enrollments of this import will be removed from the campaign.',
      ),
    still_enrolled > 0 &&
      plural(
        still_enrolled,
        '# enrollment will stay, because someone has already worked on it.',
        '# enrollments will stay, because someone has already worked on them.',
      ),
    t("An undone import can't be applied again, but you can import the file again."),
    undo_until !== null && t('You can undo until {time}.', { time: minuteTime(undo_until) }),
  ]);
};

const deleteConsequences = ({ state }: Import): string[] =>
  state === 'planned'
    ? [t('The preview and the uploaded file will be deleted.'), t('No contacts change.')]
    : present([
        t('The record of this import, its rows and its report will be deleted.'),
        t('Contacts remain as they are now.'),
        state === 'applied' && t('It can no longer be undone.'),
      ]);

const actions = {
  apply: {
    title: (name: string) => t('Apply “{name}”?', { name }),
    label: t('Apply import'),
    danger: false,
    consequences: applyConsequences,
  },
  undo: {
    title: (name: string) => t('Undo “{name}”?', { name }),
    label: t('Undo import'),
    danger: true,
    consequences: undoConsequences,
  },
  delete: {
    title: (name: string) => t('Delete “{name}”?', { name }),
    label: t('Delete import'),
    danger: true,
    consequences: deleteConsequences,
  },
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
  const isUndo = action === 'undo';
  const query = apiQuery('/imports/{id}/undo', { params });
  const preview = useQuery({ ...query, enabled: isUndo, staleTime: 0, gcTime: 0 });
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
      title={<span className="wrap-anywhere">{title(data.name)}</span>}
      consequences={consequences(data, preview.data?.data, preview.isError)}
      action={label}
      danger={danger}
      onConfirm={run}
    />
  );
};
