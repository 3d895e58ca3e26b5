import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { BlockedContact } from '../../../api/types.gen.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { countText } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { TagInput } from '../../../ui/tag-input.tsx';
import { toast } from '../../../ui/toast.tsx';
import { useKnownTags } from '../known-tags.ts';
import { type ProcessBatch, useBulkJob } from './bulk-job.ts';
import { BulkButtons, BulkProgress } from './bulk-progress.tsx';
import { countOf, type Selection } from './selection.ts';

const MAX_NAMED = 10;

/** Adds and removes tags of the selected contacts. */
export const BulkTag = ({
  selection,
  onClose,
}: {
  readonly selection: Selection;
  /** Called with whether the selection can be cleared. */
  readonly onClose: (isDone: boolean) => void;
}) => {
  const [add, setAdd] = useState<string[]>([]);
  const [remove, setRemove] = useState<string[]>([]);
  const [isSubmitted, setSubmitted] = useState(false);
  const job = useBulkJob(selection);
  const sum = useRef({ changed: 0, blocked: [] as BlockedContact[] });
  const known = useKnownTags([...add, ...remove]);
  const both = add.filter((tag) => remove.includes(tag));
  const isEmpty = add.length + remove.length === 0;
  // Replaces the hint, because a layout shift when the field loses focus would move the button away from the click.
  const missing = isSubmitted && isEmpty && 'Enter a tag to add or remove.';
  const isIdle = job.phase === 'idle';
  const leaves = selection.kind === 'all' && remove.includes(selection.filter.tag ?? '');

  const processBatch: ProcessBatch = async (ids) => {
    const { data } = await call('POST', '/contacts/selection/tags', { body: { ids, add, remove } });
    sum.current.changed += data.changed;
    sum.current.blocked.push(...data.blocked);
    return leaves ? ids.length - data.blocked.length : 0;
  };
  const run = async () => {
    const isDone = await job.run(processBatch);
    void invalidate('/contacts', '/tags');
    if (!isDone || sum.current.blocked.length > 0) return;
    toast.good(`Tags updated for ${countText(sum.current.changed, 'contact')}.`);
    onClose(true);
  };
  const submit = () => {
    setSubmitted(true);
    if (isIdle && !isEmpty && both.length === 0) void run();
  };
  const close = () => (job.phase === 'running' ? job.stop() : onClose(!isIdle));
  return (
    <FormDialog
      onClose={close}
      title={`Tag ${countText(countOf(selection), 'contact')}`}
      dirty={isIdle && !isEmpty}
      preventDismiss={!isIdle}
      onSubmit={submit}
      footer={
        <BulkButtons
          job={job}
          onRun={() => void run()}
          onClose={close}
          begin={
            <Button type="submit" variant="primary">
              Update tags
            </Button>
          }
        />
      }
    >
      <div className="flex flex-col gap-4">
        {isIdle && (
          <>
            <TagInput
              label="Tags to add"
              hint={!missing && 'Press Enter or comma to add a tag. New tags are added after existing ones.'}
              suggestions={known}
              value={add}
              onChange={setAdd}
              error={missing}
            />
            <TagInput
              label="Tags to remove"
              suggestions={known}
              value={remove}
              onChange={setRemove}
              error={both.length > 0 && `You can't add and remove the same tag: ${both.join(', ')}.`}
            />
          </>
        )}
        <BulkProgress job={job} label="Updating tags" />
        {job.phase === 'finished' && <Blocked {...sum.current} />}
      </div>
    </FormDialog>
  );
};

const Blocked = ({
  changed,
  blocked,
}: {
  readonly changed: number;
  readonly blocked: readonly BlockedContact[];
}) => (
  <Notice tone="warn">
    <p>
      {countText(changed, 'contact')} updated. {countText(blocked.length, 'contact')} couldn't be updated:
    </p>
    <ul className="mt-1 list-disc pl-5">
      {blocked.slice(0, MAX_NAMED).map(({ id, reason }) => (
        <li key={id}>
          <Link to="/contacts/$id" params={{ id }} className="underline">
            Open contact
          </Link>
          . {reason}
        </li>
      ))}
      {blocked.length > MAX_NAMED && <li>and {blocked.length - MAX_NAMED} more</li>}
    </ul>
  </Notice>
);
