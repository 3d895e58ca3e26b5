import { useNavigate } from '@tanstack/react-router';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { Webhook } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { toast } from '../../../ui/toast.tsx';
import { hostText } from '../labels.tsx';

export const DeleteWebhook = ({
  webhook,
  open,
  onOpenChange,
}: {
  readonly webhook: Webhook;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}) => {
  const navigate = useNavigate();
  const remove = async () => {
    await call('DELETE', '/webhooks/{id}', { params: { id: webhook.id } });
    await navigate({ to: '/webhooks', ignoreBlocker: true });
    toast.good(t('Endpoint deleted.'));
    void invalidate('/webhooks');
  };
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('Delete the endpoint at {host}?', { host: hostText(webhook) })}
      danger
      action={t('Delete endpoint')}
      consequences={[
        t('Events are no longer sent to it, including those that are queued.'),
        t('Its attempts are deleted. Events remain in the feed.'),
        t("This can't be undone. A new endpoint gets a new secret."),
      ]}
      onConfirm={remove}
    />
  );
};
