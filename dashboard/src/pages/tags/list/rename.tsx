import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../../../api/api-error.ts';
import { startBulkJob } from '../../../app/bulk-jobs/start.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { plural, t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { Input } from '../../../ui/field.tsx';
import { MergeNotice } from './merge-notice.tsx';
import { useTagCount, useTagsLike } from './tag-counts.ts';

const MAX_LENGTH = 64;

const folded = (tag: string): string => tag.normalize('NFKC').toLowerCase();

/** Renames a tag on all contacts. If the new name exists, the two tags are merged, which has to be confirmed. */
export const RenameTag = ({ tag, onClose }: { readonly tag: string; readonly onClose: () => void }) => {
  const [name, setName] = useState(tag);
  const [isSubmitted, setSubmitted] = useState(false);
  const to = name.trim();
  const count = useTagCount(tag);
  const others = useTagsLike(to)?.filter((each) => each.tag !== tag);
  const existing = others?.find((each) => each.tag === to);
  const similar = others?.find((each) => each.tag !== to && folded(each.tag) === folded(to));
  const problem =
    to === ''
      ? t('Enter a name.')
      : to === tag
        ? t('Enter a name that differs from the old one.')
        : undefined;
  const start = useMutation({
    mutationFn: () => startBulkJob({ action: 'rename_tag', tag, to }),
    onSuccess: onClose,
  });
  return (
    <FormDialog
      onClose={onClose}
      title={t('Rename tag “{tag}”', { tag })}
      width="small"
      dirty={to !== tag && !start.isSuccess}
      busy={start.isPending}
      error={start.error}
      // Whether the name exists decides what the button does.
      disabled={others === undefined}
      onSubmit={() => {
        setSubmitted(true);
        if (!problem && others) start.mutate();
      }}
      action={existing ? t('Merge tags') : t('Rename')}
    >
      <Input
        label={t('New name')}
        required
        maxLength={MAX_LENGTH}
        dir="auto"
        value={name}
        error={(isSubmitted && problem) || fieldErrors(start.error).to}
        onChange={({ target }) => setName(target.value)}
      />
      <div aria-live="polite" className="flex flex-col gap-3 text-sm">
        {existing && count !== undefined ? (
          <MergeNotice tag={tag} count={count} into={existing} />
        ) : (
          count !== undefined && (
            <p>{plural(count, '# contact has this tag.', '# contacts have this tag.')}</p>
          )
        )}
        {similar && !existing && (
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-warn-ink">
            <span className="min-w-0 wrap-anywhere">
              {plural(
                similar.count,
                'The tag “{tag}” differs only in case and is on # contact.',
                'The tag “{tag}” differs only in case and is on # contacts.',
                { tag: similar.tag },
              )}
            </span>
            <Button size="small" onClick={() => setName(similar.tag)}>
              {t('Merge with “{tag}”', { tag: similar.tag })}
            </Button>
          </p>
        )}
      </div>
    </FormDialog>
  );
};
