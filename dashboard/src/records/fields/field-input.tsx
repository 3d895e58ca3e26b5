import { type KeyboardEventHandler, type ReactNode, useState } from 'react';
import type { Field } from '../../api/types.gen.ts';
import { t } from '../../lib/i18n.ts';
import { Input, Select, Textarea } from '../../ui/field.tsx';

const MAX_TEXT = 2000;
const optionOf = (value: string) => ({ value, label: value });

/** The control for a field's type. Its value is a text: see `inputOf` and `enteredValue`. */
export const FieldInput = ({
  field: { type, options },
  zone,
  value,
  onChange,
  ...control
}: {
  readonly field: Pick<Field, 'type' | 'options'>;
  readonly zone: string;
  readonly label: ReactNode;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: ReactNode;
  readonly autoFocus?: boolean;
  readonly onKeyDown?: KeyboardEventHandler;
}) => {
  const [isMultiline] = useState(value.includes('\n'));
  const shared = { ...control, value, autoComplete: 'off' };
  const set = ({ target }: { readonly target: { readonly value: string } }) => onChange(target.value);
  if (type === 'boolean' || type === 'enum') {
    // A value whose option was removed stays until another one is chosen.
    const offered =
      type === 'boolean'
        ? [
            { value: 'true', label: t('Yes') },
            { value: 'false', label: t('No') },
          ]
        : [...new Set([...(options ?? []), ...(value ? [value] : [])])].map(optionOf);
    return <Select {...shared} placeholder={t('Not set')} options={offered} onChange={set} />;
  }
  if (type === 'date') return <Input {...shared} type="date" max="9999-12-31" onChange={set} />;
  if (type === 'datetime')
    return (
      <Input
        {...shared}
        type="datetime-local"
        max="9999-12-31T23:59"
        hint={t('Time zone: {zone}', { zone: zone.replaceAll('_', ' ') })}
        onChange={set}
      />
    );
  if (type === 'number') return <Input {...shared} inputMode="decimal" onChange={set} />;
  if (type === 'url') return <Input {...shared} type="url" maxLength={MAX_TEXT} onChange={set} />;
  return isMultiline ? (
    <Textarea {...shared} maxLength={MAX_TEXT} onChange={set} />
  ) : (
    <Input {...shared} maxLength={MAX_TEXT} onChange={set} />
  );
};
