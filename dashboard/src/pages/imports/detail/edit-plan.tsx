import { useState } from 'react';
import type { Import } from '../../../api/types.gen.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { t } from '../../../lib/i18n.ts';
import { Notice } from '../../../ui/notice.tsx';
import { ColumnFields, NoPhone } from '../column-fields.tsx';
import { ErrorText } from '../error-text.tsx';
import {
  areNewFieldsValid,
  type Choices,
  hasCrmIds,
  hasPhone,
  lacksCrm,
  type Rules,
  requestOf,
  withoutVariables,
} from '../mapping.ts';
import { RuleFields } from '../rule-fields.tsx';
import { useReplan } from './use-replan.ts';

/** Changes the columns and rules of an uploaded file. */
const EditPlan = ({
  data,
  onClose,
  onPlanned,
}: {
  readonly data: Import;
  readonly onClose: () => void;
  readonly onPlanned: () => void;
}) => {
  const { country, crm, campaign_id, ...rest } = data.options;
  const [choices, setChoices] = useState<Choices>({});
  const [initial] = useState<Rules>({
    ...rest,
    country: country ?? '',
    crm: crm ?? '',
    campaign_id: campaign_id ?? '',
  });
  const [rules, setRules] = useState(initial);
  const plan = useReplan(data.id, onPlanned);
  const save = () => {
    const { country, crm, campaign_id, ...rest } = rules;
    plan.mutate({
      ...rest,
      ...(country && { country }),
      crm: hasCrmIds(data.columns, choices) ? crm.trim() : null,
      campaign_id: campaign_id || null,
      ...requestOf(data.columns, choices, campaign_id),
    });
  };
  const isDirty = Object.keys(choices).length > 0 || JSON.stringify(rules) !== JSON.stringify(initial);
  const [isSubmitted, setSubmitted] = useState(false);
  const isCrmMissing = lacksCrm(data.columns, choices, rules.crm);
  const isPhoneMissing = !hasPhone(data.columns, choices);
  const submit = () => {
    setSubmitted(true);
    if (!isCrmMissing && !isPhoneMissing && areNewFieldsValid(data.columns, choices)) save();
  };
  return (
    <FormDialog
      title={t('Columns and rules')}
      description={t('The preview is updated with these settings. No contacts change.')}
      width="large"
      dirty={isDirty}
      preventDismiss={plan.isPending}
      onSubmit={submit}
      onClose={onClose}
      action={t('Update preview')}
      busy={plan.isPending}
    >
      <RuleFields
        rules={rules}
        onChange={(change) => {
          setRules((now) => ({ ...now, ...change }));
          if (change.campaign_id === '') setChoices((now) => withoutVariables(data.columns, now));
        }}
      />
      <div>
        <ColumnFields
          columns={data.columns}
          choices={choices}
          crm={rules.crm}
          campaign={rules.campaign_id}
          isCrmMissing={isSubmitted && isCrmMissing}
          onChange={setChoices}
          onCrm={(crm) => setRules((now) => ({ ...now, crm }))}
        />
      </div>
      {isSubmitted && isPhoneMissing && <NoPhone isError />}
      {plan.isError && (
        <Notice tone="danger">
          <ErrorText error={plan.error} />
        </Notice>
      )}
    </FormDialog>
  );
};

export default EditPlan;
