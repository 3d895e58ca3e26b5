import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { errorDetail } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { apiQuery } from '../../../api/query.ts';
import type { Segment } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { toList } from '../../../lib/search-params.ts';
import { refreshSegments } from '../../../records/contacts/segments.tsx';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { toast } from '../../../ui/toast.tsx';

/** Deletes a segment. If campaigns use it, shows them. */
export const DeleteSegment = ({
  segment: { id, name, shared },
  onClose,
}: {
  readonly segment: Segment;
  readonly onClose: () => void;
}) => {
  const [using, setUsing] = useState<readonly string[]>([]);
  const remove = async () => {
    try {
      await call('DELETE', '/segments/{id}', { params: { id } });
    } catch (error) {
      setUsing(toList(errorDetail(error, 'campaigns')));
      throw error;
    }
    void refreshSegments();
    toast.good(t('{name} deleted.', { name }));
  };
  const campaigns = useQueries({
    queries: using.map((campaign) => apiQuery('/campaigns/{id}', { params: { id: campaign } })),
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t('Delete {name}?', { name })}
      danger
      action={t('Delete segment')}
      consequences={[
        t('The contacts in it remain.'),
        ...(shared ? [t('Other members lose it, too.')] : []),
        t("This can't be undone."),
      ]}
      onConfirm={remove}
    >
      {using.length > 0 && (
        <ul aria-label={t('Campaigns that use it:')} className="flex flex-wrap gap-x-3 gap-y-1">
          <li aria-hidden>{t('Campaigns that use it:')}</li>
          {using.map((campaign, at) => (
            <li key={campaign}>
              <Link to="/campaigns/$id" params={{ id: campaign }} className="font-medium underline">
                <bdi>{campaigns[at]?.data?.data.name ?? t('Campaign')}</bdi>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </ConfirmDialog>
  );
};
