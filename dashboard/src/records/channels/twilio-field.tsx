import { t } from '../../lib/i18n.ts';
import { Input } from '../../ui/field.tsx';

/** The token that Twilio signs its requests with. It is stored encrypted and never shown again. */
export const TwilioField = ({
  label,
  value,
  error,
  hint = t(
    "Only needed if Twilio reports calls and messages to this channel. Twilio signs requests with your account's auth token.",
  ),
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly hint?: string;
  readonly onChange: (token: string) => void;
}) => (
  <Input
    label={label}
    hint={hint}
    type="password"
    autoComplete="off"
    maxLength={200}
    spellCheck={false}
    value={value}
    error={error}
    onChange={({ target }) => onChange(target.value)}
  />
);
