import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../../api/client.ts';
import { apiQuery, invalidate } from '../../../api/query.ts';
import type { ImportBeginning } from '../../../api/types.gen.ts';
import { UnsavedGuard } from '../../../app/unsaved-guard.tsx';
import { plural, t } from '../../../lib/i18n.ts';
import { sizeText } from '../../../records/imports/labels.ts';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/form.tsx';
import { Section } from '../../../ui/page.tsx';
import { ProgressBar } from '../../../ui/progress.tsx';
import { ColumnFields, NoPhone } from '../column-fields.tsx';
import {
  areNewFieldsValid,
  type Choices,
  type FormatChoice,
  hasCrmIds,
  hasPhone,
  lacksCrm,
  proposedChoices,
  type Rules,
  requestOf,
  withoutVariables,
} from '../mapping.ts';
import { RuleFields } from '../rule-fields.tsx';
import { FileFormat } from './file-format.tsx';
import { ChosenFile } from './file-picker.tsx';
import { rememberFile } from './remembered-file.ts';
import { sendFile } from './upload.ts';

/** The mapping and rules for an upload. They are preserved when a corrected file replaces the first one. */
export interface Draft {
  readonly choices: Choices;
  readonly rules: Rules;
}

/** The mapping, the rules and the upload of a file. */
const Prepare = ({
  file,
  beginning,
  draft,
  format,
  isDetecting,
  noCountryLabel,
  replaces,
  onDraft,
  onFormat,
  onFiles,
  onBack,
}: {
  readonly file: File;
  readonly beginning: ImportBeginning;
  readonly draft: Draft;
  readonly format: FormatChoice;
  /** The file format is being detected again. */
  readonly isDetecting: boolean;
  readonly onFormat: (format: FormatChoice) => void;
  readonly noCountryLabel: string | undefined;
  /** The import that this one replaces, because its file is read in another way. */
  readonly replaces: string | undefined;
  readonly onDraft: (change: Partial<Draft>) => void;
  readonly onFiles: (files: readonly File[]) => void;
  readonly onBack: () => void;
}) => {
  const navigate = useNavigate();
  const [sent, setSent] = useState(0);
  const abort = useRef<AbortController>(undefined);
  const { choices, rules } = draft;
  const plan = useMutation({
    mutationFn: () => {
      abort.current = new AbortController();
      setSent(0);
      const { country, crm, campaign_id, on_invalid_email, ...rest } = rules;
      const { mapping, create_fields } = requestOf(beginning.columns, choices, campaign_id);
      const query = {
        ...rest,
        ...format,
        country: country || undefined,
        on_invalid_email: on_invalid_email ?? undefined,
        crm: hasCrmIds(beginning.columns, choices) ? crm.trim() : undefined,
        campaign_id: campaign_id || undefined,
        mapping: mapping && JSON.stringify(mapping),
        create_fields: create_fields && JSON.stringify(create_fields),
      };
      return sendFile({ file, query, signal: abort.current.signal, onSent: setSent });
    },
    onSuccess: async ({ id }) => {
      rememberFile({ id, file, format, choices, rules });
      // It stays in the history if it was applied or deleted meanwhile.
      if (replaces)
        await call('DELETE', '/imports/{id}', { params: { id: replaces } }).catch(() => undefined);
      void invalidate('/imports', '/figures');
      void navigate({ to: '/import/$id', params: { id }, ignoreBlocker: true });
    },
  });
  const isCancelled = plan.isError && abort.current?.signal.aborted;
  const [isSubmitted, setSubmitted] = useState(false);
  const isCrmMissing = lacksCrm(beginning.columns, choices, rules.crm);
  const isPhoneMissing = !hasPhone(beginning.columns, choices);
  const submit = () => {
    setSubmitted(true);
    if (!isCrmMissing && !isPhoneMissing && areNewFieldsValid(beginning.columns, choices)) plan.mutate();
  };
  const hasChoices = JSON.stringify(choices) !== JSON.stringify(proposedChoices(beginning.columns));
  return (
    <>
      <ChosenFile
        file={file}
        beginning={beginning}
        error={isCancelled ? undefined : plan.error}
        busy={plan.isPending}
        onFiles={(files) => {
          plan.reset();
          onFiles(files);
        }}
      >
        <FileFormat
          beginning={beginning}
          choice={format}
          disabled={isDetecting || plan.isPending}
          onChoice={(next) => {
            plan.reset();
            onFormat(next);
          }}
        />
        {plan.isPending && (
          <Sending file={file} sent={Math.min(sent, file.size)} onCancel={() => abort.current?.abort()} />
        )}
      </ChosenFile>
      <Form onSubmit={submit}>
        <fieldset disabled={plan.isPending} className="min-w-0">
          <Section title={t('Columns')} description={t('Choose the contact field for each column.')}>
            <ColumnFields
              columns={beginning.columns}
              choices={choices}
              crm={rules.crm}
              campaign={rules.campaign_id}
              isCrmMissing={isSubmitted && isCrmMissing}
              onChange={(next) => onDraft({ choices: next })}
              onCrm={(crm) => onDraft({ rules: { ...rules, crm } })}
            />
          </Section>
          <Section
            title={t('Rules')}
            description={t('How phone numbers are interpreted and what happens to existing contacts.')}
          >
            <RuleFields
              rules={rules}
              noCountryLabel={noCountryLabel}
              onChange={(change) =>
                onDraft({
                  rules: { ...rules, ...change },
                  ...(change.campaign_id === '' && { choices: withoutVariables(beginning.columns, choices) }),
                })
              }
            />
          </Section>
          {isPhoneMissing && (
            <div className="mb-4">
              <NoPhone isError={isSubmitted} />
            </div>
          )}
          <div className="flex flex-wrap items-center justify-end gap-2">
            <p className="min-w-0 flex-1 basis-56 text-sm text-muted">
              {t('The preview shows what will happen to each row. No contacts change yet.')}
            </p>
            <Button onClick={onBack}>{t('Cancel')}</Button>
            <Button type="submit" variant="primary" disabled={isDetecting} busy={plan.isPending}>
              {t('Preview import')}
            </Button>
          </div>
        </fieldset>
      </Form>
      <UnsavedGuard
        when={plan.isPending || hasChoices}
        {...(plan.isPending && { message: t('The upload will be canceled.') })}
      />
    </>
  );
};

export default Prepare;

/** The upload progress, and then the number of processed rows. */
const Sending = ({
  file,
  sent,
  onCancel,
}: {
  readonly file: File;
  readonly sent: number;
  readonly onCancel: () => void;
}) => {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    container.current?.scrollIntoView({ block: 'center' });
  }, []);
  const newest = useQuery(apiQuery('/imports', { query: { limit: 1 } })).data?.data[0];
  const rows = newest?.state === 'planning' && newest.name === file.name ? newest.rows : 0;
  const isSent = sent >= file.size;
  const planned = rows > 0 ? plural(rows, '# row processed', '# rows processed') : undefined;
  const label = isSent
    ? `${t('Upload complete')}, ${planned ?? t('processing rows')}`
    : [t('Uploading'), ...(planned ? [planned] : [])].join(', ');
  const detail = t('{sent} of {size}', { sent: sizeText(sent), size: sizeText(file.size) });
  return (
    <div ref={container} className="flex items-end gap-4">
      <div className="min-w-0 flex-1">
        <ProgressBar label={label} {...(isSent ? {} : { value: sent, detail })} max={file.size} />
      </div>
      <Button size="small" onClick={onCancel}>
        {t('Cancel')}
      </Button>
    </div>
  );
};
