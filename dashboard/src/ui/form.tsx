import { type ComponentProps, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { isComposing } from './keyboard.tsx';

const FIELDS = 'input, textarea, select, [role=combobox], [contenteditable=true]';

/** Ctrl Enter (Cmd Enter) submits the form from every field, also from one with several lines, but not from the
 *  buttons: with the focus on Cancel it must not delete anything. */
export const submitOnCtrlEnter = (event: KeyboardEvent<HTMLElement>) => {
  const { key, ctrlKey, metaKey, currentTarget } = event;
  const target = event.target as Element;
  if (key !== 'Enter' || !(ctrlKey || metaKey) || event.defaultPrevented || isComposing(event)) return;
  // React also bubbles the events of a dialog that this one has opened.
  if (!currentTarget.contains(target) || !target.closest(FIELDS)) return;
  event.preventDefault();
  // A held key may have opened this dialog.
  if (event.repeat) return;
  currentTarget.querySelector<HTMLElement>('form button[type=submit]')?.click();
};

/** The browser scrolls only the field itself into view, not the error below or above it. */
const showInvalid = (field: HTMLElement): void => {
  field.focus();
  const group = field.closest('fieldset[aria-describedby]') ?? field;
  document.getElementById(group.getAttribute('aria-describedby') ?? '')?.scrollIntoView({ block: 'nearest' });
};

/** A form whose fields show their own errors instead of the browser's. After a failed submit, the focus moves to
 *  the first invalid field. */
export const Form = ({
  onSubmit,
  ...props
}: Omit<ComponentProps<'form'>, 'onSubmit'> & { readonly onSubmit: () => void }) => {
  const form = useRef<HTMLFormElement>(null);
  const isSubmitted = useRef(false);
  const [, setSubmits] = useState(0);
  const moveFocus = () => {
    if (!isSubmitted.current || form.current?.querySelector('button[aria-busy=true]')) return;
    isSubmitted.current = false;
    const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid=true]');
    if (invalid) return showInvalid(invalid);
    // The submit button lost the focus, to its dialog if it is in one, while it was disabled during the request.
    if (document.activeElement?.matches('body, [role=dialog]'))
      form.current?.querySelector<HTMLElement>('button[type=submit]')?.focus();
  };
  useEffect(() => {
    if (!isSubmitted.current) return;
    const timer = setTimeout(moveFocus);
    return () => clearTimeout(timer);
  });
  return (
    <form
      {...props}
      ref={form}
      noValidate
      onKeyDown={submitOnCtrlEnter}
      onInput={() => {
        isSubmitted.current = false;
      }}
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        isSubmitted.current = true;
        setSubmits((count) => count + 1);
        onSubmit();
      }}
    />
  );
};
