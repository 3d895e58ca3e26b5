import type { Identity } from '../../api/types.gen.ts';
import { t } from '../../lib/i18n.ts';
import { PhoneLink } from '../../ui/phone.tsx';

export const identityKinds: Record<Identity['kind'], string> = {
  phone: t('Phone number'),
  whatsapp_user: t('WhatsApp user ID'),
  email_address: t('Email address'),
  external: t('ID in another system'),
};

export const IdentityValue = ({ of: { kind, value } }: { readonly of: Pick<Identity, 'kind' | 'value'> }) =>
  kind === 'phone' ? <PhoneLink number={value} /> : <bdi className="wrap-anywhere">{value}</bdi>;
