import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { Campaign } from '../../../api/types.gen.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { enrolledTotal } from '../../../records/campaigns/labels.tsx';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { toast } from '../../../ui/toast.tsx';

const DeleteCampaign = ({
  campaign,
  onClose,
}: {
  readonly campaign: Campaign;
  readonly onClose: () => void;
}) => {
  const { id, name, enrolled, status } = campaign;
  const navigate = useNavigate();
  const total = enrolledTotal(enrolled);
  /** Closing the dialog would navigate back to the deleted campaign. */
  const isDeleted = useRef(false);
  const remove = async () => {
    await call('DELETE', '/campaigns/{id}', { params: { id } });
    isDeleted.current = true;
    toast.good(t('{name} deleted.', { name }));
    await navigate({ to: '/campaigns', ignoreBlocker: true });
    void invalidate('/campaigns', '/figures', '/contacts/{id}/enrollments');
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={() => isDeleted.current || onClose()}
      title={t('Delete {name}?', { name })}
      danger
      action={t('Delete campaign')}
      consequences={[
        ...(status === 'active' ? [t('It is active. Dialers get no more contacts.')] : []),
        total > 0
          ? plural(
              total,
              '# enrollment is deleted, with its status and outcome.',
              '# enrollments are deleted, with their status and outcomes.',
            )
          : t('No contacts are enrolled.'),
        t('Contacts and calls remain.'),
        t("This can't be undone."),
      ]}
      onConfirm={remove}
    />
  );
};

export default DeleteCampaign;
