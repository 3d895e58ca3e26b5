import { useQuery } from '@tanstack/react-query';
import { allRecordsQuery } from '../../../api/all-records.ts';
import type { ListedAgent } from '../../../api/types.gen.ts';
import { numberText, t } from '../../../lib/i18n.ts';
import { VersionLink } from '../../../records/agents/version-link.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { RowLink } from '../../../ui/row-link.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';

/** Counts from the list of channels that all rows share. */
const Channels = ({ agent }: { readonly agent: string }) => {
  const channels = useQuery(allRecordsQuery('/channels'));
  if (channels.isPending) return <Skeleton className="h-4 w-6" />;
  if (!channels.data) return <span className="text-muted">–</span>;
  const count = channels.data.data.filter((channel) => channel.agent?.id === agent).length;
  return <span className={count === 0 ? 'text-muted' : undefined}>{numberText(count)}</span>;
};

export const columns: readonly Column<ListedAgent>[] = [
  {
    id: 'name',
    header: t('Name'),
    phone: 'title',
    className: 'sm:w-1/2',
    cell: ({ id, name, description }) => (
      <div className="min-w-0">
        <RowLink href={`/agents/${id}`}>
          <span dir="auto" className="wrap-anywhere">
            {name}
          </span>
        </RowLink>
        {description && (
          <div dir="auto" className="line-clamp-2 text-[0.8125rem] text-muted wrap-anywhere">
            {description}
          </div>
        )}
      </div>
    ),
  },
  {
    id: 'state',
    header: t('Status'),
    className: 'whitespace-nowrap',
    cell: ({ id, deployed_version }) =>
      deployed_version ? (
        <VersionLink agent={id} label={deployed_version.version_label}>
          <Badge tone="good" dot>
            {t('{label} deployed', { label: deployed_version.version_label })}
          </Badge>
        </VersionLink>
      ) : (
        <Badge>{t('Not deployed')}</Badge>
      ),
  },
  {
    id: 'channels',
    header: t('Channels'),
    className: 'figure whitespace-nowrap',
    cell: ({ id }) => <Channels agent={id} />,
  },
  {
    id: 'changed',
    header: t('Updated'),
    align: 'end',
    className: 'whitespace-nowrap text-muted',
    cell: ({ updated_at }) => <Time at={updated_at} />,
  },
];
