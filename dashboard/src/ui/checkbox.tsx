import { type ReactNode, useCallback, useId } from 'react';

export interface CheckboxProps {
  readonly checked: boolean | 'indeterminate';
  readonly onChange: (checked: boolean) => void;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly disabled?: boolean | undefined;
  /** Marks it as the field to correct. */
  readonly invalid?: boolean;
}

const Box = ({
  checked,
  onChange,
  ...input
}: Pick<CheckboxProps, 'checked' | 'onChange' | 'disabled'> & {
  readonly id?: string;
  readonly 'aria-label'?: string;
  readonly 'aria-describedby'?: string | undefined;
  readonly 'aria-invalid'?: true | undefined;
}) => {
  const isIndeterminate = checked === 'indeterminate';
  const mark = useCallback(
    (box: HTMLInputElement | null) => {
      if (box) box.indeterminate = isIndeterminate;
    },
    [isIndeterminate],
  );
  return (
    <input
      {...input}
      ref={mark}
      type="checkbox"
      className="checkbox"
      checked={checked === true}
      onChange={({ target }) => onChange(target.checked)}
    />
  );
};

export const Checkbox = ({ label, hint, invalid, ...box }: CheckboxProps) => {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5">
      <Box
        {...box}
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        aria-invalid={invalid || undefined}
      />
      <div className="min-w-0 text-sm">
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p id={`${id}-hint`} className="text-[0.8125rem] text-muted">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
};

/** A checkbox whose label only screen readers announce. */
export const RowCheckbox = ({
  label,
  ...box
}: Omit<CheckboxProps, 'label' | 'hint' | 'invalid'> & { readonly label: string }) => (
  <Box {...box} aria-label={label} />
);
