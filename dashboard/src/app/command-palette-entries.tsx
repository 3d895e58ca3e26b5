import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Bot, Keyboard, LogOut, Moon, Sun, User, UserPlus, Zap } from 'lucide-react';
import { type ReactNode, useDeferredValue } from 'react';
import { apiQuery } from '../api/query.ts';
import { useStore } from '../api/store.ts';
import { contactName } from '../lib/format.ts';
import { commands } from './commands.ts';
import { signOut, useCurrentUser } from './current-user.ts';
import { isVisibleTo, type NavItem, navItems } from './navigation.ts';
import { chooseTheme } from './theme.ts';

export interface Entry {
  readonly key: string;
  readonly title: string;
  readonly aside?: string;
  readonly icon: ReactNode;
  readonly run: () => void;
}

const iconClass = 'size-4.5 shrink-0';
const MAX_RESULTS = 6;

export interface PaletteActions {
  readonly navigate: (to: string) => void;
  readonly onHelp: () => void;
}

const fixedEntries = (
  { navigate, onHelp }: PaletteActions,
  offered: readonly NavItem[],
): Record<'Go to' | 'Actions', Entry[]> => ({
  'Go to': offered.map(({ to, label, icon: Icon }) => ({
    key: to,
    title: label,
    icon: <Icon className={iconClass} aria-hidden />,
    run: () => navigate(to),
  })),
  Actions: [
    {
      key: 'add-contact',
      title: 'Add contact',
      icon: <UserPlus className={iconClass} aria-hidden />,
      run: () => navigate('/contacts?add=true'),
    },
    {
      key: 'light',
      title: 'Switch to light theme',
      icon: <Sun className={iconClass} aria-hidden />,
      run: () => chooseTheme('light'),
    },
    {
      key: 'dark',
      title: 'Switch to dark theme',
      icon: <Moon className={iconClass} aria-hidden />,
      run: () => chooseTheme('dark'),
    },
    {
      key: 'help',
      title: 'Keyboard shortcuts',
      icon: <Keyboard className={iconClass} aria-hidden />,
      run: onHelp,
    },
    {
      key: 'sign-out',
      title: 'Sign out',
      icon: <LogOut className={iconClass} aria-hidden />,
      run: () => void signOut(),
    },
  ],
});

const useSearchResults = (text: string, { navigate }: PaletteActions) => {
  const isActive = text !== '';
  const contacts = useQuery({
    ...apiQuery('/contacts', { query: { search: text, limit: MAX_RESULTS } }),
    enabled: isActive,
    placeholderData: keepPreviousData,
  });
  const agents = useQuery({ ...apiQuery('/agents', { query: { limit: 100 } }), enabled: isActive });
  const matches = (name: string) => name.toLowerCase().includes(text.toLowerCase());
  const results = {
    Contacts: (contacts.data?.data ?? []).map((contact) => ({
      key: contact.id,
      title: contactName(contact),
      aside: contact.phone_number,
      icon: <User className={iconClass} aria-hidden />,
      run: () => navigate(`/contacts/${contact.id}`),
    })),
    Agents: (agents.data?.data ?? [])
      .filter(({ name }) => matches(name))
      .slice(0, MAX_RESULTS)
      .map(({ id, name }) => ({
        key: id,
        title: name,
        icon: <Bot className={iconClass} aria-hidden />,
        run: () => navigate(`/agents/${id}`),
      })),
  };
  return {
    results: isActive ? results : {},
    searching: isActive && (contacts.isFetching || agents.isFetching),
  };
};

/** The entries that match the text: pages and actions immediately, contacts and agents once the service has found
 *  them. */
export const useCommandPaletteEntries = (typed: string, actions: PaletteActions) => {
  const text = useDeferredValue(typed.trim());
  const { results, searching } = useSearchResults(text, actions);
  const offered = useStore(commands).map(({ title, run }) => ({
    key: `offer-${title}`,
    title,
    icon: <Zap className={iconClass} aria-hidden />,
    run,
  }));
  const matches = ({ title }: Entry) => title.toLowerCase().includes(text.toLowerCase());
  const { role } = useCurrentUser();
  const fixed = fixedEntries(
    actions,
    navItems.filter((item) => isVisibleTo(item, role)),
  );
  const all: Record<string, Entry[]> = {
    'On this page': offered.filter(matches),
    'Go to': fixed['Go to'].filter(matches),
    ...results,
    Actions: fixed.Actions.filter(matches),
  };
  const groups = Object.entries(all)
    .map(([title, entries]) => ({ title, entries }))
    .filter(({ entries }) => entries.length > 0);
  return { groups, searching };
};
