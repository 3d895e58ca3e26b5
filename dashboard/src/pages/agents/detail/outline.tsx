import { ListTree } from 'lucide-react';
import { useDeferredValue, useMemo, useRef } from 'react';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { lineEnd } from './codemirror.ts';
import { headingsOf } from './headings.ts';

interface OutlineProps {
  readonly text: string;
  /** Moves the cursor to the beginning of a line. */
  readonly onGoTo: (line: number) => void;
}

const useHeadings = (text: string) => {
  const deferred = useDeferredValue(text);
  return useMemo(() => headingsOf(deferred.split(lineEnd(deferred))), [deferred]);
};

const indent = (level: number) => ({ paddingInlineStart: `${(level - 1) * 0.75}rem` });

/** The headings of the instructions as a menu. */
const Outline = ({ text, onGoTo }: OutlineProps) => {
  const headings = useHeadings(text);
  const hasChosen = useRef(false);
  if (headings.length === 0) return null;
  return (
    <Menu
      trigger={
        <Button size="small">
          <ListTree aria-hidden />
          {t('Outline')}
        </Button>
      }
      items={headings.map(({ line, level, text: title }) => ({
        label: (
          <span dir="auto" className="block wrap-anywhere" style={indent(level)}>
            {title}
          </span>
        ),
        onSelect: () => {
          hasChosen.current = true;
          onGoTo(line);
        },
      }))}
      onCloseAutoFocus={(event) => {
        // The focus stays in the editor.
        if (hasChosen.current) event.preventDefault();
        hasChosen.current = false;
      }}
    />
  );
};

/** The same as a list beside the editor. */
export const OutlineList = ({ text, onGoTo }: OutlineProps) => {
  const headings = useHeadings(text);
  return (
    <nav aria-label={t('Outline')} className="w-60 shrink-0 overflow-y-auto text-sm max-lg:hidden">
      {headings.length === 0 && (
        <p className="text-muted">{t('Lines that begin with # are headings. They appear here.')}</p>
      )}
      {headings.map(({ line, level, text: title }) => (
        <button
          key={line}
          type="button"
          dir="auto"
          style={indent(level)}
          className="block w-full rounded py-1 text-start wrap-anywhere text-muted hover:text-ink hover:underline"
          onClick={() => onGoTo(line)}
        >
          {title}
        </button>
      ))}
    </nav>
  );
};

export default Outline;
