import { Save } from 'lucide-react';
import type { Ref } from 'react';
import { errorMessage, fieldErrors } from '../../../api/api-error.ts';
import { clockTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { KeyHint } from '../../../ui/keyboard.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ConfigSize, type configState } from '../config/size.tsx';
import { InstructionsCount } from '../instructions-count.tsx';
import type { Part } from './draft-parts.tsx';
import { isConfigRefused } from './save-draft.ts';

export const SAVE_KEYS = 'Ctrl S';

/** Null if the browser refused, undefined until it has stored the latest edits. */
const KeptAt = ({ at }: { readonly at: string | null | undefined }) => (
  <span className={cx('text-[0.8125rem]', at === null ? 'text-danger-ink' : 'text-muted')}>
    {at === null
      ? t('Not kept: the storage of this browser is full.')
      : at === undefined
        ? t('Keeping…')
        : t('Kept in this browser, {time}', { time: clockTime(at) })}
  </span>
);

/** The bar below the editor: its size, the error of the last save, and the buttons that end the edits. */
export const SaveBar = ({
  ref,
  describes,
  part,
  count,
  config,
  error,
  isDirty,
  keptAt,
  canSave,
  busy,
  onDiscard,
  onSave,
}: {
  readonly ref: Ref<HTMLDivElement>;
  /** The id of the size, which describes the editor. */
  readonly describes: string;
  readonly part: Part;
  /** How many characters the instructions have. */
  readonly count: number;
  readonly config: ReturnType<typeof configState>;
  readonly error: unknown;
  readonly isDirty: boolean;
  readonly keptAt: string | null | undefined;
  readonly canSave: boolean;
  readonly busy: boolean;
  readonly onDiscard: () => void;
  readonly onSave: () => void;
}) => (
  <div
    ref={ref}
    className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 border-t border-line bg-surface px-3.5 py-2.5 tall:sticky tall:bottom-0"
  >
    {error !== undefined && (
      <div className="w-full">
        <Notice tone="danger">
          {isConfigRefused(error)
            ? t('The configuration is not valid. Nothing was saved.')
            : (fieldErrors(error).instructions ?? errorMessage(error))}
        </Notice>
      </div>
    )}
    {part === 'config' ? (
      <ConfigSize id={describes} state={config} />
    ) : (
      <InstructionsCount id={describes} count={count} />
    )}
    <div className="flex flex-wrap items-center gap-2 max-sm:w-full max-sm:[&>button]:flex-1">
      {isDirty && (
        <>
          <KeptAt at={keptAt} />
          <Button variant="quiet" disabled={busy} onClick={onDiscard}>
            {t('Discard changes')}
          </Button>
        </>
      )}
      <Button variant={isDirty ? 'primary' : 'secondary'} busy={busy} disabled={!canSave} onClick={onSave}>
        <Save aria-hidden />
        {t('Save draft')}
        <span className="max-sm:hidden">
          <KeyHint keys={SAVE_KEYS} />
        </span>
      </Button>
    </div>
  </div>
);
