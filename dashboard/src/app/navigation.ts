import {
  Bot,
  Cable,
  FileUp,
  Filter,
  History,
  House,
  type LucideIcon,
  Megaphone,
  PhoneCall,
  Plug,
  Settings,
  Tag,
  Users,
  UsersRound,
  Webhook,
} from 'lucide-react';
import { t } from '../lib/i18n.ts';

export interface NavItem {
  readonly to: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** Opens the page after `g`. */
  readonly key: string;
  /** Hidden from members, who have no access. */
  readonly isForOwners?: true;
}

/** The pages in the sidebar and the command palette, in two groups. */
export const mainItems: readonly NavItem[] = [
  { to: '/', label: t('Home'), icon: House, key: 'h' },
  { to: '/contacts', label: t('Contacts'), icon: Users, key: 'c' },
  { to: '/duplicates', label: t('Duplicates'), icon: UsersRound, key: 'd' },
  { to: '/segments', label: t('Segments'), icon: Filter, key: 'e' },
  { to: '/import', label: t('Imports'), icon: FileUp, key: 'i' },
  { to: '/agents', label: t('Agents'), icon: Bot, key: 'a' },
  { to: '/campaigns', label: t('Campaigns'), icon: Megaphone, key: 'p' },
  { to: '/calls', label: t('Calls'), icon: PhoneCall, key: 'l' },
];

export const setupItems: readonly NavItem[] = [
  { to: '/channels', label: t('Channels'), icon: Cable, key: 'n' },
  { to: '/integrations', label: t('Integrations'), icon: Plug, key: 'r', isForOwners: true },
  { to: '/webhooks', label: t('Webhooks'), icon: Webhook, key: 'w', isForOwners: true },
  { to: '/audit-log', label: t('Audit log'), icon: History, key: 'u', isForOwners: true },
  { to: '/tags', label: t('Tags'), icon: Tag, key: 't' },
  { to: '/settings', label: t('Settings'), icon: Settings, key: 's' },
];

export const isVisibleTo = (item: Pick<NavItem, 'isForOwners'>, role: 'owner' | 'member'): boolean =>
  role === 'owner' || !item.isForOwners;

export const navItems: readonly NavItem[] = [...mainItems, ...setupItems];
