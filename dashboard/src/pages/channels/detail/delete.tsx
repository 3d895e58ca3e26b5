import { ApiError, isApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { Channel } from '../../../api/types.gen.ts';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { toast } from '../../../ui/toast.tsx';

export const DeleteChannel = ({
  channel,
  etag,
  onClose,
  onDeleted,
}: {
  readonly channel: Channel;
  readonly etag: string | null;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}) => {
  const remove = async () => {
    try {
      await call('DELETE', '/channels/{id}', { params: { id: channel.id }, ifMatch: etag });
    } catch (error) {
      if (!isApiError(error, 'PRECONDITION_FAILED')) throw error;
      await invalidate('/channels');
      throw new ApiError(error.code, 'Someone else just changed this channel. Review it before deleting.');
    }
    toast.good(`${channel.name} deleted.`);
    onDeleted();
    void invalidate('/channels', '/agents', '/figures', '/calls');
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
          ? `${channel.agent.name} stops answering on ${channel.address} immediately. The agent itself is kept.`
          : 'No agent is connected to it.',
        'Its secret stops working: requests from runtimes and providers are rejected.',
        'Its calls are kept without the channel name.',
        "This can't be undone. A new channel gets a new secret and new endpoints.",
      ]}
      onConfirm={remove}
    />
  );
};
