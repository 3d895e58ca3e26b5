import { Pencil } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { errorMessage, fieldErrors } from '../api/api-error.ts';
import { t } from '../lib/i18n.ts';
import { Button } from './button.tsx';
import { DiscardDialog } from './confirm.tsx';
import { Input, Textarea } from './field.tsx';
import { isComposing } from './keyboard.tsx';

export interface InlineEditProps {
  readonly label: string;
  readonly value: string;
  /** Resolves when the value is saved. On failure the input stays and the error is shown. `before` is the value
   *  from when editing began. */
  readonly onSave: (value: string, before: string) => Promise<unknown>;
  /** Called when the field gets or no longer has unsaved changes. */
  readonly onDirty?: (isDirty: boolean) => void;
  /** The name of the field in error responses. */
  readonly field?: string;
  readonly placeholder?: string;
  readonly multiline?: boolean;
  readonly maxLength?: number;
  readonly type?: 'text' | 'email';
  /** Renders the value while it is not edited. */
  readonly show?: (value: string) => ReactNode;
  /** Renders another control than a text field. */
  readonly control?: (control: InlineControl) => ReactNode;
  /** Offers to remove the value. */
  readonly canClear?: boolean;
}

export interface InlineControl {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
  readonly autoFocus: boolean;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** A value with inline editing. Enter saves; Escape and Cancel discard, after confirmation if there are changes. The new value is
 *  shown while it is saved. If it is rejected, the field is open again, with the value and the error. */
export const InlineEdit = (props: InlineEditProps) => {
  const {
    label,
    value,
    onSave,
    onDirty,
    field,
    placeholder = t('Not set'),
    multiline,
    maxLength,
    type = 'text',
    show,
    control,
    canClear,
  } = props;
  const [typed, setTyped] = useState<string>();
  const [before, setBefore] = useState(value);
  const [saving, setSaving] = useState<string>();
  const [isConfirming, setConfirming] = useState(false);
  const [error, setError] = useState<string>();
  const button = useRef<HTMLButtonElement>(null);

  const entered = typed ?? saving;
  const isDirty = entered !== undefined && entered !== before;
  const onDirtyRef = useRef(onDirty);
  onDirtyRef.current = onDirty;
  useEffect(() => {
    onDirtyRef.current?.(isDirty);
    return () => {
      if (isDirty) onDirtyRef.current?.(false);
    };
  }, [isDirty]);

  const open = () => {
    setBefore(value);
    setTyped(value);
  };
  const close = () => {
    setTyped(undefined);
    setError(undefined);
    setTimeout(() => button.current?.focus());
  };
  const cancel = () => (isDirty ? setConfirming(true) : close());
  const save = async (next = typed) => {
    if (next === undefined || next === before || next === value) return close();
    close();
    setSaving(next);
    try {
      await onSave(next, before);
    } catch (failure) {
      setTyped(next);
      setError((field && fieldErrors(failure)[field]) || errorMessage(failure));
    } finally {
      setSaving(undefined);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === 'Escape') {
      event.stopPropagation();
      cancel();
    }
    if (event.key === 'Enter' && (!multiline || event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void save();
    }
  };
  const shown = saving ?? value;
  if (typed === undefined)
    return (
      <div className="min-w-0">
        <div className="text-[0.8125rem] text-muted">{label}</div>
        <button
          ref={button}
          type="button"
          aria-busy={saving !== undefined}
          onClick={() => saving === undefined && open()}
          className="group -mx-2 flex min-h-8 max-w-[calc(100%+1rem)] items-center gap-2 rounded-lg px-2 py-1 text-start text-sm hover:bg-sunken"
        >
          <span dir="auto" className={shown ? 'min-w-0 whitespace-pre-wrap' : 'text-muted'}>
            {shown ? (show?.(shown) ?? shown) : placeholder}
          </span>
          <Pencil className="size-3.5 shrink-0 text-muted" aria-hidden />
          <span className="sr-only">{t('Edit {label}', { label })}</span>
        </button>
      </div>
    );
  const shared = {
    label,
    value: typed,
    error,
    autoFocus: true,
    onKeyDown,
  };
  const setTarget = ({ target }: { readonly target: { readonly value: string } }) => setTyped(target.value);
  return (
    <div className="flex flex-col gap-2">
      {control?.({ ...shared, onChange: setTyped }) ??
        (multiline ? (
          <Textarea {...shared} maxLength={maxLength} onChange={setTarget} />
        ) : (
          <Input {...shared} maxLength={maxLength} type={type} onChange={setTarget} />
        ))}
      <div className="flex gap-2">
        <Button variant="primary" size="small" onClick={() => void save()}>
          {t('Save')}
        </Button>
        <Button size="small" onClick={cancel}>
          {t('Cancel')}
        </Button>
        {canClear && before !== '' && (
          <Button size="small" variant="quiet" onClick={() => void save('')}>
            {t('Clear')}
          </Button>
        )}
      </div>
      <DiscardDialog open={isConfirming} onOpenChange={setConfirming} onConfirm={close}>
        {t("Your changes to {label} haven't been saved and will be lost.", { label })}
      </DiscardDialog>
    </div>
  );
};
