import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RotateCcw, Send } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { apiQuery } from '../../../api/query.ts';
import type { ChatMessageInput, RenderInput } from '../../../api/types.gen.ts';
import { useCurrentUser } from '../../../app/current-user.ts';
import { numberText, t, translatedMessage } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Input } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';

/** What is rendered, for the text and for a chat. */
export type TriedInput = Pick<RenderInput, 'variables' | 'instructions'> & { readonly contact_id: string };

interface ChatProps {
  /** The agent and the version. */
  readonly params: { readonly id: string; readonly version: string };
  readonly body: TriedInput;
}

/** A chat with a version at the chat model of the workspace. */
export const Chat = (props: ChatProps) => {
  const { role } = useCurrentUser();
  const query = useQuery(apiQuery('/chat-model'));
  if (query.isError && !query.data)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton className="h-40 w-full" />;
  const model = query.data.data;
  if (model) return <Conversation {...props} url={model.url} model={model.model} />;
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p>{t('Chats are off: this workspace has no chat model.')}</p>
      {role === 'owner' ? (
        <Link
          to="/settings"
          search={{ tab: 'workspace' }}
          className="self-start rounded font-medium underline underline-offset-4"
        >
          {t('Set a chat model')}
        </Link>
      ) : (
        <p className="text-muted">{t('An owner can set one in the settings.')}</p>
      )}
    </div>
  );
};

const Conversation = ({
  params,
  body,
  url,
  model,
}: ChatProps & { readonly url: string; readonly model: string }) => {
  const [messages, setMessages] = useState<readonly ChatMessageInput[]>([]);
  const [typed, setTyped] = useState('');
  const log = useRef<HTMLElement>(null);
  const send = useMutation({
    mutationFn: (message: string) =>
      call('POST', '/agents/{id}/versions/{version}/chat', {
        params,
        body: { ...body, history: [...messages], message },
      }),
    onSuccess: ({ data: { reply } }, content) => {
      if (reply === null) return;
      setMessages([...messages, { role: 'user', content }, { role: 'assistant', content: reply }]);
      setTyped('');
    },
  });
  const waitsFor = send.isPending ? send.variables : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end of the log is shown when it grows
  useEffect(() => {
    // Newer browsers return a promise, which is no clean-up.
    log.current?.scrollTo({ top: log.current.scrollHeight });
  }, [messages, waitsFor]);
  const submit = () => {
    if (typed.trim() !== '' && !send.isPending) send.mutate(typed);
  };
  const failure = send.data?.data.error;
  const problem = send.isError
    ? errorMessage(send.error)
    : failure && (translatedMessage(failure) ?? failure);
  const seconds = numberText((send.data?.data.duration_ms ?? 0) / 1_000);
  return (
    <div className="flex flex-col gap-3 text-sm">
      <p className="text-muted wrap-anywhere">
        {t("{model} at {host} gets the instructions with this contact's values, and what you write.", {
          model,
          host: new URL(url).host,
        })}
      </p>
      {(messages.length > 0 || waitsFor !== undefined) && (
        <section
          ref={log}
          role="log"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
          tabIndex={0}
          aria-label={t('Chat')}
          className="flex max-h-[40vh] flex-col gap-2 overflow-y-auto rounded-lg border border-line p-3"
        >
          {messages.map(({ role, content }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: messages are only added
            <Message key={at} isOwn={role === 'user'} text={content} />
          ))}
          {waitsFor !== undefined && <Message isOwn text={waitsFor} />}
          {waitsFor !== undefined && <p className="text-muted">{t('Waiting for the answer…')}</p>}
        </section>
      )}
      {problem && !send.isPending && <Notice tone="danger">{problem}</Notice>}
      <Form className="flex items-end gap-2" onSubmit={submit}>
        <Input
          label={t('Message')}
          className="min-w-0 flex-1"
          autoComplete="off"
          maxLength={10_000}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Button type="submit" variant="primary" busy={send.isPending} disabled={typed.trim() === ''}>
          <Send aria-hidden />
          {t('Send')}
        </Button>
      </Form>
      {messages.length > 0 && (
        <p className="flex flex-wrap items-center justify-between gap-2 text-[0.8125rem] text-muted">
          {!send.isPending && !problem && t('The last answer took {seconds} s.', { seconds })}
          <Button
            size="small"
            variant="quiet"
            disabled={send.isPending}
            onClick={() => {
              setMessages([]);
              send.reset();
            }}
          >
            <RotateCcw aria-hidden />
            {t('New chat')}
          </Button>
        </p>
      )}
    </div>
  );
};

/** What someone said, as text only: a model may answer with HTML or Markdown. */
const Message = ({ isOwn, text }: { readonly isOwn: boolean; readonly text: string }) => (
  <p
    dir="auto"
    className={cx(
      'max-w-[85%] rounded-lg px-3 py-2 wrap-anywhere whitespace-pre-wrap',
      isOwn ? 'self-end bg-accent-soft text-accent-ink' : 'self-start bg-sunken',
    )}
  >
    <span className="sr-only">{isOwn ? t('You:') : t('Agent:')} </span>
    {text}
  </p>
);
