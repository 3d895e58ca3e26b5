import { Link } from '@tanstack/react-router';
import type { VersionSummary } from '../../../api/types.gen.ts';
import { numberText, t } from '../../../lib/i18n.ts';
import { statusLabels } from '../../../records/calls/labels.ts';
import { hasResults } from '../../../records/calls/outcomes.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Section } from '../../../ui/page.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { averageText, IncompleteNotice, NoResults, Results, successText } from './results.tsx';
import { useVersionResults, type VersionResults } from './use-version-results.ts';

const Figure = ({ label, value }: { readonly label: string; readonly value: string }) => (
  <div>
    <dt className="text-[0.8125rem] text-muted">{label}</dt>
    <dd className="figure text-xl font-semibold">{value}</dd>
  </div>
);

const statuses = Object.keys(statusLabels) as (keyof typeof statusLabels)[];

/** How the calls and messages of a version ended. */
export const VersionCalls = ({ version }: { readonly version: VersionSummary }) => {
  const { version_label: label } = version;
  const { failed, results } = useVersionResults([version.id]);
  const [own] = results;
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
          <>
            <Statuses results={own} version={version.id} />
            <IncompleteNotice label={label} results={own} />
          </>
        )}
      </Section>
      {!failed && own && own.calls > 0 && (
        <Section title={t('Results')} description={t('Goals and dispositions that your runtime reports.')}>
          {hasResults(own) ? <Results sides={[{ label, results: own }]} /> : <NoResults />}
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
