import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { apiQuery } from '../../api/query.ts';
import type { DeployRecord, Import } from '../../api/types.gen.ts';
import { plural, t } from '../../lib/i18n.ts';
import { VersionLink } from '../../records/agents/version-link.tsx';
import { importStateLabel } from '../../records/imports/labels.ts';
import { Badge } from '../../ui/badge.tsx';
import { Section } from '../../ui/page.tsx';
import { rich } from '../../ui/rich.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

export const newest = { query: { limit: 5 } };
const link = 'rounded font-medium wrap-anywhere hover:underline';

const RecentList = <Row,>({
  title,
  rows,
  all,
  empty,
  rowId,
  row,
}: {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly all: ReactNode;
  readonly empty: ReactNode;
  readonly rowId: (row: Row) => string;
  readonly row: (row: Row) => ReactNode;
}) => (
  <Section title={title} actions={rows.length > 0 && all}>
    {rows.length === 0 ? (
      <p className="py-6 text-center text-sm text-muted">{empty}</p>
    ) : (
      <ul className="-my-2 divide-y divide-line text-sm">
        {rows.map((each) => (
          <li key={rowId(each)} className="py-2.5">
            {row(each)}
          </li>
        ))}
      </ul>
    )}
  </Section>
);

const Line = ({
  name,
  badge,
  at,
  children,
}: {
  readonly name: ReactNode;
  readonly badge?: ReactNode;
  readonly at: string;
  readonly children: ReactNode;
}) => (
  <>
    <div className="flex items-baseline justify-between gap-3">
      <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        {name}
        {badge}
      </div>
      <Time at={at} className="shrink-0 text-[0.8125rem] text-muted" />
    </div>
    <p className="text-[0.8125rem] wrap-anywhere text-muted">{children}</p>
  </>
);

const joinTexts = (...texts: (string | null)[]): string => texts.filter(Boolean).join(' · ');

const allLink = (to: string, text: string) => (
  <Link to={to} className="rounded text-sm text-accent-ink hover:underline">
    {text}
  </Link>
);

const importText = ({ state, totals }: Import): string => {
  const count = (name: string) => totals[name] ?? 0;
  if (state === 'planned')
    return plural(
      count('create'),
      '# contact to create, {updated} to update',
      '# contacts to create, {updated} to update',
      { updated: count('update') },
    );
  if (state === 'applied')
    return plural(
      count('created'),
      '# contact created, {updated} updated',
      '# contacts created, {updated} updated',
      { updated: count('updated') },
    );
  if (state === 'undone')
    return plural(
      count('removed'),
      '# contact removed, {restored} restored',
      '# contacts removed, {restored} restored',
      { restored: count('restored') },
    );
  return t('In progress');
};

const RecentImports = ({ rows }: { readonly rows: readonly Import[] }) => (
  <RecentList
    title={t('Recent imports')}
    rows={rows}
    all={allLink('/import', t('All imports'))}
    empty={t('No imports yet.')}
    rowId={({ id }) => id}
    row={(each) => {
      const words = importStateLabel(each);
      return (
        <Line
          name={
            <Link to="/import/$id" params={{ id: each.id }} className={link}>
              {each.name}
            </Link>
          }
          badge={words && <Badge tone={words.tone}>{words.label}</Badge>}
          at={each.applied_at ?? each.created_at}
        >
          {joinTexts(importText(each), each.created_by_email)}
        </Line>
      );
    }}
  />
);

const Change = ({ deploy }: { readonly deploy: DeployRecord }) => (
  <Badge tone="good">
    {deploy.previous_version_label && (
      <>
        {deploy.previous_version_label} <span aria-hidden>→</span>
        <span className="sr-only">{t('to')}</span>{' '}
      </>
    )}
    {deploy.version_label}
  </Badge>
);

const RecentDeploys = ({ rows }: { readonly rows: readonly DeployRecord[] }) => (
  <RecentList
    title={t('Recent deploys')}
    rows={rows}
    all={allLink('/agents', t('All agents'))}
    empty={t('No deploys yet.')}
    rowId={(each) => `${each.agent_id} ${each.deployed_at}`}
    row={(each) => (
      <Line
        name={
          each.agent_deleted ? (
            <span className="font-medium wrap-anywhere">
              {rich('{name} (deleted)', { name: <bdi>{each.agent_name}</bdi> })}
            </span>
          ) : (
            <Link to="/agents/$id" params={{ id: each.agent_id }} className={link}>
              {each.agent_name}
            </Link>
          )
        }
        badge={
          <VersionLink agent={each.agent_id} label={each.version_label} isDeleted={each.agent_deleted}>
            <Change deploy={each} />
          </VersionLink>
        }
        at={each.deployed_at}
      >
        {joinTexts(each.note, each.deployed_by_email ?? each.deployed_by_key_name)}
      </Line>
    )}
  />
);

/** The last deploys and imports, if there are any. */
export const Recent = () => {
  const deploys = useQuery(apiQuery('/deploys', newest));
  const imports = useQuery(apiQuery('/imports', newest));
  const error = deploys.error ?? imports.error;
  const retry = () => {
    for (const query of [deploys, imports]) if (query.isError) void query.refetch();
  };
  if (error) return <ErrorState error={error} onRetry={retry} />;
  if (!deploys.data || !imports.data) return <Skeleton className="h-60 rounded-xl" />;
  if (deploys.data.data.length === 0 && imports.data.data.length === 0) return null;
  return (
    <div className="grid items-start gap-x-5 lg:grid-cols-2 [&>*]:min-w-0">
      <RecentDeploys rows={deploys.data.data} />
      <RecentImports rows={imports.data.data} />
    </div>
  );
};
