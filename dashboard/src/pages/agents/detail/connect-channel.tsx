import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { apiQuery, invalidate } from '../../../api/query.ts';
import type { Agent } from '../../../api/types.gen.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { Button } from '../../../ui/button.tsx';
import { Select } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';
import { channelTypeLabels } from '../../channels/labels.tsx';

const MAX = 100;

/** Connects a channel. Warns if the channel is connected to another agent, because it is disconnected from that
 *  one. */
export const ConnectChannel = ({
  agent,
  onClose,
}: {
  readonly agent: Agent;
  readonly onClose: () => void;
}) => {
  const [chosen, setChosen] = useState('');
  const list = useQuery({ ...apiQuery('/channels', { query: { limit: MAX } }), staleTime: 0 });
  const offered = list.data?.data.filter((channel) => channel.agent?.id !== agent.id);
  const channel = offered?.find(({ id }) => id === chosen);
  const connect = useMutation({
    mutationFn: () =>
      call('PUT', '/channels/{id}/agent', { params: { id: chosen }, body: { agent_id: agent.id } }),
    onSuccess: ({ data }) => {
      void invalidate('/channels', '/agents', '/figures');
      toast.good(`${data.name} connected.`);
      onClose();
    },
  });
  const label = agent.deployed_version?.version_label;
  return (
    <FormDialog
      title="Connect channel"
      width="small"
      dirty={false}
      onSubmit={() => chosen && connect.mutate()}
      onClose={onClose}
      action="Connect"
      busy={connect.isPending}
      disabled={!channel}
      error={connect.error}
    >
      {list.isError && !offered ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : !offered ? (
        <Skeleton className="h-10 w-full" />
      ) : offered.length === 0 ? (
        <EmptyState
          title={list.data?.data.length === 0 ? 'No channels yet' : 'All channels are connected'}
          action={
            <Button asChild>
              <Link to="/channels" search={{ add: true }}>
                Create channel
              </Link>
            </Button>
          }
        >
          {list.data?.data.length === 0
            ? 'A channel is a phone line, SMS number or chat that your agents answer.'
            : 'Every channel is already connected to this agent.'}
        </EmptyState>
      ) : (
        <div className="flex flex-col gap-4 text-sm">
          <Select
            label="Channel"
            required
            placeholder="Choose a channel"
            value={chosen}
            hint={list.data?.pagination.has_more && 'Only the newest 100 channels are listed.'}
            onChange={({ target }) => setChosen(target.value)}
            options={offered.map(({ id, name, kind, address }) => ({
              value: id,
              label: `${name} · ${channelTypeLabels[kind]} ${address}`,
            }))}
          />
          {channel?.agent && (
            <Notice tone="warn">
              {channel.name} is connected to {channel.agent.name}. Connecting it here disconnects it from{' '}
              {channel.agent.name}.
            </Notice>
          )}
          {channel && (
            <p className="text-muted">
              {label
                ? `This channel will use ${label} of ${agent.name} immediately.`
                : `This channel won't answer until you deploy a version of ${agent.name}.`}
            </p>
          )}
        </div>
      )}
    </FormDialog>
  );
};
