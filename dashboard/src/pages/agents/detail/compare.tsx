import { useQueries } from '@tanstack/react-query';
import { ArrowLeftRight, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Agent } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Select } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { versionWithStatus } from '../labels.tsx';
import Outcomes from '../version/outcomes.tsx';
import { versionQuery } from '../version-query.ts';
import VersionDiff from './version-diff.tsx';

const Compare = ({
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
          <>
            <VersionDiff
              before={{ label: nameOf(first), ...before }}
              after={{ label: nameOf(second), ...after }}
            />
            <Outcomes versions={sides.filter((side) => side !== undefined)} />
          </>
        ) : (
          <Skeleton className="h-40 w-full" />
        )}
      </Section>
    </div>
  );
};

export default Compare;
