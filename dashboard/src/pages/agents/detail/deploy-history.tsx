import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../../api/query.ts';
import type { DeployRecord } from '../../../api/types.gen.ts';
import { exactTime } from '../../../lib/format.ts';
import { pageQuery } from '../../../lib/search-params.ts';
import { Badge } from '../../../ui/badge.tsx';
import { cx } from '../../../ui/cx.ts';
import { Section } from '../../../ui/page.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { userLabel } from '../labels.tsx';
import { VersionLink } from '../version-link.tsx';
import { versionNumber } from './draft.ts';

const PAGE_SIZE = 10;

/** The periods in which each version was deployed, newest first. */
export const DeployHistory = ({
  agent,
  page,
  onPage,
}: {
  readonly agent: string;
  readonly page: number;
  readonly onPage: (page: number) => void;
}) => {
  const list = useQuery({
    ...apiQuery('/agents/{id}/deploys', {
      params: { id: agent },
      query: pageQuery(page, PAGE_SIZE),
    }),
    placeholderData: keepPreviousData,
  });
  const total = list.data?.pagination.total;
  return (
    <Section title="Deploys" description="When each version was live.">
      {list.isError && !list.data ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : !list.data ? (
        <Skeleton className="h-16 w-full" />
      ) : total === 0 ? (
        <p className="text-sm text-muted">
          No deploys yet. Deploy a version to make it live on every connected channel.
        </p>
      ) : (
        <ol aria-label="Deploys" className={cx('text-sm', list.isPlaceholderData && 'opacity-60')}>
          {list.data.data.map((each) => (
            <Deploy key={each.deployed_at} agent={agent} deploy={each} />
          ))}
        </ol>
      )}
      {total !== undefined && (total > PAGE_SIZE || page > 1) && (
        <Pager label="Pages of deploys" page={page} pageSize={PAGE_SIZE} total={total} onPage={onPage} />
      )}
    </Section>
  );
};

const Deploy = ({ agent, deploy }: { readonly agent: string; readonly deploy: DeployRecord }) => {
  const { version_label: label, previous_version_label: previous, active_until: until, note } = deploy;
  const isNow = until === null;
  const wentBack = previous !== null && versionNumber(label) < versionNumber(previous);
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
        <VersionLink agent={agent} label={label} isSamePage>
          <span className="figure font-medium underline decoration-line underline-offset-4">{label}</span>
        </VersionLink>
        {isNow && (
          <Badge tone="good" dot>
            Live
          </Badge>
        )}
        <span className="text-muted">
          {wentBack ? `rolled back from ${previous}` : previous ? `replaced ${previous}` : 'first deploy'}
        </span>
      </p>
      <p className="figure text-[0.8125rem] text-muted wrap-anywhere">
        <time dateTime={deploy.deployed_at}>{exactTime(deploy.deployed_at)}</time>
        {until ? (
          <>
            {' – '}
            <time dateTime={until}>{exactTime(until)}</time>
          </>
        ) : (
          ' – now'
        )}
        {' · by '}
        {userLabel(deploy.deployed_by_email)}
      </p>
      {note && (
        <p dir="auto" className="mt-0.5 text-[0.8125rem] wrap-anywhere">
          “{note}”
        </p>
      )}
    </li>
  );
};
