import type { Campaign, Enrollment } from '../../../api/types.gen.ts';
import { numberText } from '../../../lib/format.ts';
import { RowLink } from '../../../ui/row-link.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { AgentName } from '../../agents/agent-options.tsx';
import { CampaignStatus, enrolledTotal, enrollmentStatusLabels } from '../labels.tsx';

const states = Object.entries(enrollmentStatusLabels) as [Enrollment['status'], string][];

const Enrolled = ({ enrolled }: Pick<Campaign, 'enrolled'>) => {
  const total = enrolledTotal(enrolled);
  if (total === 0) return <span className="text-muted">No contacts</span>;
  const parts = states
    .filter(([status]) => enrolled[status])
    .map(([status, word]) => `${numberText(enrolled[status] ?? 0)} ${word.toLowerCase()}`);
  return (
    <div className="min-w-0">
      <div className="figure">{numberText(total)}</div>
      <div className="figure text-[0.8125rem] text-muted">{parts.join(' · ')}</div>
    </div>
  );
};

export const columns: readonly Column<Campaign>[] = [
  {
    id: 'name',
    header: 'Name',
    phone: 'title',
    cell: ({ id, name }) => (
      <RowLink to="/campaigns/$id" params={{ id }}>
        <span dir="auto" className="wrap-anywhere">
          {name}
        </span>
      </RowLink>
    ),
  },
  { id: 'status', header: 'Status', cell: ({ status }) => <CampaignStatus status={status} /> },
  { id: 'agent', header: 'Agent', cell: ({ agent }) => <AgentName agent={agent} /> },
  { id: 'enrolled', header: 'Enrolled', cell: ({ enrolled }) => <Enrolled enrolled={enrolled} /> },
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
