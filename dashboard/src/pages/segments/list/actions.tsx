import { getRouteApi } from '@tanstack/react-router';
import { Copy, Ellipsis, Pencil, Trash2, Users } from 'lucide-react';
import { call } from '../../../api/client.ts';
import type { Segment } from '../../../api/types.gen.ts';
import { useCurrentUser } from '../../../app/current-user.ts';
import { t } from '../../../lib/i18n.ts';
import { refreshSegments } from '../../../records/contacts/segments.tsx';
import { IconButton } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { toast } from '../../../ui/toast.tsx';
import type { SegmentsSearch } from './url-params.ts';

const route = getRouteApi('/app/segments');

/** What can be done with a segment. Its creator changes it, and owners shared ones. */
export const SegmentActions = ({ segment }: { readonly segment: Segment }) => {
  const { id, name, own, shared } = segment;
  const mayChange = useCurrentUser().role === 'owner' || own;
  const navigate = route.useNavigate();
  const open = (dialog: SegmentsSearch) =>
    void navigate({ search: (now) => ({ ...now, ...dialog }), resetScroll: false });
  const share = async () => {
    await call('PATCH', '/segments/{id}', { params: { id }, body: { shared: !shared } });
    await refreshSegments();
    toast.good(shared ? t('{name} is now private.', { name }) : t('{name} is now shared.', { name }));
  };
  return (
    <span className="relative z-10">
      <Menu
        trigger={<IconButton label={t('Actions for {name}', { name })} icon={<Ellipsis aria-hidden />} />}
        items={[
          ...(mayChange
            ? [{ label: t('Edit'), icon: <Pencil aria-hidden />, onSelect: () => open({ edit: id }) }]
            : []),
          { label: t('Duplicate…'), icon: <Copy aria-hidden />, onSelect: () => open({ copy: id }) },
          ...(own
            ? [
                {
                  label: shared ? t('Make private') : t('Share with the workspace'),
                  icon: <Users aria-hidden />,
                  onSelect: () => void share().catch((error: unknown) => toast.failed(error)),
                },
              ]
            : []),
          ...(mayChange
            ? [
                null,
                {
                  label: t('Delete…'),
                  icon: <Trash2 aria-hidden />,
                  danger: true,
                  onSelect: () => open({ remove: id }),
                },
              ]
            : []),
        ]}
      />
    </span>
  );
};
