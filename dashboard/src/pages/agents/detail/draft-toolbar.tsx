import { FlaskConical, Maximize2, Minimize2 } from 'lucide-react';
import { t } from '../../../lib/i18n.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { ConfigActions } from '../config/actions.tsx';
import type { Draft } from './draft.ts';
import type { Part } from './draft-parts.tsx';
import type { EditorActions } from './editor.tsx';
import InsertVariable from './insert-variable.tsx';
import Outline from './outline.tsx';

/** The buttons above the editor. */
export const DraftToolbar = ({
  agent,
  draft,
  part,
  actions,
  isFull,
  onFull,
  onTry,
  onManage,
}: {
  /** The id of the agent. */
  readonly agent: string;
  readonly draft: Draft;
  readonly part: Part;
  readonly actions: EditorActions;
  readonly isFull: boolean;
  readonly onFull: () => void;
  readonly onTry: () => void;
  /** Opens the agent's own variables. */
  readonly onManage: () => void;
}) => (
  <>
    {part === 'config' ? (
      <ConfigActions agent={agent} config={draft.typed.config} onChange={draft.setConfig} />
    ) : (
      <>
        {/* A wide screen has room for it as a list. */}
        <span className={cx('contents', isFull && 'lg:hidden')}>
          <Outline text={draft.typed.text} onGoTo={actions.goTo} />
        </span>
        <InsertVariable agent={agent} onInsert={actions.insert} onManage={onManage} />
        <Button size="small" onClick={onTry}>
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
      onClick={onFull}
    />
  </>
);
