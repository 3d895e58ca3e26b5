import { type ComponentProps, useEffect, useRef, useState } from 'react';

/** A form whose problems are shown by its fields, not by the browser. Where a submit fails, by its own checks or by the
 *  service's, the focus moves to the first invalid field. */
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
    if (invalid) return invalid.focus();
    // The submit button was disabled while the request was under way, and lost the focus by that.
    if (document.activeElement === document.body)
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
