import { useState } from 'react';
import type { Campaign, CampaignProgress } from '../../../api/types.gen.ts';
import { numberText, percentText } from '../../../lib/format.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { enrolledTotal, enrollmentStatusWords } from '../../../records/campaigns/labels.tsx';
import { Outcome } from '../../../records/campaigns/outcome.tsx';
import { Button } from '../../../ui/button.tsx';
import { Section } from '../../../ui/page.tsx';
import { StatusBar, statusesIn } from './breakdown.tsx';

const MAX_SHOWN = 8;

const rowOf = ({ outcome, ...counts }: CampaignProgress['outcomes'][number]) => ({
  outcome,
  counts,
  total: enrolledTotal(counts),
});

/** How many contacts have each outcome, with their shares and statuses. */
export const Outcomes = ({
  outcomes,
  enrolled,
}: Pick<CampaignProgress, 'outcomes'> & { readonly enrolled: Campaign['enrolled'] }) => {
  const [showsAll, setShowsAll] = useState(false);
  const rows = outcomes.map(rowOf);
  const reported = rows.reduce((sum, { total }) => sum + total, 0);
  const most = Math.max(...rows.map(({ total }) => total));
  const others = Math.max(0, enrolledTotal(enrolled) - reported);
  return (
    <Section
      title={t('Contacts by outcome')}
      description={
        reported > 0 &&
        [
          t('The last reported outcome of each contact.'),
          others > 0 && plural(others, '# has none yet.', '# have none yet.'),
        ]
          .filter(Boolean)
          .join(' ')
      }
      className="xl:col-span-3"
    >
      {reported === 0 && (
        <p className="text-sm text-muted">
          {t('No outcomes yet. They appear here when your dialer reports them.')}
        </p>
      )}
      <ul aria-label={t('Contacts by outcome')} className="grid gap-x-8 gap-y-3 text-sm md:grid-cols-2">
        {rows.slice(0, showsAll ? undefined : MAX_SHOWN).map(({ outcome, counts, total }) => (
          <li key={outcome} className="min-w-0">
            <div className="flex items-baseline justify-between gap-3">
              <span className="min-w-0 truncate font-medium" title={outcome ?? undefined}>
                {outcome === null ? t('Other outcomes') : <Outcome outcome={outcome} />}
              </span>
              <span className="figure flex shrink-0 gap-2">
                {numberText(total)} <span className="text-muted">{percentText(total / reported)}</span>
              </span>
            </div>
            <div className="mt-1 h-1.5 rounded-full bg-sunken">
              <div className="h-full" style={{ width: `${(100 * total) / most}%` }}>
                <StatusBar counts={counts} />
              </div>
            </div>
            <p className="mt-0.5 text-[0.8125rem] text-muted">
              {statusesIn(counts)
                .map(({ status, count }) => `${numberText(count)} ${enrollmentStatusWords[status]}`)
                .join(' · ')}
            </p>
          </li>
        ))}
      </ul>
      {!showsAll && rows.length > MAX_SHOWN && (
        <Button size="small" className="mt-3" onClick={() => setShowsAll(true)}>
          {t('Show all')}
        </Button>
      )}
    </Section>
  );
};
