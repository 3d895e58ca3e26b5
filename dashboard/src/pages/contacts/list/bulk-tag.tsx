import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { startBulkJob } from '../../../app/bulk-jobs/start.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { areTagsKnown, useMissingTags } from '../../../app/known-tags.ts';
import { TagInput } from '../../../app/tag-input.tsx';
import { plural, t } from '../../../lib/i18n.ts';
import { bulkSelectionOf, countOf, type Selection } from './selection.ts';
import { SelectionText } from './selection-text.tsx';

/** Adds and removes tags of the selected contacts. */
const BulkTag = ({
  selection,
  onClose,
}: {
  readonly selection: Selection;
  /** Called with whether the selection can be cleared. */
  readonly onClose: (isDone?: boolean) => void;
}) => {
  const [add, setAdd] = useState<string[]>([]);
  const [remove, setRemove] = useState<string[]>([]);
  const [isSubmitted, setSubmitted] = useState(false);
  const missing = useMissingTags(remove);
  const both = add.filter((tag) => remove.includes(tag));
  const isEmpty = add.length + remove.length === 0;
  // Replaces the hint, because a layout shift when the field loses focus would move the button away from the click.
  const nothing = isSubmitted && isEmpty && t('Enter a tag to add or remove.');
  const start = useMutation({
    mutationFn: async () => {
      if (!(await areTagsKnown(remove))) return false;
      await startBulkJob({ action: 'tag', selection: bulkSelectionOf(selection), add, remove });
      return true;
    },
    onSuccess: (isStarted) => isStarted && onClose(true),
  });
  const submit = () => {
    setSubmitted(true);
    if (!isEmpty && both.length === 0) start.mutate();
  };
  return (
    <FormDialog
      onClose={() => onClose(false)}
      title={plural(countOf(selection), 'Tag # contact', 'Tag # contacts')}
      dirty={!isEmpty && !start.data}
      busy={start.isPending}
      error={start.error}
      onSubmit={submit}
      action={t('Update tags')}
    >
      <SelectionText selection={selection} />
      <TagInput
        label={t('Tags to add')}
        hint={!nothing && t('Press Enter or comma to add a tag. New tags are added after existing ones.')}
        value={add}
        onChange={setAdd}
        error={nothing}
      />
      <TagInput
        label={t('Tags to remove')}
        hint={t('Only tags that contacts have.')}
        value={remove}
        onChange={setRemove}
        error={
          both.length > 0
            ? t("You can't add and remove the same tag: {tags}.", { tags: both.join(', ') })
            : missing.length > 0 &&
              t('No contact has these tags: {tags}. Remove them here, or choose tags from the list.', {
                tags: missing.join(', '),
              })
        }
      />
    </FormDialog>
  );
};

export default BulkTag;
