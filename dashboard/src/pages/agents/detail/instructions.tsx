import { Braces, Eye, Save } from 'lucide-react';
import { lazy, Suspense, useId, useRef, useState } from 'react';
import { errorMessage, fieldErrors, isApiError } from '../../../api/api-error.ts';
import { loadChunk } from '../../../api/load-chunk.ts';
import { invalidate } from '../../../api/query.ts';
import type { Agent, VersionSummary } from '../../../api/types.gen.ts';
import { useCommand } from '../../../app/commands.ts';
import { useShortcut } from '../../../app/shortcuts.ts';
import { UnsavedGuard } from '../../../app/unsaved-guard.tsx';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { KeyHint } from '../../../ui/keyboard.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Section } from '../../../ui/page.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';
import { codePointCount, InstructionsCount, MAX_INSTRUCTIONS } from '../instructions-count.tsx';
import { AgentVariables, Preview } from '../lazy-dialogs.tsx';
import { PREVIEW_NEWEST } from '../version/url-params.ts';
import { type BaseVersion, type Draft, versionNumber } from './draft.ts';
import { InstructionsConflict } from './edit-conflict.tsx';
import { useSaveDraft } from './save-draft.ts';

const Editor = lazy(() => loadChunk(() => import('./editor.tsx')));
const InsertVariable = lazy(() => loadChunk(() => import('./insert-variable.tsx')));
const UnknownVariables = lazy(() => loadChunk(() => import('../unknown-variables.tsx')));
const SAVE_KEYS = 'Ctrl S';
const waiting = <Skeleton className="h-72 w-full rounded-none!" />;

/** Which version the editor shows. */
const shownText = ({ versions }: Agent, { id, label }: BaseVersion): string => {
  const status = versions.find((each) => each.id === id)?.deployment_status;
  if (versions[0]?.id === id)
    return status === 'deployed'
      ? t('{label}, the latest version (deployed).', { label })
      : t('{label}, the latest version.', { label });
  return status === 'deployed'
    ? t('{label}, the deployed version.', { label })
    : t('{label}, an earlier version.', { label });
};

export const Instructions = ({
  agent,
  draft,
  preview,
  onPreview,
  onOpen,
  onSaved,
  error,
  onRetry,
}: {
  readonly agent: Agent;
  readonly draft: Draft;
  /** The contact of the open preview. */
  readonly preview: string | undefined;
  readonly onPreview: (contact: string | undefined) => void;
  /** Opens another version in the editor. */
  readonly onOpen: (version: VersionSummary) => void;
  readonly onSaved: () => void;
  /** The error if the latest text could not be loaded. */
  readonly error: unknown;
  readonly onRetry: () => void;
}) => {
  const { typed, base, isDirty, theirs } = draft;
  const [isComparing, setComparing] = useState(false);
  /** The dialog of the agent's own variables is open, with a name to add if it is not empty. */
  const [declaring, setDeclaring] = useState<string>();
  const described = useId();
  const insert = useRef<(text: string) => void>(null);
  const bar = useRef<HTMLDivElement>(null);
  const next = `v${versionNumber(agent.versions[0]?.version_label ?? 'v0') + 1}`;
  const [newest] = agent.versions;
  const save = useSaveDraft(agent.id, draft, {
    onSaved,
    onSuccess: () => {
      setComparing(false);
      toast.good(t('Draft saved. Deploy it to go live.'));
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
  useShortcut(SAVE_KEYS, t('Save draft'), submit);
  useCommand(t('Save draft'), submit);
  const discard = () => {
    if (!base) return;
    draft.setTyped(base.text);
    toast.good(t('Changes discarded.'), { label: t('Undo'), run: () => draft.setTyped(typed) });
  };
  const failed = save.isError && !isApiError(save.error, 'PRECONDITION_FAILED');
  return (
    <Section
      title={t('Instructions')}
      description={
        base &&
        (isDirty ? t('Unsaved changes. Saving creates draft {next}.', { next }) : shownText(agent, base))
      }
      actions={
        base && (
          <>
            <Suspense
              fallback={
                <Button size="small" disabled>
                  <Braces aria-hidden />
                  {t('Insert variable')}
                </Button>
              }
            >
              <InsertVariable
                agent={agent.id}
                onInsert={(text) => insert.current?.(text)}
                onManage={() => setDeclaring('')}
              />
            </Suspense>
            <Button size="small" onClick={() => onPreview(PREVIEW_NEWEST)}>
              <Eye aria-hidden />
              {t('Preview')}
            </Button>
          </>
        )
      }
    >
      {base && newest && base.newest === newest.id && base.id !== newest.id && (
        <div className="mb-3">
          <Notice
            action={
              <Button size="small" onClick={() => onOpen(newest)}>
                {t('Open {label}', { label: newest.version_label })}
              </Button>
            }
          >
            {agent.deployed_version?.id === base.id
              ? t('The editor shows {label}, which is live. {newest} is newer.', {
                  label: base.label,
                  newest: newest.version_label,
                })
              : t('The editor shows {label}. {newest} is newer.', {
                  label: base.label,
                  newest: newest.version_label,
                })}
          </Notice>
        </div>
      )}
      {theirs && (
        <div className="mb-3">
          <Notice
            tone="warn"
            action={
              <Button size="small" onClick={() => setComparing(true)}>
                {t('Compare')}
              </Button>
            }
          >
            {t('{label} was saved by someone else while you were editing. Your text is still here.', {
              label: theirs.label,
            })}
          </Notice>
        </div>
      )}
      <div className="overflow-clip rounded-lg border border-control bg-surface transition-colors focus-within:border-accent hover:border-muted has-[.cm-focused]:outline-2 has-[.cm-focused]:outline-accent">
        {error && !base ? (
          <ErrorState error={error} onRetry={onRetry} />
        ) : base ? (
          <Suspense fallback={waiting}>
            <Editor
              agent={agent.id}
              label={t('Instructions')}
              describedBy={described}
              value={typed}
              onChange={draft.setTyped}
              insert={insert}
              bar={bar}
            />
          </Suspense>
        ) : (
          waiting
        )}
        <Suspense>
          <UnknownVariables
            agent={agent.id}
            text={typed}
            onChange={draft.setTyped}
            onDeclare={setDeclaring}
          />
        </Suspense>
        <div
          ref={bar}
          className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 border-t border-line bg-surface px-3.5 py-2.5 tall:sticky tall:bottom-0"
        >
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
                {t('Discard changes')}
              </Button>
            )}
            <Button
              variant={isDirty ? 'primary' : 'secondary'}
              busy={save.isPending}
              disabled={!isDirty || isTooLong}
              onClick={submit}
            >
              <Save aria-hidden />
              {t('Save draft')}
              <span className="max-sm:hidden">
                <KeyHint keys={SAVE_KEYS} />
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
      {preview && base && (
        <Preview
          agent={agent.id}
          version={base.id}
          isEdited={isDirty}
          label={isDirty ? t('the edited text') : base.label}
          text={typed}
          contact={preview}
          onContact={onPreview}
          onClose={() => onPreview(undefined)}
        />
      )}
      {declaring !== undefined && (
        <AgentVariables
          agent={agent.id}
          name={declaring || undefined}
          onClose={() => setDeclaring(undefined)}
        />
      )}
      <UnsavedGuard when={isDirty} />
    </Section>
  );
};
