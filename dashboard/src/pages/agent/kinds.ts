import { Globe, type LucideIcon, MessageCircle, MessageSquareText, Phone } from 'lucide-react';

const kinds: Readonly<Record<string, readonly [word: string, icon: LucideIcon]>> = {
  phone: ['Phone', Phone],
  sms: ['SMS', MessageSquareText],
  whatsapp: ['WhatsApp', MessageCircle],
  web_chat: ['Web chat', Globe],
};

/** What a kind of channel is called, and its sign. */
export const kindOf = (kind: string): readonly [word: string, icon: LucideIcon] =>
  kinds[kind] ?? [kind, Globe];
