import type { UseQueryResult } from '@tanstack/react-query';
import { GitCompare } from 'lucide-react';
import type { ReactNode } from 'react';
import type { DeployRecord } from '../../../api/types.gen.ts';
import { exactTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { VersionLink } from '../../../records/agents/version-link.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Section } from '../../../ui/page.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { rich } from '../../../ui/rich.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { deployerLabel } from '../labels.tsx';
import { versionNumber } from './draft.ts';

interface DeployPage {
  readonly data: readonly DeployRecord[];
  readonly pagination: { readonly total: number };
}

/** Periods in which versions were live, newest first. */
export const DeployList = ({
  agent,
  description,
  empty,
  list,
  page,
  pageSize,
  onPage,
  onCompare,
  children,
}: {
  readonly agent: string;
  readonly description: string;
  readonly empty: string;
  readonly list: UseQueryResult<DeployPage>;
  readonly page: number;
  readonly pageSize: number;
  readonly onPage: (page: number) => void;
  /** Compares the version with the one that it replaced: `v1..v2`. */
  readonly onCompare?: (compare: string) => void;
  /** Shown above the list. */
  readonly children?: ReactNode;
}) => {
  const total = list.data?.pagination.total;
  return (
    <Section title={t('Deploys')} description={description}>
      {children}
      {list.isError && !list.data ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : !list.data ? (
        <Skeleton className="h-16 w-full" />
      ) : total === 0 ? (
        <p className="text-sm text-muted">{empty}</p>
      ) : (
        <ol aria-label={t('Deploys')} className={cx('text-sm', list.isPlaceholderData && 'opacity-60')}>
          {list.data.data.map((each) => (
            <Deploy key={each.deployed_at} agent={agent} deploy={each} onCompare={onCompare} />
          ))}
        </ol>
      )}
      {total !== undefined && (total > pageSize || page > 1) && (
        <Pager label={t('Pages of deploys')} page={page} pageSize={pageSize} total={total} onPage={onPage} />
      )}
    </Section>
  );
};

const changeText = ({ version_label: label, previous_version_label: previous }: DeployRecord): string => {
  if (previous === null) return t('first deploy');
  return versionNumber(label) < versionNumber(previous)
    ? t('rolled back from {previous}', { previous })
    : t('replaced {previous}', { previous });
};

const Deploy = ({
  agent,
  deploy,
  onCompare,
}: {
  readonly agent: string;
  readonly deploy: DeployRecord;
  readonly onCompare: ((compare: string) => void) | undefined;
}) => {
  const { version_label: label, previous_version_label: previous, active_until: until, note } = deploy;
  const isNow = until === null;
  return (
    <li className="relative pb-5 pl-6 last:pb-0 before:absolute before:top-2 before:bottom-[-0.5rem] before:left-[0.3125rem] before:w-px before:bg-line last:before:hidden">
      <span
        aria-hidden
        className={cx(
          'absolute top-[0.4375rem] left-0 size-2.75 rounded-full border-2',
          isNow ? 'border-accent bg-accent' : 'border-control bg-surface',
        )}
      />
      <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
        <span className="font-medium">
          <VersionLink agent={agent} label={label} />
        </span>
        {isNow && (
          <Badge tone="good" dot>
            {t('Live')}
          </Badge>
        )}
        <span className="text-muted">{changeText(deploy)}</span>
        {previous && onCompare && (
          <Button
            variant="quiet"
            size="small"
            className="-my-1 px-2! text-muted"
            aria-label={t('Compare with previous: {first} and {second}', { first: previous, second: label })}
            onClick={() => onCompare(`${previous}..${label}`)}
          >
            <GitCompare aria-hidden />
            {t('Compare with previous')}
          </Button>
        )}
      </p>
      <p className="figure text-[0.8125rem] text-muted wrap-anywhere">
        {rich('{from} – {until} · by {user}', {
          from: <time dateTime={deploy.deployed_at}>{exactTime(deploy.deployed_at)}</time>,
          until: until ? <time dateTime={until}>{exactTime(until)}</time> : t('now'),
          user: deployerLabel(deploy),
        })}
      </p>
      {note && (
        <p dir="auto" className="mt-0.5 text-[0.8125rem] wrap-anywhere">
          {t('“{text}”', { text: note })}
        </p>
      )}
    </li>
  );
};
