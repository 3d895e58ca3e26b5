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
  Webhook,
} from 'lucide-react';
import { t } from '../lib/i18n.ts';

export interface NavItem {
  readonly to: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** Hidden from members, who have no access. */
  readonly isForOwners?: true;
}

/** The pages in the sidebar and the command palette, in two groups. */
export const mainItems: readonly NavItem[] = [
  { to: '/', label: t('Home'), icon: House },
  { to: '/contacts', label: t('Contacts'), icon: Users },
  { to: '/segments', label: t('Segments'), icon: Filter },
  { to: '/import', label: t('Imports'), icon: FileUp },
  { to: '/agents', label: t('Agents'), icon: Bot },
  { to: '/campaigns', label: t('Campaigns'), icon: Megaphone },
  { to: '/calls', label: t('Calls'), icon: PhoneCall },
];

export const setupItems: readonly NavItem[] = [
  { to: '/channels', label: t('Channels'), icon: Cable },
  { to: '/integrations', label: t('Integrations'), icon: Plug, isForOwners: true },
  { to: '/webhooks', label: t('Webhooks'), icon: Webhook, isForOwners: true },
  { to: '/audit-log', label: t('Audit log'), icon: History, isForOwners: true },
  { to: '/tags', label: t('Tags'), icon: Tag },
  { to: '/settings', label: t('Settings'), icon: Settings },
];

export const isVisibleTo = (item: NavItem, role: 'owner' | 'member'): boolean =>
  role === 'owner' || !item.isForOwners;

export const navItems: readonly NavItem[] = [...mainItems, ...setupItems];
