import type { KeyboardEvent } from 'react';
import { t } from '../lib/i18n.ts';

/** The keys of a shortcut, such as `Ctrl K`. */
export const KeyHint = ({ keys }: { readonly keys: string }) => (
  <span className="inline-flex gap-1">
    {(keys === ' ' ? [t('Space')] : keys.split(' ')).map((key) => (
      <kbd
        key={key}
        className="rounded border border-line bg-sunken px-1.5 py-px font-sans text-[0.6875rem] font-medium text-muted"
      >
        {key === 'Ctrl' ? t('Ctrl') : key}
      </kbd>
    ))}
  </span>
);

/** Whether a key press belongs to an input method, such as the Enter that accepts a word. Safari sends that Enter
 *  after the composition has ended, with key code 229. */
export const isComposing = ({ nativeEvent }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === 229;
