import { lazy, type RefObject, Suspense, useEffect, useState } from 'react';
import { loadChunk } from '../../../api/load-chunk.ts';
import { t } from '../../../lib/i18n.ts';
import { Skeleton } from '../../../ui/states.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import UnknownVariables from '../unknown-variables.tsx';
import type { Draft } from './draft.ts';
import Editor, { type EditorActions } from './editor.tsx';

const ConfigEditor = lazy(() => loadChunk(() => import('../config/config-editor.tsx')));

export type Part = 'text' | 'config';

export const waiting = <Skeleton className="h-72 w-full rounded-none!" />;

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

/** The editors of the instructions and of the configuration. */
export const DraftParts = ({
  agent,
  draft,
  part,
  onPart,
  describedBy,
  actions,
  bar,
  error,
  onConfigEdited,
  onDeclare,
}: {
  /** The id of the agent. */
  readonly agent: string;
  readonly draft: Draft;
  readonly part: Part;
  readonly onPart: (part: Part) => void;
  readonly describedBy: string;
  readonly actions: RefObject<EditorActions | null>;
  readonly bar: RefObject<HTMLElement | null>;
  /** The error of the last save, which may concern the configuration. */
  readonly error: unknown;
  readonly onConfigEdited: () => void;
  /** Declares a variable of the agent. */
  readonly onDeclare: (name: string) => void;
}) => {
  const { typed } = draft;
  const [isConfigOpened, setConfigOpened] = useState(part === 'config');
  useEffect(() => setConfigOpened((was) => was || part === 'config'), [part]);
  return (
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
              <Editor
                agent={agent}
                label={t('Instructions')}
                describedBy={describedBy}
                value={typed.text}
                onChange={draft.setText}
                actions={actions}
                bar={bar}
              />
              <UnknownVariables
                agent={agent}
                text={typed.text}
                onChange={draft.setText}
                onDeclare={onDeclare}
              />
            </>
          ),
        },
        {
          value: 'config',
          label: <PartLabel label={t('Configuration')} isEdited={draft.isConfigDirty} />,
          content: isConfigOpened && (
            <Suspense fallback={waiting}>
              <ConfigEditor
                agent={agent}
                describedBy={describedBy}
                value={typed.config}
                onChange={(next) => {
                  draft.setConfig(next);
                  onConfigEdited();
                }}
                error={error}
                bar={bar}
              />
            </Suspense>
          ),
        },
      ]}
    />
  );
};
