import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { allRecordsQuery } from '../../../api/all-records.ts';
import { apiQuery } from '../../../api/query.ts';
import type { Segment } from '../../../api/types.gen.ts';
import { numberText, plural, t } from '../../../lib/i18n.ts';
import { FilterSentence } from '../../../records/contacts/filter/lazy.tsx';
import { filterOf } from '../../../records/contacts/segments.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { RowLink } from '../../../ui/row-link.tsx';
import type { Column } from '../../../ui/table.tsx';
import { SegmentActions } from './actions.tsx';

const Count = ({ id }: { readonly id: string }) => {
  const { data } = useQuery({ ...apiQuery('/segments/{id}/count', { params: { id } }), staleTime: 60_000 });
  return <span className="figure">{data ? numberText(data.data.count) : '…'}</span>;
};

const MAX_SHOWN = 3;

/** The campaigns whose audience a segment is. */
const UsedBy = ({ id }: { readonly id: string }) => {
  const campaigns = useQuery(allRecordsQuery('/campaigns')).data?.data ?? [];
  const using = campaigns.filter(({ audience }) => audience?.segment_id === id);
  if (using.length === 0) return <span className="text-muted">{t('No campaign')}</span>;
  return (
    <span className="relative z-10 flex flex-wrap gap-x-2">
      {using.slice(0, MAX_SHOWN).map((campaign) => (
        <Link key={campaign.id} to="/campaigns/$id" params={{ id: campaign.id }} className="underline">
          <bdi>{campaign.name}</bdi>
        </Link>
      ))}
      {using.length > MAX_SHOWN && plural(using.length - MAX_SHOWN, 'and # more', 'and # more')}
    </span>
  );
};

export const columns: readonly Column<Segment>[] = [
  {
    id: 'name',
    header: t('Name'),
    phone: 'title',
    className: 'sm:min-w-40',
    cell: ({ id, name, shared }) => (
      <span className="flex flex-wrap items-center gap-2">
        <RowLink href={`/contacts?segment=${id}`}>
          <span dir="auto" className="wrap-anywhere">
            {name}
          </span>
        </RowLink>
        {!shared && <Badge>{t('Private')}</Badge>}
      </span>
    ),
  },
  {
    id: 'filter',
    header: t('Who is in it'),
    className: 'text-muted whitespace-normal!',
    cell: (segment) => <FilterSentence tree={filterOf(segment)} />,
  },
  { id: 'count', header: t('Contacts'), align: 'end', cell: ({ id }) => <Count id={id} /> },
  { id: 'used', header: t('Used by'), hideBelow: 'medium', cell: ({ id }) => <UsedBy id={id} /> },
  {
    id: 'actions',
    header: t('Actions'),
    align: 'end',
    phone: 'title',
    className: 'sm:w-16 sm:py-1.5! max-sm:absolute max-sm:top-1.5 max-sm:right-1.5',
    cell: (segment) => <SegmentActions segment={segment} />,
  },
];
