import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Ellipsis, GitCompare, PenLine } from 'lucide-react';
import { apiQuery } from '../../../api/query.ts';
import type { Agent, ListedVersion } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { pageQuery } from '../../../lib/search-params.ts';
import { VersionLink } from '../../../records/agents/version-link.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { RowCheckbox } from '../../../ui/checkbox.tsx';
import { cx } from '../../../ui/cx.ts';
import { Menu } from '../../../ui/menu.tsx';
import type { MenuItem } from '../../../ui/menu-items.ts';
import { Section } from '../../../ui/page.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { rich } from '../../../ui/rich.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { authorLabel, deployerLabel, deployLabel, deployWord, VersionStatusBadge } from '../labels.tsx';
import { toggleVersion } from './compared-versions.ts';
import { versionNumber } from './draft.ts';

const PAGE_SIZE = 10;

export const versionsQuery = (id: string, page = 1) =>
  apiQuery('/agents/{id}/versions', { params: { id }, query: pageQuery(page, PAGE_SIZE) });

export interface VersionActions {
  readonly chosen: readonly string[];
  readonly onCompare: (compare: string | undefined) => void;
  readonly onDeploy: (label: string) => void;
  /** Loads the text of a version into the editor. */
  readonly onEditFrom: (version: ListedVersion) => void;
}

/** The versions, newest first. Two selected versions are compared. */
export const Versions = ({
  agent,
  page,
  onPage,
  ...actions
}: VersionActions & {
  readonly agent: Agent;
  readonly page: number;
  readonly onPage: (page: number) => void;
}) => {
  const list = useQuery({
    ...versionsQuery(agent.id, page),
    placeholderData: keepPreviousData,
  });
  const total = list.data?.pagination.total ?? 0;
  return (
    <Section
      title={t('Versions')}
      description={
        actions.chosen.length === 1
          ? t('Select another version to compare with {label}.', { label: actions.chosen[0] ?? '' })
          : t('Select two versions to compare.')
      }
    >
      {list.isError && !list.data ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <ol
          aria-label={t('Versions')}
          className={cx('-my-3 divide-y divide-line', list.isPlaceholderData && 'opacity-60')}
        >
          {list.data?.data.map((version) => (
            <Version key={version.id} agent={agent} version={version} {...actions} />
          )) ??
            agent.versions.slice(0, PAGE_SIZE).map(({ id }) => (
              <li key={id} className="py-3">
                <Skeleton className="h-10 w-full" />
              </li>
            ))}
        </ol>
      )}
      {total > PAGE_SIZE && (
        <Pager
          label={t('Pages of versions')}
          page={page}
          pageSize={PAGE_SIZE}
          total={total}
          onPage={onPage}
        />
      )}
    </Section>
  );
};

const Version = ({
  agent,
  version,
  chosen,
  onCompare,
  onDeploy,
  onEditFrom,
}: VersionActions & {
  readonly agent: Agent;
  readonly version: ListedVersion;
}) => {
  const { version_label: label, deployment_status: status } = version;
  const deployed = agent.deployed_version;
  const number = versionNumber(label);
  const against = [
    number > 1 ? `v${number - 1}` : undefined,
    deployed && deployed.version_label !== `v${number - 1}` && deployed.version_label !== label
      ? deployed.version_label
      : undefined,
  ].filter((each) => each !== undefined);
  const items: MenuItem[] = [
    ...against.map((other) => ({
      label:
        other === deployed?.version_label
          ? t('Compare with {label} (deployed)', { label: other })
          : t('Compare with {label}', { label: other }),
      icon: <GitCompare aria-hidden />,
      onSelect: () => onCompare(`${other}..${label}`),
    })),
    {
      label: t('Edit from this version'),
      icon: <PenLine aria-hidden />,
      onSelect: () => onEditFrom(version),
    },
  ];
  const name = deployLabel(version, deployed);
  return (
    <li className="flex items-start gap-2.5 py-3">
      <RowCheckbox
        label={t('Compare {label}', { label })}
        checked={chosen.includes(label)}
        onChange={() => onCompare(toggleVersion(chosen, label))}
      />
      <div className="min-w-0 flex-1 text-[0.8125rem] text-muted">
        <p className="mb-0.5 flex flex-wrap items-center gap-2">
          <span className="text-sm font-medium text-ink">
            <VersionLink agent={agent.id} label={label} />
          </span>
          <VersionStatusBadge status={status} />
        </p>
        <p className="wrap-anywhere">
          {version.created_by !== null
            ? rich('Created {time} by {user}', {
                time: <Time at={version.created_at} />,
                user: authorLabel(version),
              })
            : rich('Created {time}', { time: <Time at={version.created_at} /> })}
        </p>
        {version.deployed_at && (
          <p className="wrap-anywhere">
            {rich('Deployed {time} by {user}', {
              time: <Time at={version.deployed_at} />,
              user: deployerLabel(version),
            })}
          </p>
        )}
        {version.note && (
          <p dir="auto" className="mt-0.5 text-ink wrap-anywhere">
            {t('“{text}”', { text: version.note })}
          </p>
        )}
      </div>
      <div className="flex gap-1">
        {status !== 'deployed' && (
          <Button size="small" aria-label={name} onClick={() => onDeploy(label)}>
            {deployWord(version, deployed)}
          </Button>
        )}
        <Menu
          trigger={
            <IconButton
              label={t('More actions for {label}', { label })}
              size="small"
              icon={<Ellipsis aria-hidden />}
            />
          }
          items={items}
        />
      </div>
    </li>
  );
};
