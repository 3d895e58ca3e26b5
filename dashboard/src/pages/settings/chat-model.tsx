import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage, fieldErrors } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { apiQuery, invalidate } from '../../api/query.ts';
import type { ChatModel } from '../../api/types.gen.ts';
import { UnsavedGuard } from '../../app/unsaved-guard.tsx';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm.tsx';
import { Input } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/page.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { DescriptionList } from './description-list.tsx';

/** The endpoint to which the chats of the playground go. Members see where that is. */
const ChatModelSettings = ({ isOwner }: { readonly isOwner: boolean }) => {
  const query = useQuery(apiQuery('/chat-model'));
  const model = query.data?.data;
  return (
    <Section
      title={t('Chat model')}
      description={t(
        'Off by default. With an OpenAI-compatible endpoint of yours, everyone here can chat with a version before it is live. The endpoint gets the instructions with the values of the chosen contact, and what is written in the chat.',
      )}
    >
      {query.isError && !query.data ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : model === undefined ? (
        <Skeleton className="h-32 w-full" />
      ) : isOwner ? (
        <ModelForm key={JSON.stringify(model)} saved={model} />
      ) : model ? (
        <DescriptionList
          items={[
            [t('URL'), model.url],
            [t('Model'), model.model],
          ]}
        />
      ) : (
        <p className="text-sm text-muted">{t('Chats are off: this workspace has no chat model.')}</p>
      )}
    </Section>
  );
};

export default ChatModelSettings;

const ModelForm = ({ saved }: { readonly saved: ChatModel | null }) => {
  const [url, setUrl] = useState(saved?.url ?? '');
  const [model, setModel] = useState(saved?.model ?? '');
  const [key, setKey] = useState('');
  const [isTurningOff, setTurningOff] = useState(false);
  const isDirty = url !== (saved?.url ?? '') || model !== (saved?.model ?? '') || key !== '';
  const save = useMutation({
    mutationFn: () =>
      call('PUT', '/chat-model', { body: { url, model, ...(key !== '' && { api_key: key }) } }),
    onSuccess: () => {
      void invalidate('/chat-model');
      toast.good(t('Chat model saved. Try a version on the page of its agent.'));
    },
  });
  const problems = fieldErrors(save.error);
  return (
    <Form className="flex max-w-md flex-col gap-4" onSubmit={() => isDirty && save.mutate()}>
      <Input
        label={t('URL')}
        hint={t('Without /chat/completions, which Roster adds.')}
        type="url"
        inputMode="url"
        required
        maxLength={2_048}
        autoComplete="off"
        value={url}
        error={problems.url}
        onChange={({ target }) => setUrl(target.value)}
      />
      <Input
        label={t('Model')}
        required
        maxLength={200}
        autoComplete="off"
        value={model}
        error={problems.model}
        onChange={({ target }) => setModel(target.value)}
      />
      <Input
        label={t('API key')}
        hint={
          saved?.has_key
            ? t('A key is stored and never shown. Leave this empty to keep it.')
            : t('Stored encrypted and never shown again. Leave this empty if the endpoint needs none.')
        }
        type="password"
        maxLength={512}
        autoComplete="off"
        value={key}
        error={problems.api_key}
        onChange={({ target }) => setKey(target.value)}
      />
      {save.isError && Object.keys(problems).length === 0 && (
        <Notice tone="danger">{errorMessage(save.error)}</Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" disabled={!isDirty} busy={save.isPending}>
          {t('Save')}
        </Button>
        {saved && <Button onClick={() => setTurningOff(true)}>{t('Turn chats off')}</Button>}
      </div>
      <UnsavedGuard when={isDirty && !save.isSuccess} />
      <ConfirmDialog
        open={isTurningOff}
        onOpenChange={setTurningOff}
        title={t('Turn chats off?')}
        action={t('Turn off')}
        danger
        consequences={[t('The URL, the model and the stored key are deleted.')]}
        onConfirm={async () => {
          await call('DELETE', '/chat-model');
          await invalidate('/chat-model');
        }}
      />
    </Form>
  );
};
