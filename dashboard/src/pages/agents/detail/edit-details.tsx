import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage, fieldErrors, isApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { Agent } from '../../../api/types.gen.ts';
import { UnsavedGuard } from '../../../app/unsaved-guard.tsx';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Input, Textarea } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { toast } from '../../../ui/toast.tsx';
import { readAgent } from './save-draft.ts';

type Details = Pick<Agent, 'name' | 'description'>;
type Known = Details & { readonly etag: string | null };

const isSame = (one: Details, other: Details): boolean =>
  one.name === other.name && (one.description ?? '') === (other.description ?? '');

/** A form for the name and description of an agent. */
const EditDetailsForm = ({
  agent,
  etag,
  onClose,
}: {
  readonly agent: Agent;
  readonly etag: string | null;
  readonly onClose: () => void;
}) => {
  const [known, setKnown] = useState<Known>({ name: agent.name, description: agent.description, etag });
  const [form, setForm] = useState<Details>({ name: agent.name, description: agent.description });
  const [theirs, setTheirs] = useState<Known>();
  const write = async (base: Known): Promise<void> => {
    const body = { name: form.name, description: form.description || null };
    try {
      await call('PATCH', '/agents/{id}', { params: { id: agent.id }, body, ifMatch: base.etag });
    } catch (error) {
      if (!isApiError(error, 'PRECONDITION_FAILED')) throw error;
      const { data, etag: tag } = await readAgent(agent.id);
      const now = { name: data.name, description: data.description, etag: tag };
      // Only a version or a deploy is new; the name and description are unchanged.
      if (isSame(now, base)) return write(now);
      setTheirs(now);
      throw error;
    }
  };
  const save = useMutation({
    mutationFn: write,
    onSuccess: () => {
      void invalidate('/agents', '/channels', '/campaigns');
      toast.good(t('Saved.'));
      onClose();
    },
  });
  const problems = fieldErrors(save.error);
  const isOtherError = save.isError && !isApiError(save.error, 'PRECONDITION_FAILED');
  const submit = () => {
    if (form.name === '') return;
    if (isSame(form, known)) onClose();
    else save.mutate(known);
  };
  return (
    <Form
      className="card mt-3 flex w-2xl max-w-full flex-col gap-4 p-4 text-ink"
      onKeyDown={(event) => event.key === 'Escape' && isSame(form, known) && onClose()}
      onSubmit={submit}
    >
      <Input
        label={t('Name')}
        required
        autoFocus
        maxLength={100}
        autoComplete="off"
        value={form.name}
        error={problems.name ?? (form.name === '' ? t('Enter a name.') : undefined)}
        onChange={({ target }) => setForm((now) => ({ ...now, name: target.value }))}
      />
      <Textarea
        label={t('Description')}
        rows={2}
        maxLength={500}
        value={form.description ?? ''}
        error={problems.description}
        onChange={({ target }) => setForm((now) => ({ ...now, description: target.value }))}
      />
      {isOtherError && Object.keys(problems).length === 0 && (
        <Notice tone="danger">{errorMessage(save.error)}</Notice>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button type="submit" variant="primary" busy={save.isPending}>
          {t('Save')}
        </Button>
      </div>
      {theirs && (
        <DetailsConflict
          theirs={theirs}
          yours={form}
          busy={save.isPending}
          onClose={() => setTheirs(undefined)}
          onUseTheirs={() => {
            setKnown(theirs);
            setForm({ name: theirs.name, description: theirs.description });
            setTheirs(undefined);
          }}
          onSave={() => {
            setKnown(theirs);
            save.mutate(theirs);
          }}
        />
      )}
      <UnsavedGuard when={!isSame(form, known)} />
    </Form>
  );
};

const DetailsConflict = ({
  theirs,
  yours,
  busy,
  onClose,
  onUseTheirs,
  onSave,
}: {
  readonly theirs: Details;
  readonly yours: Details;
  readonly busy: boolean;
  readonly onClose: () => void;
  readonly onUseTheirs: () => void;
  readonly onSave: () => void;
}) => (
  <Dialog
    open
    onOpenChange={onClose}
    preventDismiss
    title={t('Someone else changed this while you were editing')}
    footer={
      <>
        <Button variant="quiet" onClick={onClose}>
          {t('Keep editing')}
        </Button>
        <Button onClick={onUseTheirs}>{t('Use theirs')}</Button>
        <Button variant="primary" busy={busy} onClick={onSave}>
          {t('Save mine')}
        </Button>
      </>
    }
  >
    <div className="grid gap-4 text-sm sm:grid-cols-2">
      {[
        { title: t('Theirs'), details: theirs },
        { title: t('Yours'), details: yours },
      ].map(({ title, details }) => (
        <section key={title} className="rounded-lg border border-line p-3">
          <h3 className="mb-1 text-xs font-medium text-muted">{title}</h3>
          <p dir="auto" className="font-medium wrap-anywhere">
            {details.name}
          </p>
          <p dir="auto" className="text-muted wrap-anywhere whitespace-pre-wrap">
            {details.description || t('No description')}
          </p>
        </section>
      ))}
    </div>
  </Dialog>
);

export default EditDetailsForm;
