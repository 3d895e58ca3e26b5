import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ApiError, isApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { apiQuery, invalidate } from '../../../api/query.ts';
import type { Agent } from '../../../api/types.gen.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { toast } from '../../../ui/toast.tsx';
import { useChannels } from './channels.tsx';
import { readAgent } from './save-draft.ts';

const MAX_NAMED = 5;

const listText = (names: readonly string[]): string =>
  names.length <= MAX_NAMED
    ? names.join(', ')
    : t('{names} and {count} more', {
        names: names.slice(0, MAX_NAMED).join(', '),
        count: names.length - MAX_NAMED,
      });

const DeleteAgent = ({
  agent,
  etag,
  onClose,
}: {
  readonly agent: Agent;
  readonly etag: string | null;
  readonly onClose: () => void;
}) => {
  const navigate = useNavigate();
  const channels = useChannels(agent.id).data;
  const campaigns = useQuery({
    ...apiQuery('/agents/{id}/versions/{version}/impact', {
      params: { id: agent.id, version: agent.versions[0]?.id ?? '' },
    }),
    staleTime: 0,
  }).data?.data.campaigns;
  const remove = async () => {
    try {
      await call('DELETE', '/agents/{id}', { params: { id: agent.id }, ifMatch: etag });
    } catch (error) {
      if (!isApiError(error, 'PRECONDITION_FAILED')) throw error;
      const now = (await readAgent(agent.id)).data;
      throw new ApiError(
        error.code,
        t(
          'Someone else just changed this agent. It is now called {name}, and its latest version is {label}. Review it before deleting.',
          { name: now.name, label: now.versions[0]?.version_label ?? '' },
        ),
      );
    }
    // Unsaved text of a deleted agent cannot be saved.
    await navigate({ to: '/agents', ignoreBlocker: true });
    toast.good(t('{name} deleted.', { name: agent.name }));
    void invalidate('/agents', '/deploys', '/channels', '/campaigns', '/figures');
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t('Delete {name}?', { name: agent.name })}
      action={t('Delete agent')}
      danger
      consequences={[
        channels === undefined
          ? t('Every channel will be disconnected from it.')
          : channels.pagination.total > 0
            ? plural(
                channels.pagination.total,
                '# channel will be disconnected: {names}.',
                '# channels will be disconnected: {names}.',
                { names: listText(channels.data.map(({ name }) => name)) },
              )
            : t('No channels are connected to it.'),
        campaigns === undefined
          ? t('Its active campaigns will be paused.')
          : campaigns.length > 0
            ? plural(
                campaigns.length,
                '# active campaign will be paused: {names}.',
                '# active campaigns will be paused: {names}.',
                { names: listText(campaigns.map(({ name }) => name)) },
              )
            : t('No active campaign uses it.'),
        t('The agent is removed from all lists. Past calls still show the version they used.'),
        t("This can't be undone."),
      ]}
      onConfirm={remove}
    />
  );
};

export default DeleteAgent;
