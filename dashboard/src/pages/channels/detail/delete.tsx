import { ApiError, isApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { Channel } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { NameOrPhone } from '../../../ui/phone.tsx';
import { rich } from '../../../ui/rich.tsx';
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
      throw new ApiError(error.code, t('Someone else just changed this channel. Review it before deleting.'));
    }
    toast.good(t('{name} deleted.', { name: channel.name }));
    onDeleted();
    void invalidate('/channels', '/agents', '/figures', '/calls');
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t('Delete {name}?', { name: channel.name })}
      danger
      action={t('Delete channel')}
      consequences={[
        channel.agent
          ? rich('{agent} stops answering on {address} immediately. The agent itself remains.', {
              agent: channel.agent.name,
              address: <NameOrPhone text={channel.address} />,
            })
          : t('No agent is connected to it.'),
        t('Its secret stops working: requests from runtimes and providers are rejected.'),
        t('Its calls remain, without the channel name.'),
        t("This can't be undone. A new channel gets a new secret and new endpoints."),
      ]}
      onConfirm={remove}
    />
  );
};
