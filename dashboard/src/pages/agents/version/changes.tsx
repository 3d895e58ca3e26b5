import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { loadChunk } from '../../../api/load-chunk.ts';
import type { Agent, Version } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { Section } from '../../../ui/page.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { type Content, versionQuery } from '../version-query.ts';

const VersionDiff = lazy(async () => ({
  default: (await loadChunk(() => import('../readers.ts'))).VersionDiff,
}));
const waiting = <Skeleton className="h-24 w-full" />;

/** What a version changes in the one that it is based on. */
export const VersionChanges = ({
  agent,
  label,
  version,
}: {
  readonly agent: Agent;
  readonly label: string;
  readonly version: { readonly data: Version; readonly content: Content };
}) => {
  const base = version.data.based_on;
  const before = agent.versions.find((each) => base?.agent_id === agent.id && each.id === base.version_id);
  const query = useQuery({ ...versionQuery(agent.id, before?.id ?? ''), enabled: before !== undefined });
  if (!before) return null;
  const from = before.version_label;
  return (
    <Section title={t('Changes since {label}', { label: from })}>
      {query.isError && !query.data ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : !query.data ? (
        waiting
      ) : (
        <Suspense fallback={waiting}>
          <VersionDiff
            before={{ label: from, ...query.data.content }}
            after={{ label, ...version.content }}
          />
        </Suspense>
      )}
    </Section>
  );
};
