import type { Channel } from '../../../api/types.gen.ts';
import { RowLink } from '../../../ui/row-link.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { ChannelAgentName } from '../../agents/agent-options.tsx';
import { ChannelType } from '../labels.tsx';
import type { ChannelsSearch } from './url-params.ts';

export const columns: readonly Column<Channel>[] = [
  {
    id: 'name',
    header: 'Name',
    phone: 'title',
    cell: ({ id, name }) => (
      <RowLink to="/channels" search={(now: ChannelsSearch) => ({ ...now, channel: id })} resetScroll={false}>
        <span dir="auto" className="wrap-anywhere">
          {name}
        </span>
      </RowLink>
    ),
  },
  { id: 'kind', header: 'Type', cell: ({ kind }) => <ChannelType kind={kind} /> },
  {
    id: 'address',
    header: 'Address',
    className: 'figure',
    cell: ({ address }) => (
      <span dir="auto" className="wrap-anywhere">
        {address}
      </span>
    ),
  },
  { id: 'agent', header: 'Agent', cell: ({ agent }) => <ChannelAgentName agent={agent} /> },
  {
    id: 'changed',
    header: 'Updated',
    align: 'end',
    phone: 'hidden',
    hideBelow: 'medium',
    className: 'whitespace-nowrap text-muted',
    cell: ({ updated_at }) => <Time at={updated_at} />,
  },
];
