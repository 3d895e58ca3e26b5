import { Braces, FlaskConical, Maximize2, Minimize2, Save } from 'lucide-react';
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react';
import { errorMessage, fieldErrors, isApiError } from '../../../api/api-error.ts';
import { loadChunk } from '../../../api/load-chunk.ts';
import { invalidate } from '../../../api/query.ts';
import type { Agent, VersionSummary } from '../../../api/types.gen.ts';
import { useCommand } from '../../../app/commands.ts';
import { useCurrentUser } from '../../../app/current-user.ts';
import { useShortcut } from '../../../app/shortcuts.ts';
import { UnsavedGuard } from '../../../app/unsaved-guard.tsx';
import { clockTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { KeyHint } from '../../../ui/keyboard.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Section } from '../../../ui/page.tsx';
import { rich } from '../../../ui/rich.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { Time } from '../../../ui/time.tsx';
import { toast } from '../../../ui/toast.tsx';
import { ConfigActions } from '../config/actions.tsx';
import { ConfigSize, configState } from '../config/size.tsx';
import { codePointCount, InstructionsCount, MAX_INSTRUCTIONS } from '../instructions-count.tsx';
import { AgentVariables, Playground } from '../lazy-dialogs.tsx';
import { PREVIEW_NEWEST } from '../version/url-params.ts';
import { type BaseVersion, contentOf, type Draft, versionNumber } from './draft.ts';
import { VersionConflict } from './edit-conflict.tsx';
import type { EditorActions } from './editor.tsx';
import { FullScreen } from './full-screen.tsx';
import { useKeptDraft } from './kept-draft.ts';
import { useSaveDraft } from './save-draft.ts';

const Editor = lazy(() => loadChunk(() => import('./editor.tsx')));
const ConfigEditor = lazy(() => loadChunk(() => import('../config/config-editor.tsx')));
const Outline = lazy(() => loadChunk(() => import('./outline.tsx')));
const OutlineList = lazy(() =>
  loadChunk(async () => ({ default: (await import('./outline.tsx')).OutlineList })),
);
const InsertVariable = lazy(() => loadChunk(() => import('./insert-variable.tsx')));
const UnknownVariables = lazy(() => loadChunk(() => import('../unknown-variables.tsx')));
const SAVE_KEYS = 'Ctrl S';
const FULL_KEYS = 'Ctrl .';
const waiting = <Skeleton className="h-72 w-full rounded-none!" />;

/** Whether the service has refused the configuration, at a path in it or as a whole. */
const isConfigRefused = (error: unknown): boolean =>
  Object.keys(fieldErrors(error)).some((field) => /^config(?:\/|$)/.test(field));

const PartLabel = ({ label, isEdited }: { readonly label: string; readonly isEdited: boolean }) => (
  <span className="inline-flex items-center gap-1.5">
    {label}
    {isEdited && (
      <>
        <span aria-hidden className="size-1.5 rounded-full bg-accent" />
        <span className="sr-only">{t('(edited)')}</span>
      </>
    )}
  </span>
);

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

export type Part = 'text' | 'config';

/** Edits the instructions and the configuration, which are saved as one version. */
const DraftEditor = ({
  agent,
  draft,
  restoredAt,
  part,
  onPart,
  preview,
  onPreview,
  onOpen,
  onSaved,
  error,
  onRetry,
}: {
  readonly agent: Agent;
  readonly draft: Draft;
  /** When the browser kept the edits that the page began with. */
  readonly restoredAt: string | undefined;
  readonly part: Part;
  readonly onPart: (part: Part) => void;
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
  const [isConfigOpened, setConfigOpened] = useState(part === 'config');
  useEffect(() => setConfigOpened((was) => was || part === 'config'), [part]);
  const [isComparing, setComparing] = useState(false);
  /** The dialog of the agent's own variables is open, with a name to add if it is not empty. */
  const [declaring, setDeclaring] = useState<string>();
  const described = useId();
  const actions = useRef<EditorActions>(null);
  const [isFull, setFull] = useState(false);
  const [isRestored, setRestored] = useState(restoredAt !== undefined);
  if (isRestored && base && !isDirty) setRestored(false);
  const keptAt = useKeptDraft(useCurrentUser().id, agent.id, draft);
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
      if (isConfigRefused(error)) onPart('config');
    },
  });
  const count = codePointCount(typed.text);
  const config = configState(typed.config);
  const canSave = isDirty && count <= MAX_INSTRUCTIONS && (!draft.isConfigDirty || config.isValid);
  const submit = () => {
    if (!base || !canSave || save.isPending) return;
    setComparing(theirs !== undefined);
    if (!theirs) save.mutate({ typed, base });
  };
  useShortcut(SAVE_KEYS, t('Save draft'), submit);
  useCommand(t('Save draft'), submit);
  useShortcut(FULL_KEYS, t('Full-screen editor'), () => setFull(!isFull));
  const discard = () => {
    if (!base) return;
    draft.setTyped(contentOf(base));
    toast.good(t('Changes discarded.'), { label: t('Undo'), run: () => draft.setTyped(typed) });
  };
  const failed = save.isError && !isApiError(save.error, 'PRECONDITION_FAILED');
  return (
    <FullScreen on={isFull} onLeave={() => setFull(false)}>
      <Section
        title={t('Instructions and configuration')}
        description={
          base &&
          (isDirty ? t('Unsaved changes. Saving creates draft {next}.', { next }) : shownText(agent, base))
        }
        actions={
          base && (
            <>
              {part === 'config' ? (
                <ConfigActions agent={agent.id} config={typed.config} onChange={draft.setConfig} />
              ) : (
                <>
                  <Suspense>
                    <span className={cx('contents', isFull && 'lg:hidden')}>
                      <Outline text={typed.text} onGoTo={(line) => actions.current?.goTo(line)} />
                    </span>
                  </Suspense>
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
                      onInsert={(text) => actions.current?.insert(text)}
                      onManage={() => setDeclaring('')}
                    />
                  </Suspense>
                  <Button size="small" onClick={() => onPreview(PREVIEW_NEWEST)}>
                    <FlaskConical aria-hidden />
                    {t('Try it')}
                  </Button>
                </>
              )}
              <IconButton
                label={isFull ? t('Leave full screen') : t('Full-screen editor')}
                variant="secondary"
                size="small"
                // Beside the title, where the others leave no room for it.
                className={cx(isFull && 'max-sm:absolute max-sm:top-3 max-sm:right-4')}
                icon={isFull ? <Minimize2 aria-hidden /> : <Maximize2 aria-hidden />}
                onClick={() => setFull(!isFull)}
              />
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
        {isRestored && restoredAt && (
          <div className="mb-3">
            <Notice
              action={
                <Button size="small" onClick={discard}>
                  {t('Discard changes')}
                </Button>
              }
            >
              {rich('Your unsaved changes from {time} were restored.', { time: <Time at={restoredAt} /> })}
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
        <div className={cx(isFull && 'flex min-h-96 flex-1 gap-5')}>
          {isFull && part === 'text' && (
            <Suspense>
              <OutlineList text={typed.text} onGoTo={(line) => actions.current?.goTo(line)} />
            </Suspense>
          )}
          <div className="editor-card overflow-clip rounded-lg border border-control bg-surface transition-colors focus-within:border-accent hover:border-muted has-[.cm-focused]:outline-2 has-[.cm-focused]:outline-accent">
            {error && !base ? (
              <ErrorState error={error} onRetry={onRetry} />
            ) : base ? (
              <Tabs
                label={t('Parts of the version')}
                isInCard
                keepsContent
                value={part}
                onChange={onPart}
                tabs={[
                  {
                    value: 'text',
                    label: <PartLabel label={t('Instructions')} isEdited={draft.isTextDirty} />,
                    content: (
                      <>
                        <Suspense fallback={waiting}>
                          <Editor
                            agent={agent.id}
                            label={t('Instructions')}
                            describedBy={described}
                            value={typed.text}
                            onChange={draft.setText}
                            actions={actions}
                            bar={bar}
                          />
                        </Suspense>
                        <Suspense>
                          <UnknownVariables
                            agent={agent.id}
                            text={typed.text}
                            onChange={draft.setText}
                            onDeclare={setDeclaring}
                          />
                        </Suspense>
                      </>
                    ),
                  },
                  {
                    value: 'config',
                    label: <PartLabel label={t('Configuration')} isEdited={draft.isConfigDirty} />,
                    content: isConfigOpened && (
                      <Suspense fallback={waiting}>
                        <ConfigEditor
                          agent={agent.id}
                          describedBy={described}
                          value={typed.config}
                          onChange={(next) => {
                            draft.setConfig(next);
                            if (failed) save.reset();
                          }}
                          error={save.error}
                          bar={bar}
                        />
                      </Suspense>
                    ),
                  },
                ]}
              />
            ) : (
              waiting
            )}
            <div
              ref={bar}
              className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 border-t border-line bg-surface px-3.5 py-2.5 tall:sticky tall:bottom-0"
            >
              {failed && (
                <div className="w-full">
                  <Notice tone="danger">
                    {isConfigRefused(save.error)
                      ? t('The configuration is not valid. Nothing was saved.')
                      : (fieldErrors(save.error).instructions ?? errorMessage(save.error))}
                  </Notice>
                </div>
              )}
              {part === 'config' ? (
                <ConfigSize id={described} state={config} />
              ) : (
                <InstructionsCount id={described} count={count} />
              )}
              <div className="flex flex-wrap items-center gap-2 max-sm:w-full max-sm:[&>button]:flex-1">
                {isDirty && (
                  <span
                    className={cx('text-[0.8125rem]', keptAt === null ? 'text-danger-ink' : 'text-muted')}
                  >
                    {keptAt === null
                      ? t('Not kept: the storage of this browser is full.')
                      : keptAt === undefined
                        ? t('Keeping…')
                        : t('Kept in this browser, {time}', { time: clockTime(keptAt) })}
                  </span>
                )}
                {isDirty && (
                  <Button variant="quiet" disabled={save.isPending} onClick={discard}>
                    {t('Discard changes')}
                  </Button>
                )}
                <Button
                  variant={isDirty ? 'primary' : 'secondary'}
                  busy={save.isPending}
                  disabled={!canSave}
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
        </div>
        {isComparing && theirs && (
          <VersionConflict
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
            onSave={() => save.mutate({ typed, base: theirs })}
          />
        )}
        {preview && base && (
          <Playground
            agent={agent}
            version={base.id}
            edited={isDirty ? typed : undefined}
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
        <UnsavedGuard when={isDirty && keptAt === null} />
      </Section>
    </FullScreen>
  );
};

export default DraftEditor;
