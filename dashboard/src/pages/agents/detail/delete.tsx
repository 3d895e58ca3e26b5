import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ApiError, isApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { apiQuery, invalidate } from '../../../api/query.ts';
import type { Agent } from '../../../api/types.gen.ts';
import { countText } from '../../../lib/format.ts';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { toast } from '../../../ui/toast.tsx';
import { useChannels } from './channels.tsx';
import { readAgent } from './save-draft.ts';

const MAX_NAMED = 5;

const listText = (names: readonly string[]): string =>
  names.length <= MAX_NAMED
    ? names.join(', ')
    : `${names.slice(0, MAX_NAMED).join(', ')} and ${names.length - MAX_NAMED} more`;

export const DeleteAgent = ({
  agent,
  etag,
  open,
  onOpenChange,
}: {
  readonly agent: Agent;
  readonly etag: string | null;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}) => {
  const navigate = useNavigate();
  const channels = useChannels(agent.id).data;
  const campaigns = useQuery({
    ...apiQuery('/agents/{id}/versions/{version}/impact', {
      params: { id: agent.id, version: agent.versions[0]?.id ?? '' },
    }),
    enabled: open,
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
        `Someone else just changed this agent. It is now called ${now.name}, and its latest version is ${now.versions[0]?.version_label}. Review it before deleting.`,
      );
    }
    // Unsaved text of a deleted agent cannot be saved.
    await navigate({ to: '/agents', ignoreBlocker: true });
    toast.good(`${agent.name} deleted.`);
    void invalidate('/agents', '/channels', '/campaigns', '/figures');
  };
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Delete ${agent.name}?`}
      action="Delete agent"
      danger
      consequences={[
        channels === undefined
          ? 'Every channel will be disconnected from it.'
          : channels.pagination.total > 0
            ? `${countText(channels.pagination.total, 'channel')} will be disconnected: ${listText(channels.data.map(({ name }) => name))}.`
            : 'No channels are connected to it.',
        campaigns === undefined
          ? 'Its active campaigns will be paused.'
          : campaigns.length > 0
            ? `${countText(campaigns.length, 'active campaign')} will be paused: ${listText(campaigns.map(({ name }) => name))}.`
            : 'No active campaign uses it.',
        'The agent is removed from all lists. Past calls still show the version they used.',
        "This can't be undone.",
      ]}
      onConfirm={remove}
    />
  );
};
