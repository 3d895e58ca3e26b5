import { TriangleAlert } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { cx } from './cx.ts';

/** The attributes that connect a control with its label, hint and error. */
export interface ControlProps {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
  readonly required: boolean | undefined;
}

export interface FieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** The error message. */
  readonly error?: ReactNode;
  readonly required?: boolean;
  /** Hides the label visually; screen readers still announce it. */
  readonly hideLabel?: boolean;
  readonly className?: string;
}

/** A label, a control, a hint and an error. The control is rendered by a function. */
export const Field = ({
  label,
  hint,
  error,
  required,
  hideLabel,
  className,
  children,
}: FieldProps & { readonly children: (control: ControlProps) => ReactNode }) => {
  const id = useId();
  const described = error ? `${id}-error` : hint ? `${id}-hint` : undefined;
  return (
    <div className={cx('flex min-w-0 flex-col gap-1.5', className)}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-sm font-medium'}>
        {label}
        {required && (
          <span aria-hidden className="text-danger-ink">
            {' '}
            *
          </span>
        )}
      </label>
      {children({
        id,
        'aria-describedby': described,
        'aria-invalid': error ? true : undefined,
        required: required || undefined,
      })}
      {/* The error replaces the hint, so that the layout does not shift. */}
      {hint && !error && (
        <p id={`${id}-hint`} className="text-[0.8125rem] text-muted">
          {hint}
        </p>
      )}
      {/* Always rendered, so that screen readers announce changes. */}
      <div aria-live="polite" className="contents">
        {error && (
          <p id={`${id}-error`} className="flex gap-1.5 text-[0.8125rem] text-danger-ink">
            <TriangleAlert className="mt-0.5 size-3.5 shrink-0" aria-hidden />
            <span>{error}</span>
          </p>
        )}
      </div>
    </div>
  );
};

const split = <T extends FieldProps>({
  label,
  hint,
  error,
  required,
  hideLabel,
  className,
  ...control
}: T) => ({
  field: { label, hint, error, required, hideLabel, className } as FieldProps,
  control,
});

export type InputProps = FieldProps & Omit<ComponentProps<'input'>, keyof FieldProps | 'id'>;

export const Input = (props: InputProps) => {
  const { field, control } = split(props);
  return <Field {...field}>{(own) => <input dir="auto" className="control" {...control} {...own} />}</Field>;
};

export type TextareaProps = FieldProps & Omit<ComponentProps<'textarea'>, keyof FieldProps | 'id'>;

export const Textarea = (props: TextareaProps) => {
  const { field, control } = split(props);
  return (
    <Field {...field}>
      {(own) => (
        <textarea
          rows={4}
          dir="auto"
          className="control field-sizing-content max-h-96 min-h-24"
          {...control}
          {...own}
        />
      )}
    </Field>
  );
};

export type SelectProps = FieldProps &
  Omit<ComponentProps<'select'>, keyof FieldProps | 'id'> & {
    readonly options: readonly { readonly value: string; readonly label: string }[];
    /** Shown while nothing is selected; without it, the first option is selected. */
    readonly placeholder?: string;
  };

/** A native select, which works best on phones and by keyboard. */
export const Select = (props: SelectProps) => {
  const { field, control } = split(props);
  const { options, placeholder, ...select } = control;
  return (
    <Field {...field}>
      {(own) => (
        <select className="control" {...select} {...own}>
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          {options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
};
