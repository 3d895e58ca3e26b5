import { useMutation, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { allRecordsQuery } from '../../../api/all-records.ts';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { Agent } from '../../../api/types.gen.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { t } from '../../../lib/i18n.ts';
import { CreateChannel, type CreationResult } from '../../../records/channels/create.tsx';
import { ChannelCreated } from '../../../records/channels/created.tsx';
import { channelTypeLabels } from '../../../records/channels/labels.tsx';
import { Button } from '../../../ui/button.tsx';
import { Select } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';

interface Props {
  readonly agent: Agent;
  readonly onClose: () => void;
}

/** Connects a channel that exists, or creates one. */
const ConnectChannel = ({ agent, onClose }: Props) => {
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreationResult>();
  if (created) return <ChannelCreated created={created} onClose={onClose} />;
  if (isCreating)
    return <CreateChannel agent={agent.id} onClose={() => setCreating(false)} onCreated={setCreated} />;
  return <ChooseChannel agent={agent} onClose={onClose} onCreate={() => setCreating(true)} />;
};

export default ConnectChannel;

/** Warns if the channel is connected to another agent, because it is disconnected from that one. */
const ChooseChannel = ({ agent, onClose, onCreate }: Props & { readonly onCreate: () => void }) => {
  const [chosen, setChosen] = useState('');
  const list = useQuery({ ...allRecordsQuery('/channels'), staleTime: 0 });
  const offered = list.data?.data.filter((channel) => channel.agent?.id !== agent.id);
  const channel = offered?.find(({ id }) => id === chosen);
  const connect = useMutation({
    mutationFn: () =>
      call('PUT', '/channels/{id}/agent', { params: { id: chosen }, body: { agent_id: agent.id } }),
    onSuccess: ({ data }) => {
      void invalidate('/channels', '/agents', '/figures');
      toast.good(t('{name} connected.', { name: data.name }));
      onClose();
    },
  });
  const label = agent.deployed_version?.version_label;
  const create = (
    <Button onClick={onCreate}>
      <Plus aria-hidden />
      {t('Create channel')}
    </Button>
  );
  return (
    <FormDialog
      title={t('Connect channel')}
      width="small"
      dirty={false}
      onSubmit={() => chosen && connect.mutate()}
      onClose={onClose}
      action={t('Connect')}
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
          title={list.data?.data.length === 0 ? t('No channels yet') : t('All channels are connected')}
          action={create}
        >
          {list.data?.data.length === 0
            ? t('A channel is a phone line, SMS number or chat that your agents answer.')
            : t('Every channel is already connected to this agent.')}
        </EmptyState>
      ) : (
        <div className="flex flex-col gap-4 text-sm">
          <Select
            label={t('Channel')}
            required
            placeholder={t('Choose a channel')}
            value={chosen}
            onChange={({ target }) => setChosen(target.value)}
            options={offered.map(({ id, name, kind, address }) => ({
              value: id,
              label: `${name} · ${channelTypeLabels[kind]} ${address}`,
            }))}
          />
          {channel?.agent && (
            <Notice tone="warn">
              {t('{channel} is connected to {agent}. Connecting it here disconnects it from {agent}.', {
                channel: channel.name,
                agent: channel.agent.name,
              })}
            </Notice>
          )}
          {channel && (
            <p className="text-muted">
              {label
                ? t('This channel will use {label} of {agent} immediately.', { label, agent: agent.name })
                : t("This channel won't answer until you deploy a version of {agent}.", {
                    agent: agent.name,
                  })}
            </p>
          )}
          <div>{create}</div>
        </div>
      )}
    </FormDialog>
  );
};
