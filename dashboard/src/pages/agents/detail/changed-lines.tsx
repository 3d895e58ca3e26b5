import type { Difference } from '../../../api/types.gen.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { cx } from '../../../ui/cx.ts';

const MAX_LINES = 60;

interface Line {
  readonly change: 'added' | 'removed';
  readonly line: string;
}

const removeLast = (from: string[], line: string | undefined): boolean => {
  const at = line === undefined ? -1 : from.lastIndexOf(line);
  if (at !== -1) from.splice(at, 1);
  return at !== -1;
};

/** The changed lines. The service reports a last line that only gained or lost its line break as removed and added;
 *  it is treated as unchanged here. */
export const changedLines = ({ hunks }: Difference): readonly Line[] => {
  const changed = hunks.flatMap(({ changes }) =>
    changes.map(({ change, lines }) => ({ change, lines: [...lines] })),
  );
  const [one, other] = changed.slice(-2);
  if (one && other && one.change !== 'same' && other.change !== 'same') {
    const [last, otherLast] = [one.lines.at(-1), other.lines.at(-1)];
    if (removeLast(other.lines, last)) one.lines.pop();
    else if (removeLast(one.lines, otherLast)) other.lines.pop();
  }
  return changed.flatMap(({ change, lines }) =>
    change === 'same' ? [] : lines.map((line) => ({ change, line })),
  );
};

export const ChangedLines = ({ lines }: { readonly lines: readonly Line[] }) => (
  <section
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
    tabIndex={0}
    aria-label={t('Changed lines')}
    className="mt-2 max-h-44 overflow-y-auto rounded-lg border border-line text-[0.8125rem]"
  >
    {lines.slice(0, MAX_LINES).map(({ change, line }, index) => (
      <p
        // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change while it is shown
        key={index}
        className={cx(
          'flex gap-2 px-2.5 py-0.5 wrap-anywhere whitespace-pre-wrap',
          change === 'added' ? 'bg-accent-soft text-accent-ink' : 'bg-danger-soft text-danger-ink',
        )}
      >
        <span aria-hidden>{change === 'added' ? '+' : '−'}</span>
        <span className="sr-only">{change === 'added' ? t('added:') : t('removed:')} </span>
        <span className="min-w-0 flex-1">{line || ' '}</span>
      </p>
    ))}
    {lines.length > MAX_LINES && (
      <p className="px-2.5 py-1 text-muted">
        {plural(
          lines.length - MAX_LINES,
          'and # more line. Compare the versions to see all changes.',
          'and # more lines. Compare the versions to see all changes.',
        )}
      </p>
    )}
  </section>
);
