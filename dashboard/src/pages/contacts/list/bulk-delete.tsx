import { type ReactNode, useRef, useState } from 'react';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import { countText, numberText } from '../../../app/format.ts';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { toast } from '../../../ui/toast.tsx';
import { type Step, useWork } from './bulk-job.ts';
import { WorkButtons, WorkState } from './bulk-progress.tsx';
import { type Chosen, countOf } from './selection.ts';

/** Above this number, which is more than one page, the user must type a word to confirm. */
const MANY = 50;

/** Asks for confirmation and then deletes the contacts in batches. */
export const DeleteMany = ({
  chosen,
  onClose,
}: {
  readonly chosen: Chosen;
  /** Called with whether the selection can be cleared. */
  readonly onClose: (isDone: boolean) => void;
}) => {
  const [isConfirmed, setConfirmed] = useState(false);
  const confirmed = useRef(false);
  const work = useWork(chosen);
  const deleted = useRef(0);
  const count = countOf(chosen);
  const people = countText(count, 'contact');

  const step: Step = async (ids) => {
    const { data } = await call('POST', '/contacts/selection/delete', { body: { ids } });
    deleted.current += data.deleted;
    return data.deleted + data.missing;
  };
  const run = async () => {
    confirmed.current = true;
    setConfirmed(true);
    const isDone = await work.run(step);
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
          <>{whomOf(chosen)} permanently deleted, along with their tags, notes and CRM IDs.</>,
          'Their campaign enrollments are removed.',
          'Their calls and messages are kept without the name and number.',
          "This can't be undone. Export them first if you might need them.",
        ]}
        {...(count > MANY && { typeToConfirm: 'delete' })}
        onConfirm={() => void run()}
      />
    );
  return (
    <Dialog
      open
      onOpenChange={() => (work.phase === 'working' ? work.stop() : onClose(true))}
      title={`Deleting ${people}`}
      width="small"
      keep
      footer={<WorkButtons work={work} begin={null} onRun={() => void run()} onClose={() => onClose(true)} />}
    >
      <WorkState work={work} label="Deleting" />
    </Dialog>
  );
};

const Quoted = ({ children }: { readonly children: ReactNode }) => (
  <strong className="font-semibold wrap-anywhere">{children}</strong>
);

const whomOf = (chosen: Chosen): ReactNode => {
  if (chosen.kind === 'picked') return chosen.ids.size === 1 ? 'The contact is' : 'The selected contacts are';
  const { search, tag, company } = chosen.filter;
  const rest = chosen.except.size > 0 && `, except ${numberText(chosen.except.size)} that you deselected`;
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
