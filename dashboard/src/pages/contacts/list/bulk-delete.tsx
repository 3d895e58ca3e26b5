import { useMutation, useQueries, useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { apiQuery } from '../../../api/query.ts';
import type { Contact } from '../../../api/types.gen.ts';
import { exportSelection, startBulkJob } from '../../../app/bulk-jobs/start.ts';
import { deleteLater } from '../../../app/delayed-deletion.ts';
import { contactName } from '../../../lib/format.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { toast } from '../../../ui/toast.tsx';
import { filterKey, filterQuery } from './query.ts';
import { bulkSelectionOf, countOf, type Selection } from './selection.ts';
import { SelectionText } from './selection-text.tsx';

/** Above this number, which is more than one page, the user must type a word to confirm. */
const CONFIRM_ABOVE = 50;

const MAX_NAMED = 5;

/** The first contacts of a selection; undefined while they are loaded. */
const useFirstContacts = (selection: Selection): readonly Contact[] | undefined => {
  const ids = selection.kind === 'picked' ? [...selection.ids].slice(0, MAX_NAMED) : [];
  const picked = useQueries({ queries: ids.map((id) => apiQuery('/contacts/{id}', { params: { id } })) });
  const isAll = selection.kind === 'all';
  const query = { ...filterQuery(isAll ? selection.filter : {}), limit: 50 } as const;
  const listed = useQuery({ ...apiQuery('/contacts', { query }), enabled: isAll }).data?.data;
  if (isAll)
    return listed
      ?.filter(({ id, created_at }) => created_at <= selection.newest && !selection.except.has(id))
      .slice(0, MAX_NAMED);
  if (picked.some(({ isPending }) => isPending)) return undefined;
  return picked.flatMap(({ data }) => (data ? [data.data] : []));
};

const Names = ({ selection }: { readonly selection: Selection }) => {
  const contacts = useFirstContacts(selection);
  const more = countOf(selection) - (contacts?.length ?? 0);
  return (
    <p className="min-h-10 wrap-anywhere" aria-live="polite">
      {contacts?.map((contact, at) => (
        <span key={contact.id}>
          {at > 0 && ', '}
          <bdi className="font-medium">{contactName(contact)}</bdi>
        </span>
      ))}
      {contacts && more > 0 && ` ${plural(more, 'and # more', 'and # more')}`}
    </p>
  );
};

const deletes = (selection: Selection) => {
  if (selection.kind === 'picked')
    return { deletes: ({ id }: { readonly id: string }) => selection.ids.has(id) };
  const { newest, except } = selection;
  const key = filterKey(selection.filter);
  return {
    deletes: (contact: { readonly id: string; readonly created_at: string }, filter: string) =>
      filter === key && contact.created_at <= newest && !except.has(contact.id),
    countIn: (filter: string) => (filter === key ? countOf(selection) : undefined),
  };
};

/** Asks for confirmation, and then starts a job that deletes the contacts unless the user undoes it. */
const BulkDelete = ({
  selection,
  onClose,
}: {
  readonly selection: Selection;
  /** Called with whether the selection can be cleared. */
  readonly onClose: (isDone?: boolean) => void;
}) => {
  const count = countOf(selection);
  const download = useMutation({
    mutationFn: () => exportSelection(bulkSelectionOf(selection)),
    onError: (error) => toast.failed(error),
  });
  const remove = () => {
    const selected = bulkSelectionOf(selection);
    deleteLater({
      text: plural(count, '# contact deleted.', '# contacts deleted.'),
      ...deletes(selection),
      size: JSON.stringify(selected).length,
      send: (onEnd, keepalive) =>
        startBulkJob({ action: 'delete', selection: selected }, { onEnd }, { keepalive }),
    });
    onClose(true);
  };
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
        t('You can undo it for ten seconds, while you stay on this page.'),
      ]}
      {...(count > CONFIRM_ABOVE && { typeToConfirm: t('delete') })}
      onConfirm={remove}
    >
      <Names selection={selection} />
      <Button className="self-start" busy={download.isPending} onClick={() => download.mutate()}>
        <Download aria-hidden />
        {t('Export them first')}
      </Button>
    </ConfirmDialog>
  );
};

export default BulkDelete;
