import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, Unplug } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { apiQuery, invalidate } from '../../../api/query.ts';
import type { Agent, Channel } from '../../../api/types.gen.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { channelTypeIcons, channelTypeLabels } from '../../../records/channels/labels.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Section } from '../../../ui/page.tsx';
import { NameOrPhone } from '../../../ui/phone.tsx';
import { rich } from '../../../ui/rich.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';

const MAX = 100;

export const channelsQuery = (agent: string) =>
  apiQuery('/channels', { query: { agent_id: agent, limit: MAX } });

/** The channels that an agent is connected to. */
export const useChannels = (agent: string) => useQuery(channelsQuery(agent));

export const Channels = ({ agent, onConnect }: { readonly agent: Agent; readonly onConnect: () => void }) => {
  const list = useChannels(agent.id);
  const [disconnecting, setDisconnecting] = useState<Channel>();
  const channels = list.data?.data;
  const total = list.data?.pagination.total ?? 0;
  const disconnect = async (channel: Channel) => {
    await call('DELETE', '/channels/{id}/agent', { params: { id: channel.id } });
    toast.good(t('{name} disconnected.', { name: channel.name }));
    await invalidate('/channels', '/agents', '/figures');
  };
  return (
    <Section
      title={t('Channels')}
      description={t('Where this agent is live.')}
      actions={
        <Button size="small" onClick={onConnect}>
          <Plus aria-hidden />
          {t('Connect')}
        </Button>
      }
    >
      {list.isError && !channels ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : !channels ? (
        <Skeleton className="h-10 w-full" />
      ) : channels.length === 0 ? (
        <p className="text-sm text-muted">
          {t('No channels connected. Connect one to make this agent live.')}
        </p>
      ) : (
        <>
          {!agent.deployed_version && (
            <div className="mb-3">
              <Notice tone="warn">
                {t("No version is deployed, so this agent doesn't answer on these channels.")}
              </Notice>
            </div>
          )}
          <ul aria-label={t('Connected channels')} className="-my-2 divide-y divide-line">
            {channels.map((channel) => (
              <Row key={channel.id} channel={channel} onDisconnect={() => setDisconnecting(channel)} />
            ))}
          </ul>
          {total > channels.length && (
            <p className="mt-3 text-sm text-muted">
              {plural(total - channels.length, 'and # more channel.', 'and # more channels.')}{' '}
              {rich('See {link}.', {
                link: (
                  <Link to="/channels" className="underline">
                    {t('Channels')}
                  </Link>
                ),
              })}
            </p>
          )}
        </>
      )}
      <ConfirmDialog
        open={disconnecting !== undefined}
        onOpenChange={(open) => !open && setDisconnecting(undefined)}
        title={t('Disconnect {name}?', { name: disconnecting?.name ?? '' })}
        action={t('Disconnect')}
        danger
        consequences={[
          t('{channel} stops using {agent} immediately.', {
            channel: disconnecting?.name ?? '',
            agent: agent.name,
          }),
          t('The channel has no agent until you connect another. Its call history remains.'),
        ]}
        onConfirm={() => disconnecting && disconnect(disconnecting)}
      />
    </Section>
  );
};

const Row = ({ channel, onDisconnect }: { readonly channel: Channel; readonly onDisconnect: () => void }) => {
  const Icon = channelTypeIcons[channel.kind];
  return (
    <li className="flex items-center gap-3 py-2 text-sm">
      <Icon className="size-4.5 shrink-0 text-muted" aria-hidden />
      <div className="min-w-0 flex-1">
        <p dir="auto" className="font-medium wrap-anywhere">
          {channel.name}
        </p>
        <p className="text-[0.8125rem] text-muted wrap-anywhere">
          {channelTypeLabels[channel.kind]} · <NameOrPhone text={channel.address} />
        </p>
      </div>
      <IconButton
        label={t('Disconnect {name}', { name: channel.name })}
        size="small"
        icon={<Unplug aria-hidden />}
        onClick={onDisconnect}
      />
    </li>
  );
};
