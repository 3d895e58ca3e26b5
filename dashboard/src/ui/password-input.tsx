import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { t } from '../lib/i18n.ts';
import { Field, type FieldProps, type InputProps } from './field.tsx';

/** A password field with a button that shows what was typed. */
export const PasswordInput = ({
  label,
  hint,
  error,
  required,
  hideLabel,
  className,
  ...control
}: Omit<InputProps, 'type'>) => {
  const [isShown, setShown] = useState(false);
  const field = { label, hint, error, required, hideLabel, className } as FieldProps;
  const Icon = isShown ? EyeOff : Eye;
  return (
    <Field {...field}>
      {(own) => (
        <span className="relative flex">
          <input
            dir="ltr"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            {...control}
            {...own}
            type={isShown ? 'text' : 'password'}
            className="control pr-11"
          />
          <button
            type="button"
            onClick={() => setShown(!isShown)}
            className="absolute inset-y-0 right-0 grid w-10 place-items-center rounded-lg text-muted -outline-offset-2 hover:text-ink"
          >
            <Icon className="size-4.5" aria-hidden />
            <span className="sr-only">{isShown ? t('Hide password') : t('Show password')}</span>
          </button>
        </span>
      )}
    </Field>
  );
};
