import { TriangleAlert } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { cx } from './cx.ts';

/** What a control needs in order to be named and described by its field. */
export interface ControlProps {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
  readonly required: boolean | undefined;
}

export interface FieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** What is wrong, in a sentence. */
  readonly error?: ReactNode;
  readonly required?: boolean;
  /** Keeps the label for those who cannot see, where the place says what the field is. */
  readonly hideLabel?: boolean;
  readonly className?: string;
}

/** A label, a control, a hint, and what is wrong. The control is given by a function of its properties. */
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
      {/* What is wrong takes the place of the hint, so that nothing below moves when it appears. */}
      {hint && !error && (
        <p id={`${id}-hint`} className="text-[0.8125rem] text-muted">
          {hint}
        </p>
      )}
      {/* Always there, so that what appears in it is announced. */}
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
    /** Shown while nothing is chosen; without it the first option is. */
    readonly placeholder?: string;
  };

/** The browser's own list: the best there is on a phone and by keyboard. */
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
