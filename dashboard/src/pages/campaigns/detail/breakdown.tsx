import type { ReactNode } from 'react';
import type { Campaign, Enrollment } from '../../../api/types.gen.ts';
import { numberText, percentText } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { enrolledTotal, enrollmentStatusLabels } from '../../../records/campaigns/labels.tsx';
import { Section } from '../../../ui/page.tsx';

/** From the end of a contact's way to its beginning, in the colors of the charts. */
const colors: readonly (readonly [Enrollment['status'], string])[] = [
  ['completed', 'var(--chart-1)'],
  ['failed', 'var(--danger)'],
  ['in_progress', 'var(--chart-2)'],
  ['pending', 'var(--chart-3)'],
  ['blocked', 'var(--chart-4)'],
  ['skipped', 'var(--chart-5)'],
];

/** The statuses that some contacts have. */
export const statusesIn = (counts: Campaign['enrolled']) =>
  colors.flatMap(([status, color]) => {
    const count = counts[status];
    return count > 0 ? [{ status, color, count }] : [];
  });

/** The shares of the statuses, in colors. */
export const StatusBar = ({ counts }: { readonly counts: Campaign['enrolled'] }) => (
  <div aria-hidden className="flex h-full gap-px overflow-hidden rounded-full">
    {statusesIn(counts).map(({ status, color, count }) => (
      <span key={status} className="min-w-1" style={{ flexGrow: count, background: color }} />
    ))}
  </div>
);

/** How many of the enrolled contacts have each status, and their shares. */
export const Breakdown = ({
  enrolled,
  description,
}: {
  readonly enrolled: Campaign['enrolled'];
  readonly description?: ReactNode;
}) => (
  <Section title={t('Contacts by status')} description={description} className="xl:col-span-3">
    <div className="mb-3 h-2.5">
      <StatusBar counts={enrolled} />
    </div>
    <ul aria-label={t('Contacts by status')} className="flex flex-wrap gap-x-6 gap-y-1.5 text-sm">
      {statusesIn(enrolled).map(({ status, color, count }) => (
        <li key={status} className="flex items-center gap-1.5">
          <span aria-hidden className="size-2.5 rounded-sm" style={{ background: color }} />
          <span className="text-muted">{enrollmentStatusLabels[status]}</span>
          <span className="figure font-medium">{numberText(count)}</span>
          <span className="figure text-muted">{percentText(count / enrolledTotal(enrolled))}</span>
        </li>
      ))}
    </ul>
  </Section>
);
