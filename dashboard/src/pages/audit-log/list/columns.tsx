import { Suspense } from 'react';
import type { AuditEntry } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import {
  actionText,
  actorKinds,
  actorName,
  countsText,
  fieldsText,
  viaLabels,
} from '../../../records/audit-log/labels.ts';
import { ChangedRecord } from '../../../records/audit-log/record-link.tsx';
import { ChangedFields } from '../../../records/changes/lazy.tsx';
import { useFieldLabels } from '../../../records/fields/query.ts';
import { cx } from '../../../ui/cx.ts';
import type { Column } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';

const small = 'text-[0.8125rem] text-muted';

const Actor = ({ actor, via }: Pick<AuditEntry, 'actor' | 'via'>) => {
  const notes = [actor.id && actorKinds[actor.kind], via && viaLabels[via]].filter(Boolean).join(' · ');
  return (
    <div className="min-w-0">
      <div className="wrap-anywhere">
        {actorName(actor)}
        {actor.deleted && <span className="text-muted"> {t('(deleted)')}</span>}
      </div>
      {notes && <div className={small}>{notes}</div>}
    </div>
  );
};

const MAX_LINES = 2;

/** The values of changed fields, the names of those without values, and the counts. */
const Details = ({ fields, changes, counts }: Pick<AuditEntry, 'fields' | 'changes' | 'counts'>) => {
  const labels = useFieldLabels();
  const unknown = (fields ?? []).filter((field) => !changes || !(field in changes.after));
  const text = [fieldsText(unknown, labels), counts && countsText(counts)].filter(Boolean).join(' · ');
  return (
    <>
      {changes && Object.keys(changes.after).length > 0 && (
        <Suspense fallback={fieldsText(Object.keys(changes.after), labels)}>
          <ChangedFields changes={changes} max={MAX_LINES} />
        </Suspense>
      )}
      {text && <div className="figure wrap-anywhere">{text}</div>}
    </>
  );
};

export const columns: readonly Column<AuditEntry>[] = [
  {
    id: 'change',
    header: t('Action'),
    sort: 'at',
    sortFirst: 'descending',
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
  { id: 'record', header: t('Record'), cell: (entry) => <ChangedRecord entry={entry} /> },
  {
    id: 'what',
    header: t('Details'),
    className: 'sm:min-w-28',
    cell: ({ fields, changes, counts }) => <Details fields={fields} changes={changes} counts={counts} />,
  },
  { id: 'actor', header: t('Actor'), cell: ({ actor, via }) => <Actor actor={actor} via={via} /> },
  {
    id: 'request',
    header: t('Request ID'),
    phone: 'hidden',
    hideBelow: 'wide',
    className: 'font-mono text-[0.8125rem] text-muted',
    cell: ({ request_id }) => request_id,
  },
];
