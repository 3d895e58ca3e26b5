import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { Channel } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import {
  ChannelAgentName,
  useAgentOptions,
  useDeployedLabel,
} from '../../../records/agents/agent-options.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { Select } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { NameOrPhone } from '../../../ui/phone.tsx';
import { rich } from '../../../ui/rich.tsx';
import { toast } from '../../../ui/toast.tsx';

const invalidateChannels = () => invalidate('/channels', '/agents', '/figures');

/** The agent of a channel, with actions to connect and disconnect one. */
export const ChannelAgent = ({ channel }: { readonly channel: Channel }) => {
  const [chosen, setChosen] = useState('');
  const [disconnecting, setDisconnecting] = useState(false);
  const options = useAgentOptions().filter(({ value }) => value !== channel.agent?.id);
  const label = useDeployedLabel(chosen || undefined);
  const connect = useMutation({
    mutationFn: () =>
      call('PUT', '/channels/{id}/agent', { params: { id: channel.id }, body: { agent_id: chosen } }),
    onSuccess: async ({ data }) => {
      setChosen('');
      await invalidateChannels();
      toast.good(t('{agent} connected to {channel}.', { agent: data.agent?.name ?? '', channel: data.name }));
    },
  });
  const disconnect = async () => {
    await call('DELETE', '/channels/{id}/agent', { params: { id: channel.id } });
    await invalidateChannels();
    toast.good(t('Agent disconnected from {channel}.', { channel: channel.name }));
  };
  return (
    <section aria-labelledby="channel-agent">
      <div className="flex items-center justify-between gap-3">
        <h3 id="channel-agent" className="text-sm font-semibold">
          {t('Agent')}
        </h3>
        {channel.agent && (
          <Button size="small" variant="quiet" onClick={() => setDisconnecting(true)}>
            {t('Disconnect')}
          </Button>
        )}
      </div>
      <div className="mb-3 text-sm">
        <ChannelAgentName agent={channel.agent} />
        {!channel.agent && <span className="ml-2 text-muted">{t('No agent answers on this channel.')}</span>}
      </div>
      <div className="flex items-end gap-2">
        <Select
          label={channel.agent ? t('Replace with another agent') : t('Connect an agent')}
          className="flex-1"
          placeholder={options.length > 0 ? t('Choose an agent') : t('No other agents')}
          disabled={options.length === 0}
          options={options}
          value={chosen}
          onChange={({ target }) => setChosen(target.value)}
        />
        <Button
          variant="primary"
          disabled={!chosen}
          busy={connect.isPending}
          onClick={() => connect.mutate()}
        >
          {t('Connect')}
        </Button>
      </div>
      {chosen && label !== undefined && (
        <p className="mt-1.5 text-[0.8125rem] text-muted" role="status">
          {label
            ? rich('{label} goes live on {address} as soon as you connect it.', {
                label,
                address: <NameOrPhone text={channel.address} />,
              })
            : t("No version is deployed. The channel won't answer until you deploy one.")}
        </p>
      )}
      {connect.isError && (
        <div className="mt-2">
          <Notice tone="danger">{errorMessage(connect.error)}</Notice>
        </div>
      )}
      <ConfirmDialog
        open={disconnecting}
        onOpenChange={setDisconnecting}
        title={t('Disconnect {name}?', { name: channel.agent?.name ?? '' })}
        danger
        action={t('Disconnect')}
        consequences={[
          rich('{agent} stops answering on {address} immediately.', {
            agent: channel.agent?.name ?? '',
            address: <NameOrPhone text={channel.address} />,
          }),
          t('Runtimes get no agent until you connect another. The agent and the call history remain.'),
        ]}
        onConfirm={disconnect}
      />
    </section>
  );
};
