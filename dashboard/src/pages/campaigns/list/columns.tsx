import type { Campaign, Enrollment, ListedCampaign } from '../../../api/types.gen.ts';
import { numberText, percentText } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { AgentName } from '../../../records/agents/agent-options.tsx';
import {
  CampaignStatus,
  enrolledDone,
  enrolledTotal,
  enrollmentStatusWords,
} from '../../../records/campaigns/labels.tsx';
import { RowLink } from '../../../ui/row-link.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';

const states = Object.entries(enrollmentStatusWords) as [Enrollment['status'], string][];

const Enrolled = ({ enrolled }: Pick<Campaign, 'enrolled'>) => {
  const total = enrolledTotal(enrolled);
  if (total === 0) return <span className="text-muted">{t('No contacts')}</span>;
  const parts = states
    .filter(([status]) => enrolled[status])
    .map(([status, word]) => `${numberText(enrolled[status] ?? 0)} ${word}`);
  return (
    <div className="min-w-0">
      <div className="figure">{numberText(total)}</div>
      <div className="figure text-[0.8125rem] text-muted">{parts.join(' · ')}</div>
    </div>
  );
};

/** The share of the enrolled contacts that are completed, failed or skipped. */
const Progress = ({ enrolled }: Pick<Campaign, 'enrolled'>) => {
  const total = enrolledTotal(enrolled);
  if (total === 0) return null;
  const done = enrolledDone(enrolled);
  return (
    <div className="flex items-center gap-2.5 sm:justify-end">
      <div aria-hidden className="h-1.5 w-20 overflow-hidden rounded-full bg-sunken">
        <div className="h-full rounded-full bg-accent" style={{ width: `${(100 * done) / total}%` }} />
      </div>
      <span className="figure">{percentText(done / total)}</span>
    </div>
  );
};

export const columns: readonly Column<ListedCampaign>[] = [
  {
    id: 'name',
    header: t('Name'),
    sort: 'name',
    phone: 'title',
    cell: ({ id, name }) => (
      <RowLink href={`/campaigns/${id}`}>
        <span dir="auto" className="wrap-anywhere">
          {name}
        </span>
      </RowLink>
    ),
  },
  {
    id: 'status',
    header: t('Status'),
    cell: ({ status, schedule }) => <CampaignStatus status={status} schedule={schedule} />,
  },
  { id: 'agent', header: t('Agent'), cell: ({ agent }) => <AgentName agent={agent} /> },
  { id: 'enrolled', header: t('Enrolled'), cell: ({ enrolled }) => <Enrolled enrolled={enrolled} /> },
  {
    id: 'progress',
    header: t('Progress'),
    align: 'end',
    hideBelow: 'medium',
    cell: ({ enrolled }) => <Progress enrolled={enrolled} />,
  },
  {
    id: 'changed',
    header: t('Updated'),
    sort: 'updated_at',
    sortFirst: 'descending',
    align: 'end',
    phone: 'hidden',
    isExtra: true,
    className: 'whitespace-nowrap text-muted',
    cell: ({ updated_at }) => <Time at={updated_at} />,
  },
  {
    id: 'created',
    header: t('Created'),
    sort: 'created_at',
    sortFirst: 'descending',
    align: 'end',
    phone: 'hidden',
    isExtra: true,
    className: 'whitespace-nowrap text-muted',
    cell: ({ created_at }) => <Time at={created_at} />,
  },
];
