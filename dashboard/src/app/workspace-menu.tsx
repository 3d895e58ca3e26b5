import { ChevronsUpDown } from 'lucide-react';
import { queryClient } from '../api/query.ts';
import { t } from '../lib/i18n.ts';
import { LazyMenu } from '../ui/menu.tsx';
import { useCurrentUser, workspacesQuery } from './current-user.ts';
import { Logo } from './logo.tsx';

const load = () => import('./workspace-menu-content.tsx');
const preload = () => void queryClient.prefetchQuery(workspacesQuery);

/** The name of the workspace, with a menu of the workspaces that this browser has signed in to. */
export const WorkspaceMenu = ({ onNavigate }: { readonly onNavigate: () => void }) => {
  const user = useCurrentUser();
  const trigger = (
    <button
      type="button"
      onPointerEnter={preload}
      onFocus={preload}
      className="flex w-full min-w-0 items-center gap-2.5 rounded-lg p-1.5 text-start hover:bg-sunken data-[state=open]:bg-sunken"
    >
      <Logo />
      <span className="min-w-0 flex-1">
        <span
          dir="auto"
          title={user.workspace.name}
          className="line-clamp-2 text-sm leading-tight font-semibold wrap-anywhere"
        >
          <span className="sr-only">{t('Workspace')} </span>
          {user.workspace.name}
        </span>
        <span aria-hidden className="block text-xs text-muted">
          {t('Roster')}
        </span>
      </span>
      <ChevronsUpDown className="size-4 shrink-0 text-muted" aria-hidden />
    </button>
  );
  return <LazyMenu load={load} props={{ trigger, onNavigate }} />;
};
