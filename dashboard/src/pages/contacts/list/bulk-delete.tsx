import { type ReactNode, useRef, useState } from 'react';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import { countText, numberText } from '../../../lib/format.ts';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { toast } from '../../../ui/toast.tsx';
import { type ProcessBatch, useBulkJob } from './bulk-job.ts';
import { BulkButtons, BulkProgress } from './bulk-progress.tsx';
import { countOf, type Selection } from './selection.ts';

/** Above this number, which is more than one page, the user must type a word to confirm. */
const CONFIRM_ABOVE = 50;

/** Asks for confirmation and then deletes the contacts in batches. */
export const BulkDelete = ({
  selection,
  onClose,
}: {
  readonly selection: Selection;
  /** Called with whether the selection can be cleared. */
  readonly onClose: (isDone: boolean) => void;
}) => {
  const [isConfirmed, setConfirmed] = useState(false);
  const confirmed = useRef(false);
  const job = useBulkJob(selection);
  const deleted = useRef(0);
  const count = countOf(selection);
  const people = countText(count, 'contact');

  const processBatch: ProcessBatch = async (ids) => {
    const { data } = await call('POST', '/contacts/selection/delete', { body: { ids } });
    deleted.current += data.deleted;
    return data.deleted + data.missing;
  };
  const run = async () => {
    confirmed.current = true;
    setConfirmed(true);
    const isDone = await job.run(processBatch);
    void invalidate('/contacts', '/tags', '/figures', '/calls', '/campaigns');
    if (!isDone) return;
    toast.good(`${countText(deleted.current, 'contact')} deleted.`);
    onClose(true);
  };
  if (!isConfirmed)
    return (
      <ConfirmDialog
        open
        onOpenChange={() => !confirmed.current && onClose(false)}
        title={`Delete ${people}?`}
        danger
        action={`Delete ${people}`}
        consequences={[
          <>{selectionText(selection)} permanently deleted, along with their tags, notes and CRM IDs.</>,
          'Their campaign enrollments are removed.',
          'Their calls and messages are kept without the name and number.',
          "This can't be undone. Export them first if you might need them.",
        ]}
        {...(count > CONFIRM_ABOVE && { typeToConfirm: 'delete' })}
        onConfirm={() => void run()}
      />
    );
  return (
    <Dialog
      open
      onOpenChange={() => (job.phase === 'running' ? job.stop() : onClose(true))}
      title={`Deleting ${people}`}
      width="small"
      preventDismiss
      footer={<BulkButtons job={job} begin={null} onRun={() => void run()} onClose={() => onClose(true)} />}
    >
      <BulkProgress job={job} label="Deleting" />
    </Dialog>
  );
};

const Quoted = ({ children }: { readonly children: ReactNode }) => (
  <strong className="font-semibold wrap-anywhere">{children}</strong>
);

const selectionText = (selection: Selection): ReactNode => {
  if (selection.kind === 'picked')
    return selection.ids.size === 1 ? 'The contact is' : 'The selected contacts are';
  const { search, tag, company } = selection.filter;
  const rest =
    selection.except.size > 0 && `, except ${numberText(selection.except.size)} that you deselected`;
  if (!search && !tag && !company) return <>All contacts in the workspace{rest} are</>;
  return (
    <>
      All contacts{search && ' matching '}
      {search && <Quoted>{search}</Quoted>}
      {tag && ' with the tag '}
      {tag && <Quoted>{tag}</Quoted>}
      {company && ' at the company '}
      {company && <Quoted>{company}</Quoted>}
      {rest}, including those on other pages, are
    </>
  );
};
