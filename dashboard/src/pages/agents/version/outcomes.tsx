import { Link } from '@tanstack/react-router';
import type { VersionSummary } from '../../../api/types.gen.ts';
import { numberText, t } from '../../../lib/i18n.ts';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { IncompleteNotice, Results } from './results.tsx';
import { useVersionResults } from './use-version-results.ts';

/** The outcomes of two versions side by side, and the way to the calls of each. */
const Outcomes = ({ versions }: { readonly versions: readonly VersionSummary[] }) => {
  const { failed, results } = useVersionResults(versions.map(({ id }) => id));
  const sides = versions.flatMap(({ id, version_label: label }, at) => {
    const found = results[at];
    return found ? [{ id, label, results: found }] : [];
  });
  return (
    <section aria-label={t('Outcomes')} className="mt-5">
      <h3 className="mb-1.5 text-sm font-medium">{t('Outcomes of the last 366 days')}</h3>
      {failed ? (
        <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
      ) : sides.length < versions.length ? (
        <Skeleton className="h-24 w-full" />
      ) : (
        <>
          <Results sides={sides} />
          {sides.map((side) => (
            <IncompleteNotice key={side.id} {...side} />
          ))}
          <p className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-sm">
            {sides.map(({ id, label, results }) => (
              <Link
                key={id}
                to="/calls"
                search={{ version: id }}
                className="rounded font-medium underline underline-offset-4"
              >
                {t('Calls of {label} ({count})', { label, count: numberText(results.calls) })}
              </Link>
            ))}
          </p>
        </>
      )}
    </section>
  );
};

export default Outcomes;
