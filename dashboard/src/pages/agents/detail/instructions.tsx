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
import { codePointCount, InstructionsCount, MAX_INSTRUCTIONS } from '../instructions-count.tsx';
import { UnknownVariables } from '../unknown-variables.tsx';
import { type Draft, versionNumber } from './draft.ts';
import { InstructionsConflict } from './edit-conflict.tsx';
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
  const { typed, base, isDirty, theirs } = draft;
  const [isComparing, setComparing] = useState(false);
  const described = useId();
  const next = `v${versionNumber(agent.versions[0]?.version_label ?? 'v0') + 1}`;
  const save = useSaveDraft(agent.id, draft, {
    onSuccess: () => {
      setComparing(false);
      toast.good('Draft saved. Deploy it to go live.');
    },
    onError: (error) => {
      if (isApiError(error, 'PRECONDITION_FAILED')) setComparing(true);
      if (isApiError(error, 'NOT_FOUND')) void invalidate('/agents');
    },
  });
  const count = codePointCount(typed);
  const isTooLong = count > MAX_INSTRUCTIONS;
  const submit = () => {
    if (!base || !isDirty || isTooLong || save.isPending) return;
    setComparing(theirs !== undefined);
    if (!theirs) save.mutate({ text: typed, base });
  };
  useShortcut('Ctrl S', 'Save draft', submit);
  useCommand('Save draft', submit);
  const discard = () => {
    if (!base) return;
    draft.setTyped(base.text);
    toast.good('Changes discarded.', { label: 'Undo', run: () => draft.setTyped(typed) });
  };
  const status = agent.versions[0]?.deployment_status;
  const failed = save.isError && !isApiError(save.error, 'PRECONDITION_FAILED');
  return (
    <Section
      title="Instructions"
      description={
        base &&
        (isDirty
          ? `Unsaved changes. Saving creates draft ${next}.`
          : `${base.label}, the latest version${status === 'deployed' ? ' (deployed)' : ''}.`)
      }
    >
      {theirs && (
        <div className="mb-3">
          <Notice
            tone="warn"
            action={
              <Button size="small" onClick={() => setComparing(true)}>
                Compare
              </Button>
            }
          >
            {theirs.label} was saved by someone else while you were editing. Your text is still here.
          </Notice>
        </div>
      )}
      <div className="overflow-clip rounded-lg border border-control bg-surface transition-colors focus-within:border-accent hover:border-muted has-[.cm-focused]:outline-2 has-[.cm-focused]:outline-accent">
        {error && !base ? (
          <ErrorState error={error} onRetry={onRetry} />
        ) : base ? (
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
              <Button variant="quiet" disabled={save.isPending} onClick={discard}>
                Discard changes
              </Button>
            )}
            <Button
              variant={isDirty ? 'primary' : 'secondary'}
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
      {isComparing && theirs && (
        <InstructionsConflict
          typed={typed}
          theirs={theirs}
          next={next}
          busy={save.isPending}
          error={failed ? save.error : undefined}
          onClose={() => setComparing(false)}
          onUseTheirs={() => {
            draft.replaceWith(theirs);
            setComparing(false);
          }}
          onSave={() => save.mutate({ text: typed, base: theirs })}
        />
      )}
      <UnsavedGuard when={isDirty} />
    </Section>
  );
};
