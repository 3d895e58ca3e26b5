import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api/query.ts';
import type { Channel } from '../../api/types.gen.ts';
import { t } from '../../lib/i18n.ts';
import { Input } from '../../ui/field.tsx';
import { PhoneField } from '../../ui/phone-field.tsx';

/** The address of a channel: a phone number, or any text for a web chat. */
export const AddressField = ({
  kind,
  value,
  error,
  onChange,
}: {
  readonly kind: Channel['kind'];
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (address: string) => void;
}) => {
  const country = useQuery(apiQuery('/settings')).data?.data.default_country;
  if (kind !== 'web_chat')
    return (
      <PhoneField
        label={t('Phone number')}
        required
        country={country}
        value={value}
        onChange={onChange}
        error={error}
      />
    );
  return (
    <Input
      label={t('Address')}
      hint={t('Where the chat appears, e.g. example.com/help.')}
      required
      maxLength={200}
      autoComplete="off"
      value={value}
      error={error}
      onChange={({ target }) => onChange(target.value)}
    />
  );
};
