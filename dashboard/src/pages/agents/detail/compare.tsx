import { useQueries } from '@tanstack/react-query';
import { ArrowLeftRight, X } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { loadChunk } from '../../../api/load-chunk.ts';
import type { Agent, VersionSummary } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Select } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { versionWithStatus } from '../labels.tsx';
import { versionQuery } from '../version-query.ts';
import { versionNumber } from './draft.ts';

const Outcomes = lazy(() => loadChunk(() => import('../version/outcomes.tsx')));
const VersionDiff = lazy(async () => ({
  default: (await loadChunk(() => import('../readers.ts'))).VersionDiff,
}));

/** The labels in the URL of versions that exist. */
export const comparedVersions = (
  compare: string | undefined,
  versions: readonly VersionSummary[],
): string[] =>
  (compare?.split('..') ?? []).filter((label) => versions.some((each) => each.version_label === label));

/** The `compare` parameter after a version was toggled, older version first. A third version replaces the first one
 *  selected. */
export const toggleVersion = (chosen: readonly string[], label: string): string | undefined => {
  const next = chosen.includes(label)
    ? chosen.filter((each) => each !== label)
    : [...chosen.slice(-1), label].sort((a, b) => versionNumber(a) - versionNumber(b));
  return next.length === 0 ? undefined : next.join('..');
};

export const Compare = ({
  agent,
  chosen,
  onChange,
}: {
  readonly agent: Agent;
  readonly chosen: readonly [string, string];
  readonly onChange: (compare: string | undefined) => void;
}) => {
  const [first, second] = chosen;
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { top = 0, bottom = 0 } = container.current?.getBoundingClientRect() ?? {};
    // Scrolling also moves the position from which Tab continues, so it is only done where it is needed.
    if (top < 0 || bottom > window.innerHeight) container.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const sides = chosen.map((label) => agent.versions.find((each) => each.version_label === label));
  const texts = useQueries({
    queries: sides.map((side) => ({
      ...versionQuery(agent.id, side?.id ?? ''),
      enabled: side !== undefined,
    })),
  });
  const failed = texts.find((each) => each.isError);
  const [before, after] = texts.map((each) => each.data?.content);
  const options = agent.versions.map(({ version_label, deployment_status }) => ({
    value: version_label,
    label: versionWithStatus(version_label, deployment_status),
  }));
  const nameOf = (label: string) =>
    versionWithStatus(label, agent.versions.find((each) => each.version_label === label)?.deployment_status);
  return (
    <div ref={container} className="scroll-mt-4">
      <Section
        title={t('Compare {first} and {second}', { first, second })}
        actions={
          <IconButton
            label={t('Close comparison')}
            size="small"
            icon={<X aria-hidden />}
            onClick={() => onChange(undefined)}
          />
        }
      >
        <div className="mb-4 flex flex-wrap items-end gap-2">
          <Select
            label={t('From')}
            className="min-w-0 flex-1 basis-40 sm:max-w-56"
            options={options}
            value={first}
            onChange={({ target }) => onChange(`${target.value}..${second}`)}
          />
          <IconButton
            label={t('Swap versions')}
            icon={<ArrowLeftRight aria-hidden />}
            onClick={() => onChange(`${second}..${first}`)}
          />
          <Select
            label={t('To')}
            className="min-w-0 flex-1 basis-40 sm:max-w-56"
            options={options}
            value={second}
            onChange={({ target }) => onChange(`${first}..${target.value}`)}
          />
        </div>
        {failed ? (
          <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
        ) : before && after ? (
          <Suspense fallback={<Skeleton className="h-40 w-full" />}>
            <VersionDiff
              before={{ label: nameOf(first), ...before }}
              after={{ label: nameOf(second), ...after }}
            />
            <Outcomes versions={sides.filter((side) => side !== undefined)} />
          </Suspense>
        ) : (
          <Skeleton className="h-40 w-full" />
        )}
      </Section>
    </div>
  );
};
