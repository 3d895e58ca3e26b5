import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../../../api/api-error.ts';
import { ConflictButtons, ConflictComparison } from '../../../app/edit-conflict.tsx';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { t } from '../../../lib/i18n.ts';
import { toast } from '../../../ui/toast.tsx';
import { WebhookFields } from '../fields.tsx';
import { bodyOf, formOf, isSameForm, missingFields, type WebhookForm } from '../form.ts';
import { eventsText } from '../labels.tsx';
import { EditConflictError, type LoadedWebhook, saveWebhook } from './save.ts';

/** Edits the settings of an endpoint. If someone else changed them meanwhile, shows both versions and asks which one to
 *  use. */
const EditWebhook = ({
  loaded,
  onClose,
}: {
  readonly loaded: LoadedWebhook;
  readonly onClose: () => void;
}) => {
  const [seen, setSeen] = useState(loaded);
  const [form, setForm] = useState(formOf(loaded.data));
  const [theirs, setTheirs] = useState<LoadedWebhook>();
  const [isSubmitted, setSubmitted] = useState(false);
  const save = useMutation({
    mutationFn: (over: LoadedWebhook) => saveWebhook(over, bodyOf(form)),
    onSuccess: () => {
      toast.good(t('Endpoint saved.'));
      onClose();
    },
    onError: (error) => error instanceof EditConflictError && setTheirs(error.theirs),
  });
  const missing = missingFields(form);
  const isUnchanged = isSameForm(form, formOf(seen.data));
  const takeTheirs = (now: LoadedWebhook) => {
    setSeen(now);
    setForm(formOf(now.data));
    setTheirs(undefined);
    save.reset();
  };
  const submit = () => {
    setSubmitted(true);
    if (isUnchanged && !theirs) onClose();
    else if (Object.keys(missing).length === 0) save.mutate(theirs ?? seen);
  };
  return (
    <FormDialog
      title={t('Edit endpoint')}
      dirty={!isUnchanged}
      onSubmit={submit}
      onClose={onClose}
      action={t('Save')}
      busy={save.isPending}
      error={theirs ? undefined : save.error}
      footer={theirs && <ConflictButtons busy={save.isPending} onUseTheirs={() => takeTheirs(theirs)} />}
    >
      {theirs ? (
        <ConflictComparison
          kind="endpoint"
          theirs={<Version form={formOf(theirs.data)} />}
          yours={<Version form={form} />}
        />
      ) : (
        <WebhookFields
          form={form}
          problems={{ ...fieldErrors(save.error), ...(isSubmitted && missing) }}
          onChange={(change) => setForm((now) => ({ ...now, ...change }))}
        />
      )}
    </FormDialog>
  );
};

const Version = ({ form }: { readonly form: WebhookForm }) => (
  <div className="flex flex-col gap-0.5 wrap-anywhere">
    <p>{form.url}</p>
    {form.description && <p dir="auto">{form.description}</p>}
    <p className="text-muted">{eventsText({ types: form.hasAllTypes ? null : form.types })}</p>
    {form.tag && <p className="text-muted">{t('Tag: {tag}', { tag: form.tag })}</p>}
    <p className="text-muted">
      {[
        form.payload === 'thin' ? t('Thin') : t('Snapshot'),
        form.hasFields && t('with values of fields'),
        form.ordered && t('ordered'),
        t('{count} concurrent', { count: form.concurrency }),
        form.rate && t('{count} per second', { count: form.rate }),
      ]
        .filter(Boolean)
        .join(', ')}
    </p>
  </div>
);

export default EditWebhook;
