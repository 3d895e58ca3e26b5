import {
  Bot,
  Cable,
  FileUp,
  History,
  House,
  type LucideIcon,
  Megaphone,
  PhoneCall,
  Plug,
  Settings,
  Users,
} from 'lucide-react';

export interface NavItem {
  readonly to: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** Hidden from members, who have no access. */
  readonly isForOwners?: true;
}

/** The pages in the sidebar and the command palette, in two groups. */
export const mainItems: readonly NavItem[] = [
  { to: '/', label: 'Home', icon: House },
  { to: '/contacts', label: 'Contacts', icon: Users },
  { to: '/import', label: 'Imports', icon: FileUp },
  { to: '/agents', label: 'Agents', icon: Bot },
  { to: '/campaigns', label: 'Campaigns', icon: Megaphone },
  { to: '/calls', label: 'Calls', icon: PhoneCall },
];

export const setupItems: readonly NavItem[] = [
  { to: '/channels', label: 'Channels', icon: Cable },
  { to: '/integrations', label: 'Integrations', icon: Plug, isForOwners: true },
  { to: '/audit-log', label: 'Audit log', icon: History, isForOwners: true },
  { to: '/settings', label: 'Settings', icon: Settings },
];

export const isVisibleTo = (item: NavItem, role: 'owner' | 'member'): boolean =>
  role === 'owner' || !item.isForOwners;

export const navItems: readonly NavItem[] = [...mainItems, ...setupItems];
