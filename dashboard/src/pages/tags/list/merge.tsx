import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { startBulkJob } from '../../../app/bulk-jobs/start.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { numberText, t } from '../../../lib/i18n.ts';
import { OptionList } from '../../../ui/option-list.tsx';
import { MergeNotice } from './merge-notice.tsx';
import { useTagCount, useTagSearch } from './tag-counts.ts';

/** Replaces a tag by another one that exists. */
export const MergeTag = ({ tag, onClose }: { readonly tag: string; readonly onClose: () => void }) => {
  const [typed, setTyped] = useState('');
  const [to, setTo] = useState<string>();
  const [isSubmitted, setSubmitted] = useState(false);
  const count = useTagCount(tag);
  const found = useTagSearch(typed.trim())?.filter((each) => each.tag !== tag);
  const target = found?.find((each) => each.tag === to);
  const start = useMutation({
    mutationFn: (name: string) => startBulkJob({ action: 'rename_tag', tag, to: name }),
    onSuccess: onClose,
  });
  return (
    <FormDialog
      onClose={onClose}
      title={t('Merge tag “{tag}”', { tag })}
      width="small"
      dirty={to !== undefined && !start.isSuccess}
      busy={start.isPending}
      error={start.error}
      onSubmit={() => {
        setSubmitted(true);
        if (to !== undefined) start.mutate(to);
      }}
      action={t('Merge tags')}
    >
      <div>
        <OptionList
          label={t('Tag to keep')}
          placeholder={t('Type to search')}
          typed={typed}
          onTyped={setTyped}
          options={(found ?? []).map((each) => ({
            value: each.tag,
            label: each.tag,
            detail: numberText(each.count),
          }))}
          selected={new Set(to === undefined ? [] : [to])}
          onChoose={setTo}
          isLoading={found === undefined}
        />
      </div>
      <div aria-live="polite" className="text-sm">
        {target && count !== undefined && <MergeNotice tag={tag} count={count} into={target} />}
        {isSubmitted && to === undefined && <p className="text-danger-ink">{t('Choose the tag to keep.')}</p>}
      </div>
    </FormDialog>
  );
};
