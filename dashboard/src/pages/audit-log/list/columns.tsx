import type { AuditEntry } from '../../../api/types.gen.ts';
import { cx } from '../../../ui/cx.ts';
import type { Column } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { actionText, actorKinds, actorName, countsText } from '../labels.ts';
import { ChangedRecord } from './record-link.tsx';

const small = 'text-[0.8125rem] text-muted';

const Actor = ({ actor }: Pick<AuditEntry, 'actor'>) => (
  <div className="min-w-0">
    <div className="wrap-anywhere">
      {actorName(actor)}
      {actor.deleted && <span className="text-muted"> (deleted)</span>}
    </div>
    {actor.id && <div className={small}>{actorKinds[actor.kind]}</div>}
  </div>
);

export const columns: readonly Column<AuditEntry>[] = [
  {
    id: 'change',
    header: 'Action',
    phone: 'title',
    cell: (entry) => (
      <>
        <div className="font-medium">{actionText(entry)}</div>
        <div className={cx(small, 'whitespace-nowrap')}>
          <Time at={entry.at} />
        </div>
      </>
    ),
  },
  { id: 'record', header: 'Record', cell: (entry) => <ChangedRecord entry={entry} /> },
  {
    id: 'what',
    header: 'Details',
    cell: ({ fields, counts }) => {
      const text = [fields?.join(', '), counts && countsText(counts)].filter(Boolean).join(' · ');
      return text && <span className="figure wrap-anywhere">{text}</span>;
    },
  },
  { id: 'actor', header: 'Actor', cell: ({ actor }) => <Actor actor={actor} /> },
  {
    id: 'request',
    header: 'Request ID',
    phone: 'hidden',
    hideBelow: 'wide',
    className: 'font-mono text-[0.8125rem] text-muted',
    cell: ({ request_id }) => request_id,
  },
];
