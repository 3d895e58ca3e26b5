import { plural, t } from '../../lib/i18n.ts';
import { cx } from '../../ui/cx.ts';

/** The maximum length of instructions. */
export const MAX_INSTRUCTIONS = 50_000;
const WARN_FROM = 45_000;

/** Counts code points, as the service does. */
export const codePointCount = (text: string): number => {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(index + 1);
    if (next >= 0xdc00 && next <= 0xdfff) {
      count--;
      index++;
    }
  }
  return count;
};

/** The length of the instructions, announced when the limit is near. */
export const InstructionsCount = ({ id, count }: { readonly id?: string; readonly count: number }) => {
  const left = MAX_INSTRUCTIONS - count;
  return (
    <p
      id={id}
      className={cx(
        'figure text-[0.8125rem]',
        left < 0
          ? 'font-medium text-danger-ink'
          : count >= WARN_FROM
            ? 'font-medium text-warn-ink'
            : 'text-muted',
      )}
    >
      {t('{count} of {max} characters', { count, max: MAX_INSTRUCTIONS })}
      <span aria-live="polite">
        {left < 0
          ? plural(-left, ': # too many', ': # too many')
          : count >= WARN_FROM
            ? left === 0
              ? t(': limit reached')
              : plural(left, ': # left', ': # left')
            : ''}
      </span>
    </p>
  );
};
