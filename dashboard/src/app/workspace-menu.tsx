import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ChevronsUpDown, Pencil, Plus } from 'lucide-react';
import { useState } from 'react';
import { apiQuery } from '../api/query.ts';
import { t } from '../lib/i18n.ts';
import { Menu } from '../ui/menu.tsx';
import { toast } from '../ui/toast.tsx';
import { switchWorkspace, useCurrentUser } from './current-user.ts';
import { Logo } from './logo.tsx';

/** The name of the workspace, with a menu of the workspaces that this browser has signed in to. */
export const WorkspaceMenu = ({ onNavigate }: { readonly onNavigate: () => void }) => {
  const user = useCurrentUser();
  const navigate = useNavigate();
  // Most visits do not open the menu.
  const [isWanted, setWanted] = useState(false);
  const query = useQuery({ ...apiQuery('/session/workspaces'), enabled: isWanted, staleTime: 60_000 });
  const others = (query.data?.data ?? []).filter(({ id }) => id !== user.id);
  const current = { id: user.id, email: user.email, workspace: user.workspace };
  const want = () => setWanted(true);
  return (
    <Menu
      align="start"
      header={<span className="text-xs text-muted">{t('Workspaces')}</span>}
      trigger={
        <button
          type="button"
          onPointerEnter={want}
          onFocus={want}
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
      }
      items={[
        ...[current, ...others].map(({ id, email, workspace }) => ({
          label: (
            <span className="min-w-0">
              <span dir="auto" className="block wrap-anywhere">
                {workspace.name}
              </span>
              <span className="block truncate text-xs text-muted">{email}</span>
            </span>
          ),
          chosen: id === user.id,
          onSelect: () => {
            if (id !== user.id) switchWorkspace(id).catch((error: unknown) => toast.failed(error));
          },
        })),
        null,
        {
          label: t('Add workspace…'),
          icon: <Plus aria-hidden />,
          onSelect: () => void navigate({ to: '/sign-in', search: { add: true } }),
        },
        ...(user.role === 'owner'
          ? [
              {
                label: t('Rename workspace…'),
                icon: <Pencil aria-hidden />,
                onSelect: () => {
                  onNavigate();
                  void navigate({ to: '/settings', search: { tab: 'workspace' } });
                },
              },
            ]
          : []),
      ]}
    />
  );
};
