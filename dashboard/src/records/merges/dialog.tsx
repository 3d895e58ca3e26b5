import { useState } from 'react';
import type { Merge } from '../../api/types.gen.ts';
import { ContactPicker } from '../../app/contact-picker.tsx';
import { FormDialog } from '../../app/form-dialog.tsx';
import { plural, t } from '../../lib/i18n.ts';
import { ComparisonTable } from './comparison.tsx';
import { MAX_MERGED } from './max-merged.ts';
import { useComparison } from './use-comparison.ts';

const none: ReadonlyMap<string, string> = new Map();

/** Merges contacts that the user has chosen. With one contact, it asks for the others. */
const MergeDialog = ({
  ids,
  onMerged,
  onClose,
}: {
  readonly ids: readonly string[];
  readonly onMerged: (merge: Merge) => void;
  readonly onClose: () => void;
}) => {
  const [all, setAll] = useState(ids);
  const comparison = useComparison(all, none, onMerged);
  const { shown, isReady, isMerging, merge } = comparison;
  return (
    <FormDialog
      title={t('Merge contacts')}
      description={t('They become one contact, with the numbers, calls and enrollments of all.')}
      width={shown.length > 1 ? 'large' : 'medium'}
      dirty={false}
      preventDismiss={isMerging}
      onSubmit={merge}
      onClose={onClose}
      action={shown.length > 1 ? plural(shown.length, 'Merge # contact', 'Merge # contacts') : t('Merge')}
      busy={isMerging}
      disabled={!isReady}
    >
      {shown.length > 1 && <ComparisonTable comparison={comparison} isOfDialog />}
      {ids.length === 1 && shown.length < MAX_MERGED && (
        <div className={shown.length > 1 ? undefined : 'min-h-80'}>
          <ContactPicker
            label={t('Merge with')}
            placeholder={t('Search by name, phone or email')}
            onChoose={(id) => {
              if (all.includes(id)) comparison.include(id);
              else setAll([...all, id]);
            }}
          />
        </div>
      )}
    </FormDialog>
  );
};

export default MergeDialog;
