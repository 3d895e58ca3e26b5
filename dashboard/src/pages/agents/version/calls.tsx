import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { apiQuery } from '../../../api/query.ts';
import type { Agent, VersionOutcomes, VersionSummary } from '../../../api/types.gen.ts';
import { durationText } from '../../../lib/format.ts';
import { locale, numberText, plural, t } from '../../../lib/i18n.ts';
import { statusLabels } from '../../../records/calls/labels.ts';
import { hasResults } from '../../../records/calls/outcomes.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Select } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { versionWithStatus } from '../labels.tsx';
import { NoResults, Results } from './results.tsx';

const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });

const Figure = ({ label, value }: { readonly label: string; readonly value: string }) => (
  <div>
    <dt className="text-[0.8125rem] text-muted">{label}</dt>
    <dd className="figure text-xl font-semibold">{value}</dd>
  </div>
);

const statuses = Object.keys(statusLabels) as (keyof typeof statusLabels)[];

/** How the calls and messages of a version ended, beside those of another version. */
export const VersionCalls = ({
  agent,
  version,
  against,
  onAgainst,
}: {
  readonly agent: Agent;
  readonly version: VersionSummary;
  /** The label of the other version. */
  readonly against: string | undefined;
  readonly onAgainst: (label: string | undefined) => void;
}) => {
  const { version_label: label } = version;
  const others = agent.versions.filter(({ id }) => id !== version.id);
  const other = others.find((each) => each.version_label === against);
  const queries = useQueries({
    queries: [version, ...(other ? [other] : [])].map(({ id }) =>
      apiQuery('/agents/{id}/versions/{version}/outcomes', { params: { id: agent.id, version: id } }),
    ),
  });
  const [outcomes, otherOutcomes] = queries.map((each) => each.data?.data);
  const failed = queries.find((each) => each.isError && !each.data);
  const sides = [
    { label, outcomes },
    ...(other ? [{ label: other.version_label, outcomes: otherOutcomes }] : []),
  ].flatMap((side) => (side.outcomes ? [{ label: side.label, outcomes: side.outcomes }] : []));
  const isLoaded = sides.length === queries.length;
  return (
    <>
      <Section title={t('Calls')} description={t('Calls and messages in which {label} spoke.', { label })}>
        {failed ? (
          <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
        ) : !outcomes ? (
          <Skeleton className="h-24 w-full" />
        ) : outcomes.total === 0 ? (
          <p className="text-sm text-muted">{t('No calls yet.')}</p>
        ) : (
          <Statuses outcomes={outcomes} version={version.id} />
        )}
      </Section>
      {!failed && outcomes && (outcomes.total > 0 || other) && (
        <Section title={t('Results')} description={t('Goals and dispositions that your runtime reports.')}>
          {others.length > 0 && (hasResults(outcomes) || other) && (
            <Select
              label={t('Compare with')}
              className="mb-4"
              placeholder={t('No other version')}
              options={others.map(({ version_label, deployment_status }) => ({
                value: version_label,
                label: versionWithStatus(version_label, deployment_status),
              }))}
              value={other?.version_label ?? ''}
              onChange={({ target }) => onAgainst(target.value || undefined)}
            />
          )}
          {!isLoaded ? (
            <Skeleton className="h-24 w-full" />
          ) : other || hasResults(outcomes) ? (
            <Results sides={sides} />
          ) : (
            <NoResults />
          )}
        </Section>
      )}
    </>
  );
};

const Statuses = ({
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
