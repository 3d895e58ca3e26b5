import { Globe, MessageCircle, MessageSquare, Phone } from 'lucide-react';
import type { Channel } from '../../api/types.gen.ts';
import { t } from '../../lib/i18n.ts';

export const channelTypeLabels: Record<Channel['kind'], string> = {
  phone: t('Phone'),
  sms: t('SMS'),
  whatsapp: t('WhatsApp'),
  web_chat: t('Web chat'),
};

export const channelTypeIcons = {
  phone: Phone,
  sms: MessageSquare,
  whatsapp: MessageCircle,
  web_chat: Globe,
} as const;

/** The type of a channel with its icon. */
export const ChannelType = ({ kind }: { readonly kind: Channel['kind'] }) => {
  const Icon = channelTypeIcons[kind];
  return (
    <span className="inline-flex items-center gap-1.5 align-bottom whitespace-nowrap">
      <Icon className="size-4 shrink-0 text-muted" aria-hidden />
      {channelTypeLabels[kind]}
    </span>
  );
};
