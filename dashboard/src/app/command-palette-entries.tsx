import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  Bot,
  Cable,
  Copy,
  FileUp,
  Keyboard,
  KeyRound,
  Languages,
  Link,
  LogOut,
  type LucideIcon,
  Megaphone,
  Moon,
  Plug,
  Plus,
  Settings,
  Sun,
  User,
  UserPlus,
  Webhook,
  Zap,
} from 'lucide-react';
import { type ReactNode, useDeferredValue } from 'react';
import { allRecordsQuery } from '../api/all-records.ts';
import { apiQuery } from '../api/query.ts';
import { useStore } from '../api/store.ts';
import { contactName } from '../lib/format.ts';
import { language, languageName, languages, t } from '../lib/i18n.ts';
import { copyText } from '../ui/copy.tsx';
import { KeyHint } from '../ui/keyboard.tsx';
import { Phone } from '../ui/phone.tsx';
import { toast } from '../ui/toast.tsx';
import { commands } from './commands.ts';
import { requestSignOut, useCurrentUser } from './current-user.ts';
import { isVisibleTo, navItems } from './navigation.ts';
import { recordPath } from './recent.ts';
import { useRecent } from './recent-entries.tsx';
import { switchLanguage } from './switch-language.ts';
import { chooseTheme } from './theme.ts';

export interface Entry {
  readonly key: string;
  readonly title: string;
  readonly aside?: ReactNode;
  readonly icon: ReactNode;
  readonly run: () => void;
  /** A result for an earlier text, shown until the service has answered. */
  readonly isStale?: boolean;
}

const MAX_RESULTS = 6;

export interface PaletteActions {
  readonly navigate: (to: string) => void;
  readonly onHelp: () => void;
}

interface Target {
  readonly to: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** Opens it after `g`. */
  readonly key?: string;
  readonly isForOwners?: true;
}

const settingsPages: readonly Target[] = [
  { to: '/settings?tab=keys', label: t('Settings: API keys'), icon: KeyRound, isForOwners: true },
  { to: '/settings?tab=members', label: t('Settings: Members'), icon: UserPlus, isForOwners: true },
  { to: '/settings?tab=workspace', label: t('Settings: Workspace'), icon: Settings },
  { to: '/settings?tab=account', label: t('Settings: Account'), icon: User },
];

const creations: readonly Target[] = [
  { to: '/contacts?add=true', label: t('Add contact'), icon: UserPlus },
  { to: '/import', label: t('Import contacts'), icon: FileUp },
  { to: '/agents?add=true', label: t('Create agent'), icon: Bot },
  { to: '/campaigns?add=true', label: t('Create campaign'), icon: Megaphone },
  { to: '/channels?add=true', label: t('Create channel'), icon: Cable },
  { to: '/integrations?add=true', label: t('Create integration'), icon: Plug, isForOwners: true },
  { to: '/webhooks?add=true', label: t('Add endpoint'), icon: Webhook, isForOwners: true },
  { to: '/settings?tab=keys&add=true', label: t('Create API key'), icon: KeyRound, isForOwners: true },
  { to: '/settings?tab=members&add=true', label: t('Add member'), icon: UserPlus, isForOwners: true },
  { to: '/sign-in?add=true', label: t('Add workspace'), icon: Plus },
];

const iconOf = (Icon: LucideIcon) => <Icon className="size-4.5 shrink-0" aria-hidden />;

const entriesOf = (
  targets: readonly Target[],
  { navigate }: PaletteActions,
  role: 'owner' | 'member',
): Entry[] =>
  targets
    .filter((target) => isVisibleTo(target, role))
    .map(({ to, label, icon, key }) => ({
      key: to,
      title: label,
      icon: iconOf(icon),
      aside: key && <KeyHint keys={`g ${key}`} />,
      run: () => navigate(to),
    }));

const copy = async (text: string): Promise<void> => {
  const isCopied = await copyText(text, document.querySelector('main') ?? document.body);
  if (isCopied) toast.good(t('Copied'));
};

/** What every page of a record offers. */
const recordActions = (): Entry[] => {
  const id = recordPath(location.pathname)?.split('/')[2];
  if (!id) return [];
  return [
    { key: 'copy-id', title: t('Copy ID'), icon: iconOf(Copy), run: () => void copy(id) },
    {
      key: 'copy-link',
      title: t('Copy link to this page'),
      icon: iconOf(Link),
      run: () => void copy(location.href),
    },
  ];
};

const otherActions = ({ onHelp }: PaletteActions): Entry[] => [
  { key: 'light', title: t('Switch to light theme'), icon: iconOf(Sun), run: () => chooseTheme('light') },
  { key: 'dark', title: t('Switch to dark theme'), icon: iconOf(Moon), run: () => chooseTheme('dark') },
  ...languages
    .filter((each) => each !== language)
    .map((each) => ({
      key: each,
      title: t('Switch to {language}', { language: languageName(each) }),
      icon: iconOf(Languages),
      run: () => switchLanguage(each),
    })),
  { key: 'help', title: t('Keyboard shortcuts'), icon: iconOf(Keyboard), run: onHelp },
  { key: 'sign-out', title: t('Sign out'), icon: iconOf(LogOut), run: requestSignOut },
];

interface Named {
  readonly id: string;
  readonly name: string;
}

const useSearchResults = (text: string, { navigate }: PaletteActions) => {
  const isActive = text !== '';
  const searched = useDeferredValue(text);
  const contacts = useQuery({
    ...apiQuery('/contacts', { query: { search: searched, limit: MAX_RESULTS } }),
    enabled: searched !== '',
    placeholderData: keepPreviousData,
  });
  const isStale = searched !== text || contacts.isPlaceholderData;
  const agents = useQuery({ ...allRecordsQuery('/agents'), enabled: isActive });
  const campaigns = useQuery({ ...allRecordsQuery('/campaigns'), enabled: isActive });
  const channels = useQuery({ ...allRecordsQuery('/channels'), enabled: isActive });
  const imports = useQuery({ ...allRecordsQuery('/imports'), enabled: isActive });
  const needle = text.toLowerCase();
  const found = (
    records: readonly Named[] | undefined,
    icon: LucideIcon,
    pathOf: (id: string) => string,
  ): Entry[] =>
    (records ?? [])
      .filter(({ name }) => name.toLowerCase().includes(needle))
      .slice(0, MAX_RESULTS)
      .map(({ id, name }) => ({ key: id, title: name, icon: iconOf(icon), run: () => navigate(pathOf(id)) }));
  const results = [
    {
      title: t('Contacts'),
      entries: (contacts.data?.data ?? []).map((contact) => ({
        key: contact.id,
        title: contactName(contact),
        aside: <Phone number={contact.phone_number} />,
        icon: iconOf(User),
        run: () => navigate(`/contacts/${contact.id}`),
        isStale,
      })),
    },
    { title: t('Agents'), entries: found(agents.data?.data, Bot, (id) => `/agents/${id}`) },
    { title: t('Campaigns'), entries: found(campaigns.data?.data, Megaphone, (id) => `/campaigns/${id}`) },
    { title: t('Channels'), entries: found(channels.data?.data, Cable, (id) => `/channels?channel=${id}`) },
    { title: t('Imports'), entries: found(imports.data?.data, FileUp, (id) => `/import/${id}`) },
  ];
  const queries = [contacts, agents, campaigns, channels, imports];
  const isSearching = isStale || queries.some((each) => each.isFetching);
  return { results: isActive ? results : [], searching: isActive && isSearching };
};

/** The entries that match the text: pages and actions immediately, records once the service has found them. Records come last, so
 *  that they do not move the others. */
export const useCommandPaletteEntries = (typed: string, actions: PaletteActions) => {
  const text = typed.trim();
  const { role } = useCurrentUser();
  const { results, searching } = useSearchResults(text, actions);
  const offered = useStore(commands).map(
    ({ title, run }): Entry => ({
      key: `offer-${title}`,
      title,
      icon: iconOf(Zap),
      run,
    }),
  );
  const recent = useRecent().map(
    ({ path, icon, name }): Entry => ({
      key: path,
      title: name ?? '…',
      icon: iconOf(icon),
      run: () => actions.navigate(path),
    }),
  );
  const words = text.toLowerCase().split(/\s+/);
  const matches = ({ title }: Entry) => words.every((word) => title.toLowerCase().includes(word));
  const titles = new Set(offered.map(({ title }) => title));
  const created = entriesOf(creations, actions, role).filter(({ title }) => !titles.has(title));
  const settings = text === '' ? [] : entriesOf(settingsPages, actions, role);
  const groups = [
    { title: t('On this page'), entries: [...offered, ...recordActions()].filter(matches) },
    { title: t('Recently opened'), entries: text === '' ? recent : [] },
    { title: t('Go to'), entries: [...entriesOf(navItems, actions, role), ...settings].filter(matches) },
    { title: t('Actions'), entries: [...created, ...otherActions(actions)].filter(matches) },
    ...results,
  ].filter(({ entries }) => entries.length > 0) as { title: string; entries: Entry[] }[];
  return { groups, searching };
};
