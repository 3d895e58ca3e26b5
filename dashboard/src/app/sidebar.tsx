import { Link } from '@tanstack/react-router';
import { ChevronsUpDown, Search } from 'lucide-react';
import { t } from '../lib/i18n.ts';
import { KeyHint } from '../ui/keyboard.tsx';
import { LazyMenu } from '../ui/menu.tsx';
import { JobsButton } from './bulk-jobs/indicator.tsx';
import { useCurrentUser } from './current-user.ts';
import { isVisibleTo, mainItems, type NavItem, setupItems } from './navigation.ts';
import { NoticesButton } from './notices-button.tsx';
import { WorkspaceMenu } from './workspace-menu.tsx';

const loadAccountMenu = () => import('./account-menu.tsx');

export interface SidebarProps {
  readonly onPalette: () => void;
  readonly onHelp: () => void;
  readonly onNotices: () => void;
  /** Called when a page was selected. */
  readonly onNavigate: () => void;
}

const NavList = ({
  navItems,
  onNavigate,
}: {
  readonly navItems: readonly NavItem[];
  readonly onNavigate: () => void;
}) => {
  const { role } = useCurrentUser();
  const offered = navItems.filter((item) => isVisibleTo(item, role));
  return (
    <ul className="flex flex-col gap-0.5">
      {offered.map(({ to, label, icon: Icon }) => (
        <li key={to}>
          <Link
            to={to}
            onClick={onNavigate}
            activeOptions={{ exact: to === '/', includeSearch: false }}
            className="flex h-9 items-center gap-3 rounded-lg px-2.5 text-sm text-muted transition-colors hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent-ink max-lg:h-11"
          >
            <Icon className="size-4.5 shrink-0" aria-hidden />
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
};

export const Sidebar = ({ onPalette, onHelp, onNotices, onNavigate }: SidebarProps) => (
  <div className="flex h-full flex-col">
    <div className="flex items-center gap-1 px-2.5 pt-3 pb-2 max-lg:pr-14">
      <div className="min-w-0 flex-1">
        <WorkspaceMenu onNavigate={onNavigate} />
      </div>
      <span className="max-lg:hidden">
        <NoticesButton onOpen={onNotices} />
      </span>
    </div>
    <div className="px-3 pb-3">
      <button
        type="button"
        onClick={onPalette}
        className="flex h-9 w-full items-center gap-2.5 rounded-lg border border-line bg-canvas px-2.5 text-sm text-muted hover:border-control max-lg:h-11"
      >
        <Search className="size-4" aria-hidden />
        <span className="flex-1 text-start">{t('Search')}</span>
        <span className="max-lg:hidden">
          <KeyHint keys="Ctrl K" />
        </span>
      </button>
    </div>
    <nav aria-label={t('Main')} className="min-h-0 flex-1 overflow-y-auto px-3 py-1">
      <NavList navItems={mainItems} onNavigate={onNavigate} />
      <h2 className="mt-5 mb-1 px-2.5 text-xs font-medium text-muted">{t('Setup')}</h2>
      <NavList navItems={setupItems} onNavigate={onNavigate} />
    </nav>
    <div className="border-t border-line p-3">
      <JobsButton onOpen={onNavigate} />
      <Account onHelp={onHelp} />
    </div>
  </div>
);

const Account = ({ onHelp }: { readonly onHelp: () => void }) => {
  const { email, role } = useCurrentUser();
  const trigger = (
    <button
      type="button"
      className="flex w-full items-center gap-2.5 rounded-lg p-1.5 text-start hover:bg-sunken data-[state=open]:bg-sunken"
    >
      <span
        aria-hidden
        className="grid size-8 shrink-0 place-items-center rounded-full bg-accent-soft text-sm font-semibold text-accent-ink uppercase"
      >
        {email.charAt(0)}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm">{email}</span>
        <span className="block text-xs text-muted">{role === 'owner' ? t('Owner') : t('Member')}</span>
      </span>
      <ChevronsUpDown className="size-4 shrink-0 text-muted" aria-hidden />
    </button>
  );
  return <LazyMenu load={loadAccountMenu} props={{ trigger, onHelp }} />;
};
