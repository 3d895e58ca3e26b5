import { useId, useMemo, useRef, useState } from 'react';
import { isApiError } from '../../../api/api-error.ts';
import { invalidate } from '../../../api/query.ts';
import type { Agent, VersionSummary } from '../../../api/types.gen.ts';
import { useCommand } from '../../../app/commands.ts';
import { useCurrentUser } from '../../../app/current-user.ts';
import { useShortcut } from '../../../app/shortcuts.ts';
import { UnsavedGuard } from '../../../app/unsaved-guard.tsx';
import { t } from '../../../lib/i18n.ts';
import { cx } from '../../../ui/cx.ts';
import { Section } from '../../../ui/page.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';
import { configState } from '../config/size.tsx';
import { codePointCount, MAX_INSTRUCTIONS } from '../instructions-count.tsx';
import { AgentVariables, Playground } from '../lazy-dialogs.tsx';
import { PREVIEW_NEWEST } from '../version/url-params.ts';
import { contentOf, type Draft, versionNumber } from './draft.ts';
import { DraftNotices, shownText } from './draft-notices.tsx';
import { DraftParts, type Part, waiting } from './draft-parts.tsx';
import { DraftToolbar } from './draft-toolbar.tsx';
import { VersionConflict } from './edit-conflict.tsx';
import type { EditorActions } from './editor.tsx';
import { FullScreen } from './full-screen.tsx';
import { useKeptDraft } from './kept-draft.ts';
import { OutlineList } from './outline.tsx';
import { SAVE_KEYS, SaveBar } from './save-bar.tsx';
import { isConfigRefused, useSaveDraft } from './save-draft.ts';

const FULL_KEYS = 'Ctrl .';

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
  const [isComparing, setComparing] = useState(false);
  /** The dialog of the agent's own variables is open, with a name to add if it is not empty. */
  const [declaring, setDeclaring] = useState<string>();
  const described = useId();
  const actions = useRef<EditorActions>(null);
  /** The editor is loaded later than the buttons. */
  const editor = useMemo<EditorActions>(
    () => ({
      insert: (text) => actions.current?.insert(text),
      goTo: (line) => actions.current?.goTo(line),
    }),
    [],
  );
  const [isFull, setFull] = useState(false);
  const [isRestored, setRestored] = useState(restoredAt !== undefined);
  if (isRestored && base && !isDirty) setRestored(false);
  const keptAt = useKeptDraft(useCurrentUser().id, agent.id, draft);
  const bar = useRef<HTMLDivElement>(null);
  const next = `v${versionNumber(agent.versions[0]?.version_label ?? 'v0') + 1}`;
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
            <DraftToolbar
              agent={agent.id}
              draft={draft}
              part={part}
              actions={editor}
              isFull={isFull}
              onFull={() => setFull(!isFull)}
              onTry={() => onPreview(PREVIEW_NEWEST)}
              onManage={() => setDeclaring('')}
            />
          )
        }
      >
        <DraftNotices
          agent={agent}
          draft={draft}
          restoredAt={isRestored ? restoredAt : undefined}
          onOpen={onOpen}
          onDiscard={discard}
          onCompare={() => setComparing(true)}
        />
        <div className={cx(isFull && 'flex min-h-96 flex-1 gap-5')}>
          {isFull && part === 'text' && <OutlineList text={typed.text} onGoTo={editor.goTo} />}
          <div className="editor-card overflow-clip rounded-lg border border-control bg-surface transition-colors focus-within:border-accent hover:border-muted has-[.cm-focused]:outline-2 has-[.cm-focused]:outline-accent">
            {error && !base ? (
              <ErrorState error={error} onRetry={onRetry} />
            ) : base ? (
              <DraftParts
                agent={agent.id}
                draft={draft}
                part={part}
                onPart={onPart}
                describedBy={described}
                actions={actions}
                bar={bar}
                error={save.error}
                onConfigEdited={() => failed && save.reset()}
                onDeclare={setDeclaring}
              />
            ) : (
              waiting
            )}
            <SaveBar
              ref={bar}
              describes={described}
              part={part}
              count={count}
              config={config}
              error={failed ? save.error : undefined}
              isDirty={isDirty}
              keptAt={keptAt}
              canSave={canSave}
              busy={save.isPending}
              onDiscard={discard}
              onSave={submit}
            />
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
