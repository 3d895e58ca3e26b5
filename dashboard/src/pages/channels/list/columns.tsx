import type { Channel } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { ChannelAgentName } from '../../../records/agents/agent-options.tsx';
import { ChannelType } from '../../../records/channels/labels.tsx';
import { NameOrPhone } from '../../../ui/phone.tsx';
import { RowLink } from '../../../ui/row-link.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import type { ChannelsSearch } from './url-params.ts';

export const columns: readonly Column<Channel>[] = [
  {
    id: 'name',
    header: t('Name'),
    phone: 'title',
    cell: ({ id, name }) => (
      <RowLink to="/channels" search={(now: ChannelsSearch) => ({ ...now, channel: id })} resetScroll={false}>
        <span dir="auto" className="wrap-anywhere">
          {name}
        </span>
      </RowLink>
    ),
  },
  { id: 'kind', header: t('Type'), cell: ({ kind }) => <ChannelType kind={kind} /> },
  {
    id: 'address',
    header: t('Address'),
    className: 'figure',
    cell: ({ address }) => (
      <span dir="auto" className="wrap-anywhere">
        <NameOrPhone text={address} />
      </span>
    ),
  },
  { id: 'agent', header: t('Agent'), cell: ({ agent }) => <ChannelAgentName agent={agent} /> },
  {
    id: 'changed',
    header: t('Updated'),
    align: 'end',
    phone: 'hidden',
    hideBelow: 'medium',
    className: 'whitespace-nowrap text-muted',
    cell: ({ updated_at }) => <Time at={updated_at} />,
  },
];
