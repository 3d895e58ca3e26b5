import { Save } from 'lucide-react';
import { lazy, Suspense, useId, useState } from 'react';
import { errorMessage, fieldErrors, isApiError } from '../../../api/api-error.ts';
import { loadChunk } from '../../../api/load-chunk.ts';
import { invalidate } from '../../../api/query.ts';
import type { Agent } from '../../../api/types.gen.ts';
import { useCommand } from '../../../app/commands.ts';
import { useShortcut } from '../../../app/shortcuts.ts';
import { UnsavedGuard } from '../../../app/unsaved-guard.tsx';
import { Button } from '../../../ui/button.tsx';
import { KeyHint } from '../../../ui/keyboard.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Section } from '../../../ui/page.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';
import { charactersIn, INSTRUCTIONS_MOST, InstructionsCount } from '../instructions-count.tsx';
import { UnknownVariables } from '../unknown-variables.tsx';
import { type Draft, numberOf } from './draft.ts';
import { Conflict } from './edit-conflict.tsx';
import { useSaveDraft } from './save-draft.ts';

const Editor = lazy(() => loadChunk(() => import('./editor.tsx')));
const waiting = <Skeleton className="h-72 w-full rounded-none!" />;

export const Instructions = ({
  agent,
  draft,
  error,
  onRetry,
}: {
  readonly agent: Agent;
  readonly draft: Draft;
  /** The error if the latest text could not be loaded. */
  readonly error: unknown;
  readonly onRetry: () => void;
}) => {
  const { typed, ground, isDirty, theirs } = draft;
  const [choosing, setChoosing] = useState(false);
  const described = useId();
  const next = `v${numberOf(agent.versions[0]?.version_label ?? 'v0') + 1}`;
  const save = useSaveDraft(agent.id, draft, {
    onSuccess: () => {
      setChoosing(false);
      toast.good('Draft saved. Deploy it to go live.');
    },
    onError: (error) => {
      if (isApiError(error, 'PRECONDITION_FAILED')) setChoosing(true);
      if (isApiError(error, 'NOT_FOUND')) void invalidate('/agents');
    },
  });
  const count = charactersIn(typed);
  const isTooLong = count > INSTRUCTIONS_MOST;
  const submit = () => {
    if (!ground || !isDirty || isTooLong || save.isPending) return;
    setChoosing(theirs !== undefined);
    if (!theirs) save.mutate({ text: typed, ground });
  };
  useShortcut('Ctrl S', 'Save draft', submit);
  useCommand('Save draft', submit);
  const drop = () => {
    if (!ground) return;
    draft.setTyped(ground.text);
    toast.good('Changes discarded.', { label: 'Undo', run: () => draft.setTyped(typed) });
  };
  const status = agent.versions[0]?.deployment_status;
  const failed = save.isError && !isApiError(save.error, 'PRECONDITION_FAILED');
  return (
    <Section
      title="Instructions"
      description={
        ground &&
        (isDirty
          ? `Unsaved changes. Saving creates draft ${next}.`
          : `${ground.label}, the latest version${status === 'deployed' ? ' (deployed)' : ''}.`)
      }
    >
      {theirs && (
        <div className="mb-3">
          <Notice
            tone="warn"
            action={
              <Button size="small" onClick={() => setChoosing(true)}>
                Compare
              </Button>
            }
          >
            {theirs.label} was saved by someone else while you were editing. Your text is still here.
          </Notice>
        </div>
      )}
      <div className="overflow-clip rounded-lg border border-control bg-surface transition-colors focus-within:border-accent hover:border-muted has-[.cm-focused]:outline-2 has-[.cm-focused]:outline-accent">
        {error && !ground ? (
          <ErrorState error={error} onRetry={onRetry} />
        ) : ground ? (
          <Suspense fallback={waiting}>
            <Editor label="Instructions" describedBy={described} value={typed} onChange={draft.setTyped} />
          </Suspense>
        ) : (
          waiting
        )}
        <UnknownVariables text={typed} onChange={draft.setTyped} />
        <div className="sticky bottom-0 flex flex-wrap items-center justify-between gap-x-3 gap-y-2 border-t border-line bg-surface px-3.5 py-2.5">
          {failed && (
            <div className="w-full">
              <Notice tone="danger">
                {fieldErrors(save.error).instructions ?? errorMessage(save.error)}
              </Notice>
            </div>
          )}
          <InstructionsCount id={described} count={count} />
          <div className="flex flex-wrap items-center gap-2 max-sm:w-full max-sm:[&>button]:flex-1">
            {isDirty && (
              <Button look="quiet" disabled={save.isPending} onClick={drop}>
                Discard changes
              </Button>
            )}
            <Button
              look={isDirty ? 'primary' : 'secondary'}
              busy={save.isPending}
              disabled={!isDirty || isTooLong}
              onClick={submit}
            >
              <Save aria-hidden />
              Save draft
              <span className="max-sm:hidden">
                <KeyHint keys="Ctrl S" />
              </span>
            </Button>
          </div>
        </div>
      </div>
      {choosing && theirs && (
        <Conflict
          typed={typed}
          theirs={theirs}
          next={next}
          busy={save.isPending}
          error={failed ? save.error : undefined}
          onClose={() => setChoosing(false)}
          onTake={() => {
            draft.take(theirs);
            setChoosing(false);
          }}
          onSave={() => save.mutate({ text: typed, ground: theirs })}
        />
      )}
      <UnsavedGuard when={isDirty} />
    </Section>
  );
};
