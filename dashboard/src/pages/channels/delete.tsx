import { call } from '../../api/client.ts';
import { Failure, isFailure } from '../../api/failure.ts';
import { refresh } from '../../api/query.ts';
import type { Channel } from '../../api/types.gen.ts';
import { ConfirmDialog } from '../../ui/confirm.tsx';
import { toast } from '../../ui/toast.tsx';

export const DeleteChannel = ({
  channel,
  etag,
  onClose,
  onGone,
}: {
  readonly channel: Channel;
  readonly etag: string | null;
  readonly onClose: () => void;
  readonly onGone: () => void;
}) => {
  const remove = async () => {
    try {
      await call('DELETE', '/channels/{id}', { params: { id: channel.id }, ifMatch: etag });
    } catch (error) {
      if (!isFailure(error, 'PRECONDITION_FAILED')) throw error;
      await refresh('/channels');
      throw new Failure(
        error.code,
        'Somebody else changed this channel just now. It is shown as it is; decide again.',
      );
    }
    toast.good(`${channel.name} is deleted.`);
    onGone();
    void refresh('/channels', '/agents', '/figures', '/calls');
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete ${channel.name}?`}
      danger
      action="Delete channel"
      consequences={[
        channel.agent
          ? `${channel.agent.name} is no longer heard on ${channel.address}, at once. The agent itself stays.`
          : `Nobody speaks on ${channel.address} now; no agent is affected.`,
        'Its secret stops working: runtimes and providers that use it are refused.',
        "The calls that came over it stay, without the channel's name.",
        'This cannot be taken back. A new channel has another secret and other addresses.',
      ]}
      onConfirm={remove}
    />
  );
};
