import { type ReactNode, useState } from 'react';
import { EMPTY } from '../lib/format.ts';
import { t } from '../lib/i18n.ts';
import { cx } from './cx.ts';

const MAX_TEXT = 200;

/** Opens and closes the rest of something that is cut. */
export const MoreButton = ({
  isOpen,
  onToggle,
  children,
}: {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  /** What opens the rest. */
  readonly children: string;
}) => (
  <button
    type="button"
    aria-expanded={isOpen}
    onClick={onToggle}
    className="rounded text-[0.8125rem] text-muted underline hover:text-ink max-sm:min-h-8"
  >
    {isOpen ? t('Show less') : children}
  </button>
);

/** A text whose end is shown on demand if it is long. */
const CutText = ({ text }: { readonly text: string }) => {
  const [isOpen, setOpen] = useState(false);
  const letters = [...text];
  if (letters.length <= MAX_TEXT) return text;
  return (
    <>
      {isOpen ? text : `${letters.slice(0, MAX_TEXT).join('').trimEnd()}…`}{' '}
      <MoreButton isOpen={isOpen} onToggle={() => setOpen(!isOpen)}>
        {t('Show the whole text')}
      </MoreButton>
    </>
  );
};

const Value = ({ isNew = false, children }: { readonly isNew?: boolean; readonly children: ReactNode }) => (
  <span
    className={cx(
      'rounded box-decoration-clone px-1 py-px wrap-anywhere whitespace-pre-wrap',
      typeof children === 'string' && children.includes('\n') && 'inline-block align-top',
      children !== EMPTY && (isNew ? 'bg-accent-soft text-accent-ink' : 'bg-danger-soft text-danger-ink'),
    )}
  >
    <span className="sr-only">{isNew ? t('now:') : t('before:')} </span>
    <bdi>{typeof children === 'string' ? <CutText text={children} /> : children}</bdi>
  </span>
);

/** `old → new`. A value that is undefined is left out with the arrow. */
export const OldToNew = ({
  before,
  after,
}: {
  readonly before: ReactNode | undefined;
  readonly after: ReactNode | undefined;
}) => (
  <>
    {before !== undefined && <Value>{before}</Value>}
    {before !== undefined && after !== undefined && (
      <span aria-hidden className="text-muted">
        {' → '}
      </span>
    )}
    {after !== undefined && <Value isNew>{after}</Value>}
  </>
);
