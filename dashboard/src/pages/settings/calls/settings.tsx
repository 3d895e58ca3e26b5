import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage, fieldErrors, isApiError } from '../../../api/api-error.ts';
import { type Answer, call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import { UnsavedGuard } from '../../../app/unsaved-guard.tsx';
import { plural, t } from '../../../lib/i18n.ts';
import { callSettingsQuery } from '../../../records/calls/settings.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { Input } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Section } from '../../../ui/page.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';
import { Dispositions } from './dispositions.tsx';
import { bodyOf, type CallsForm, formOf, isSameSettings, MAX_DAYS, problemsOf } from './form.ts';
import { ReadOnlySettings } from './read-only.tsx';
import { Rules } from './rules.tsx';

type Loaded = Answer<'GET', '/call-settings'>;

/** Dispositions, rules for fields and transcripts. Members can read them. */
const CallSettings = ({ isOwner }: { readonly isOwner: boolean }) => {
  const query = useQuery(callSettingsQuery);
  if (query.isError && !query.data)
    return (
      <div className="card">
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </div>
    );
  if (!query.data) return <Skeleton className="h-64 w-full rounded-xl" />;
  return isOwner ? <SettingsForm loaded={query.data} /> : <ReadOnlySettings settings={query.data.data} />;
};

const SettingsForm = ({ loaded }: { readonly loaded: Loaded }) => {
  const [base, setBase] = useState(loaded);
  const [form, setForm] = useState(() => formOf(loaded.data));
  const [isSubmitted, setSubmitted] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const isDirty = !isSameSettings(form, base.data);
  const use = (next: Loaded) => {
    setBase(next);
    setForm(formOf(next.data));
    setSubmitted(false);
  };
  const isNewer = loaded.etag !== base.etag;
  // What someone else saved replaces what was not edited.
  if (isNewer && !isDirty) use(loaded);
  const save = useMutation({
    // The newest known ETag: saving after the notice below replaces what another user has saved.
    mutationFn: () => call('PUT', '/call-settings', { body: bodyOf(form), ifMatch: loaded.etag }),
    onSuccess: (answer) => {
      use(answer);
      void invalidate('/call-settings');
      toast.good(t('Settings for calls saved.'));
    },
    onError: (error) => {
      if (isApiError(error, 'PRECONDITION_FAILED')) void invalidate('/call-settings');
    },
  });
  const set = (change: Partial<CallsForm>) => {
    setForm((now) => ({ ...now, ...change }));
    // What the service has refused is named by the places of rows, which may change.
    if (save.isError) save.reset();
  };
  const own = isSubmitted ? problemsOf(form) : {};
  const sent = fieldErrors(save.error);
  const problems: Readonly<Record<string, string>> = { ...sent, ...own };
  const { transcript_days: kept } = base.data;
  const next = bodyOf(form).transcript_days;
  const isErasing = kept !== null && (next === null || next < kept);
  const submit = () => {
    setSubmitted(true);
    if (Object.keys(problemsOf(form)).length > 0 || !isDirty) return;
    if (isErasing) setConfirming(true);
    else save.mutate();
  };
  const isConflict = isNewer && isDirty;
  const others = Object.keys(sent).filter((name) => !/[[\]]|^transcript_days$/.test(name));
  return (
    <>
      <Form onSubmit={submit}>
        <Dispositions
          rows={form.dispositions}
          problems={problems}
          onChange={(dispositions) => set({ dispositions })}
        />
        <Rules rows={form.rules} problems={problems} onChange={(rules) => set({ rules })} />
        <Section title={t('Transcripts')}>
          <div className="flex flex-col gap-4">
            <Checkbox
              checked={form.hasTranscripts}
              onChange={(hasTranscripts) => set({ hasTranscripts })}
              label={t('Store transcripts')}
              hint={t(
                'Off by default. A transcript is every word of a conversation, so store it only if you need it and callers know. It is deleted with the contact, and after the days that you choose.',
              )}
            />
            {form.hasTranscripts && (
              <Input
                label={t('Days until a transcript is deleted')}
                type="number"
                min={1}
                max={MAX_DAYS}
                required
                className="max-w-64"
                value={form.days}
                error={problems.transcript_days}
                onChange={({ target }) => set({ days: target.value })}
              />
            )}
          </div>
        </Section>
        {isConflict && (
          <div className="mb-4">
            <Notice
              tone="warn"
              action={
                <Button size="small" onClick={() => use(loaded)}>
                  {t('Use theirs')}
                </Button>
              }
            >
              {t(
                'Someone else has changed these settings. Use theirs and discard your changes, or save yours.',
              )}
            </Notice>
          </div>
        )}
        {save.isError && !isConflict && (Object.keys(sent).length === 0 || others.length > 0) && (
          <div className="mb-4">
            <Notice tone="danger">{errorMessage(save.error)}</Notice>
          </div>
        )}
        <Button type="submit" variant="primary" busy={save.isPending} disabled={!isDirty}>
          {isConflict ? t('Save mine') : t('Save')}
        </Button>
      </Form>
      <UnsavedGuard when={isDirty} />
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={next === null ? t('Turn transcripts off?') : t('Keep transcripts for a shorter time?')}
        action={t('Save and delete')}
        danger
        consequences={[
          next === null
            ? t('All stored transcripts are deleted permanently.')
            : plural(
                next,
                'Transcripts older than # day are deleted permanently.',
                'Transcripts older than # days are deleted permanently.',
              ),
        ]}
        onConfirm={() => save.mutateAsync().catch(() => undefined)}
      />
    </>
  );
};

export default CallSettings;
