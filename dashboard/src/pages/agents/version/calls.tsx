import { Link } from '@tanstack/react-router';
import type { Agent, VersionSummary } from '../../../api/types.gen.ts';
import { numberText, t } from '../../../lib/i18n.ts';
import { statusLabels } from '../../../records/calls/labels.ts';
import { hasResults } from '../../../records/calls/outcomes.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Select } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Section } from '../../../ui/page.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { versionWithStatus } from '../labels.tsx';
import { averageText, NoResults, Results, successText } from './results.tsx';
import { useVersionResults, type VersionResults } from './use-version-results.ts';

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
  const shown = other ? [version, other] : [version];
  const { failed, results } = useVersionResults(shown.map(({ id }) => id));
  const [own] = results;
  const sides = shown.flatMap(({ version_label }, at) => {
    const found = results[at];
    return found ? [{ label: version_label, results: found }] : [];
  });
  return (
    <>
      <Section
        title={t('Calls')}
        description={t('Calls and messages of the last 366 days in which {label} spoke.', { label })}
      >
        {failed ? (
          <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
        ) : !own ? (
          <Skeleton className="h-24 w-full" />
        ) : own.calls === 0 ? (
          <p className="text-sm text-muted">{t('No calls in these days.')}</p>
        ) : (
          <Statuses results={own} version={version.id} />
        )}
        {!failed &&
          own &&
          sides.map(
            ({ label, results }) =>
              !results.is_complete && (
                <div key={label} className="mt-3">
                  <Notice tone="info">
                    {t('Calls, success rate and duration of {label} are those of its latest {count} calls.', {
                      label,
                      count: results.calls,
                    })}
                  </Notice>
                </div>
              ),
          )}
      </Section>
      {!failed && own && (own.calls > 0 || other) && (
        <Section title={t('Results')} description={t('Goals and dispositions that your runtime reports.')}>
          {others.length > 0 && (hasResults(own) || other) && (
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
          {sides.length < shown.length ? (
            <Skeleton className="h-24 w-full" />
          ) : other || hasResults(own) ? (
            <Results sides={sides} />
          ) : (
            <NoResults />
          )}
        </Section>
      )}
    </>
  );
};

const Statuses = ({ results, version }: { readonly results: VersionResults; readonly version: string }) => {
  const counts = results.statuses as Partial<Record<string, number>>;
  return (
    <div className="flex flex-col gap-4">
      <dl className="grid grid-cols-3 gap-3">
        <Figure label={t('Calls')} value={numberText(results.calls)} />
        <Figure label={t('Success rate')} value={successText(results)} />
        <Figure label={t('Average duration of all calls that have one')} value={averageText(results)} />
      </dl>
      <ul aria-label={t('Calls by status')} className="flex flex-wrap gap-2">
        {statuses.map((status) => {
          const { tone, label } = statusLabels[status];
          const count = counts[status];
          return count ? (
            <li key={status}>
              <Badge tone={tone} dot>
                {label} {numberText(count)}
              </Badge>
            </li>
          ) : null;
        })}
      </ul>
      <Link
        to="/calls"
        search={{ version }}
        className="self-start rounded text-sm font-medium underline underline-offset-4"
      >
        {t('Show all calls')}
      </Link>
    </div>
  );
};
