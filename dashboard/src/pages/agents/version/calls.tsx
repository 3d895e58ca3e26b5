import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { apiQuery } from '../../../api/query.ts';
import type { VersionOutcomes } from '../../../api/types.gen.ts';
import { durationText } from '../../../lib/format.ts';
import { locale, numberText, plural, t } from '../../../lib/i18n.ts';
import { statusLabels } from '../../../records/calls/labels.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Section } from '../../../ui/page.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';

const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });

const Figure = ({ label, value }: { readonly label: string; readonly value: string }) => (
  <div>
    <dt className="text-[0.8125rem] text-muted">{label}</dt>
    <dd className="figure text-xl font-semibold">{value}</dd>
  </div>
);

const statuses = Object.keys(statusLabels) as (keyof typeof statusLabels)[];

/** How the calls and messages of a version ended. */
export const VersionCalls = ({
  agent,
  version,
  label,
}: {
  readonly agent: string;
  /** Its id. */
  readonly version: string;
  readonly label: string;
}) => {
  const query = useQuery(
    apiQuery('/agents/{id}/versions/{version}/outcomes', { params: { id: agent, version } }),
  );
  const outcomes = query.data?.data;
  return (
    <Section title={t('Calls')} description={t('Calls and messages in which {label} spoke.', { label })}>
      {query.isError && !outcomes ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : !outcomes ? (
        <Skeleton className="h-24 w-full" />
      ) : outcomes.total === 0 ? (
        <p className="text-sm text-muted">{t('No calls yet.')}</p>
      ) : (
        <Outcomes outcomes={outcomes} version={version} />
      )}
    </Section>
  );
};

const Outcomes = ({
  outcomes,
  version,
}: {
  readonly outcomes: VersionOutcomes;
  readonly version: string;
}) => {
  const { total, by_status, success_rate: rate, average_seconds: seconds } = outcomes;
  return (
    <div className="flex flex-col gap-4">
      <dl className="grid grid-cols-3 gap-3">
        <Figure label={t('Calls')} value={numberText(total)} />
        <Figure label={t('Success rate')} value={rate === null ? '–' : percent.format(rate)} />
        <Figure
          label={t('Average duration')}
          value={seconds === null ? '–' : durationText(Math.round(seconds))}
        />
      </dl>
      <ul aria-label={t('Calls by status')} className="flex flex-wrap gap-2">
        {statuses
          .filter((status) => by_status[status] > 0)
          .map((status) => (
            <li key={status}>
              <Badge tone={statusLabels[status].tone} dot>
                {statusLabels[status].label} {numberText(by_status[status])}
              </Badge>
            </li>
          ))}
      </ul>
      <Link
        to="/calls"
        search={{ version }}
        className="self-start rounded text-sm font-medium underline underline-offset-4"
      >
        {plural(total, 'Show # call', 'Show all # calls')}
      </Link>
    </div>
  );
};
