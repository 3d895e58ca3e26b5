import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { Import } from '../../../api/types.gen.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ColumnFields } from '../column-fields.tsx';
import { ErrorText } from '../error-text.tsx';
import { type Choices, hasPhone, type Rules } from '../mapping.ts';
import { RuleFields } from '../rule-fields.tsx';
import { updateCachedImport } from '../use-import.ts';

/** Changes the columns and rules of an uploaded file. */
export const EditPlan = ({
  data,
  onClose,
  onPlanned,
}: {
  readonly data: Import;
  readonly onClose: () => void;
  readonly onPlanned: () => void;
}) => {
  const { country, ...rest } = data.options;
  const [choices, setChoices] = useState<Choices>({});
  const [initial] = useState<Rules>({ ...rest, country: country ?? '' });
  const [rules, setRules] = useState(initial);
  const plan = useMutation({
    mutationFn: () =>
      call('PATCH', '/imports/{id}', {
        params: { id: data.id },
        body: {
          on_existing: rules.on_existing,
          tags: rules.tags,
          on_invalid: rules.on_invalid,
          legacy: rules.legacy,
          ...(rules.country && { country: rules.country }),
          ...(Object.keys(choices).length > 0 && { mapping: choices as Record<string, string | null> }),
        },
      }),
    onSuccess: (answer) => {
      updateCachedImport(data.id, answer.data);
      void invalidate('/imports');
      onPlanned();
    },
  });
  const isDirty = Object.keys(choices).length > 0 || JSON.stringify(rules) !== JSON.stringify(initial);
  const ready = hasPhone(data.columns, choices);
  return (
    <FormDialog
      title="Columns and rules"
      description="The preview is updated with these settings. No contacts change."
      width="large"
      dirty={isDirty}
      preventDismiss={plan.isPending}
      onSubmit={() => ready && plan.mutate()}
      onClose={onClose}
      action="Update preview"
      busy={plan.isPending}
      disabled={!ready}
    >
      <RuleFields rules={rules} onChange={(change) => setRules((now) => ({ ...now, ...change }))} />
      <div>
        <ColumnFields columns={data.columns} choices={choices} onChange={setChoices} />
      </div>
      {plan.isError && (
        <Notice tone="danger">
          <ErrorText error={plan.error} />
        </Notice>
      )}
    </FormDialog>
  );
};
