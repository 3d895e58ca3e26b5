import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Pencil, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../lib/i18n.ts';
import MenuContent from '../ui/menu-content.tsx';
import { toast } from '../ui/toast.tsx';
import { switchWorkspace, useCurrentUser, workspacesQuery } from './current-user.ts';

/** The workspaces that this browser has signed in to. */
const WorkspaceMenuContent = ({
  trigger,
  onNavigate,
}: {
  readonly trigger: ReactNode;
  readonly onNavigate: () => void;
}) => {
  const user = useCurrentUser();
  const navigate = useNavigate();
  const query = useQuery(workspacesQuery);
  const others = (query.data?.data ?? []).filter(({ id }) => id !== user.id);
  const current = { id: user.id, email: user.email, workspace: user.workspace };
  return (
    <MenuContent
      align="start"
      header={<span className="text-xs text-muted">{t('Workspaces')}</span>}
      trigger={trigger}
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

export default WorkspaceMenuContent;
