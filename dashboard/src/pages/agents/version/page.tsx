import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { FlaskConical, GitCompare, PenLine, Rocket } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { loadChunk } from '../../../api/load-chunk.ts';
import { apiQuery, usePrefetch } from '../../../api/query.ts';
import type { Agent, VersionSummary } from '../../../api/types.gen.ts';
import { useCommand } from '../../../app/commands.ts';
import { exactTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { VersionLink } from '../../../records/agents/version-link.tsx';
import { fieldsQuery } from '../../../records/fields/query.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Page, Section } from '../../../ui/page.tsx';
import { rich } from '../../../ui/rich.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { versionNumber } from '../detail/draft.ts';
import { authorLabel, deployerLabel, deployLabel, VersionStatusBadge } from '../labels.tsx';
import { DeployDialog, Playground } from '../lazy-dialogs.tsx';
import { declaredQuery } from '../variables.ts';
import { versionQuery } from '../version-query.ts';
import { VersionCalls } from './calls.tsx';
import { VersionChanges } from './changes.tsx';
import { VersionConfig } from './config.tsx';
import { VersionDeploys } from './deploys.tsx';
import { PREVIEW_NEWEST, type VersionSearch } from './url-params.ts';

const VersionText = lazy(async () => ({
  default: (await loadChunk(() => import('../readers.ts'))).VersionText,
}));
const waiting = <Skeleton className="h-60 w-full" />;

const route = getRouteApi('/app/agents/$id/versions/$version');

/** One version of an agent, read-only: its content, where it comes from, when it was live and how its calls ended. */
export const VersionPage = () => {
  const { id, version: wanted } = route.useParams();
  const query = useQuery(apiQuery('/agents/{id}', { params: { id } }));
  usePrefetch(apiQuery('/settings'), declaredQuery(id), fieldsQuery);
  const agent = query.data?.data;
  const version = agent?.versions.find((each) => each.version_label === wanted || each.id === wanted);
  if (agent && version) return <Loaded key={version.id} agent={agent} version={version} />;
  return (
    <Page
      title={t('Version')}
      back={{ to: agent ? `/agents/${id}` : '/agents', label: agent?.name ?? t('Agents') }}
    >
      <div className="card">
        {query.isError ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : agent ? (
          <EmptyState title={t('Not found')}>{t('This agent has no such version.')}</EmptyState>
        ) : (
          <Skeleton className="h-96 w-full" />
        )}
      </div>
    </Page>
  );
};

const Loaded = ({ agent, version }: { readonly agent: Agent; readonly version: VersionSummary }) => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { version_label: label } = version;
  const query = useQuery(versionQuery(agent.id, version.id));
  const text = query.data?.content.text;
  const isDeployed = agent.deployed_version?.id === version.id;
  const show = (change: Partial<VersionSearch>, replace = false) =>
    void navigate({
      search: (now) => ({ ...now, ...change }),
      replace,
      ignoreBlocker: replace,
      resetScroll: false,
    });
  const compare = (pair: string) =>
    void navigate({ to: '/agents/$id', params: { id: agent.id }, search: { compare: pair } });
  const edit = () => void navigate({ to: '/agents/$id', params: { id: agent.id }, search: { edit: label } });
  useCommand(t('Edit from this version'), edit);
  useCommand(!isDeployed && deployLabel(version, agent.deployed_version), () => show({ deploy: true }));
  return (
    <Page
      title={t('{label} of {agent}', { label, agent: agent.name })}
      back={{ to: `/agents/${agent.id}`, label: agent.name }}
      width="wide"
      description={<Summary agent={agent} version={version} />}
      actions={
        <>
          <CompareMenu agent={agent} label={label} onCompare={compare} />
          <Button onClick={edit}>
            <PenLine aria-hidden />
            {t('Edit from this version')}
          </Button>
          {!isDeployed && (
            <Button variant="primary" onClick={() => show({ deploy: true })}>
              <Rocket aria-hidden />
              {deployLabel(version, agent.deployed_version)}
            </Button>
          )}
        </>
      }
    >
      {search.at && <LiveAt agent={agent} version={version} at={search.at} />}
      <div className="grid gap-x-5 lg:grid-cols-[minmax(0,1fr)_22rem] xl:grid-cols-[minmax(0,1fr)_26rem]">
        <div className="min-w-0">
          <Section
            title={t('Instructions')}
            actions={
              text && (
                <>
                  <Button size="small" onClick={() => show({ preview: PREVIEW_NEWEST })}>
                    <FlaskConical aria-hidden />
                    {t('Try it')}
                  </Button>
                  <CopyButton text={text} size="small">
                    {t('Copy instructions')}
                  </CopyButton>
                </>
              )
            }
          >
            {query.isError ? (
              <ErrorState error={query.error} onRetry={() => void query.refetch()} />
            ) : text === undefined ? (
              waiting
            ) : text === '' ? (
              <p className="text-sm text-muted">{t('This version has no instructions.')}</p>
            ) : (
              <Suspense fallback={waiting}>
                <VersionText agent={agent.id} label={t('Instructions of {label}', { label })} text={text} />
              </Suspense>
            )}
          </Section>
          {query.data && <VersionConfig label={label} config={query.data.content.config} />}
          {query.data && <VersionChanges agent={agent} label={label} version={query.data} />}
        </div>
        <div className="min-w-0">
          <VersionDeploys
            agent={agent.id}
            version={version.id}
            page={search.deploys ?? 1}
            onPage={(page) => show({ deploys: page > 1 ? page : undefined })}
          />
          <VersionCalls version={version} />
        </div>
      </div>
      {search.deploy && !isDeployed && (
        <DeployDialog
          agent={agent}
          version={version}
          isDirty={false}
          onClose={() => show({ deploy: undefined }, true)}
          onCompare={compare}
        />
      )}
      {search.preview && text !== undefined && (
        <Playground
          agent={agent}
          version={version.id}
          contact={search.preview}
          onContact={(contact) => show({ preview: contact }, true)}
          onClose={() => show({ preview: undefined }, true)}
        />
      )}
    </Page>
  );
};

/** The status of a version, who wrote it and when, and which version it is based on. */
const Summary = ({ agent, version }: { readonly agent: Agent; readonly version: VersionSummary }) => {
  const origin = useQuery(versionQuery(agent.id, version.id)).data?.data;
  const base = origin?.based_on;
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1">
      {origin?.note && (
        <p dir="auto" className="w-full text-ink wrap-anywhere">
          {t('“{text}”', { text: origin.note })}
        </p>
      )}
      <VersionStatusBadge status={version.deployment_status} />
      <span className="wrap-anywhere">
        {rich('Written {time} by {user}', {
          time: <Time at={version.created_at} />,
          user: origin ? authorLabel(origin) : '…',
        })}
        {base && ' · '}
        {base &&
          rich('based on {version}', {
            version: (
              <>
                <VersionLink
                  agent={base.agent_id}
                  label={base.version_label}
                  isDeleted={base.agent_deleted}
                />
                {base.agent_id !== agent.id && <bdi> ({base.agent_name})</bdi>}
              </>
            ),
          })}
      </span>
    </div>
  );
};

/** Offers the deployed and the neighboring versions. Any other one can be chosen in the comparison. */
const CompareMenu = ({
  agent,
  label,
  onCompare,
}: {
  readonly agent: Agent;
  readonly label: string;
  readonly onCompare: (pair: string) => void;
}) => {
  const number = versionNumber(label);
  const deployed = agent.deployed_version?.version_label;
  const newest = agent.versions[0]?.version_label;
  const offered = [deployed, newest, `v${number - 1}`, `v${number + 1}`];
  const others = agent.versions
    .map((each) => each.version_label)
    .filter((each) => each !== label && offered.includes(each));
  if (others.length === 0) return null;
  const pair = (other: string) =>
    versionNumber(other) < number ? `${other}..${label}` : `${label}..${other}`;
  return (
    <Menu
      trigger={
        <Button>
          <GitCompare aria-hidden />
          {t('Compare with…')}
        </Button>
      }
      items={[
        ...others.map((other) => ({
          label: other === deployed ? t('{label} (deployed)', { label: other }) : other,
          onSelect: () => onCompare(pair(other)),
        })),
        ...(agent.versions.length - 1 > others.length
          ? [null, { label: t('Another version…'), onSelect: () => onCompare(pair(others[0] ?? label)) }]
          : []),
      ]}
    />
  );
};

/** Who had deployed the version that was live at a time. */
const LiveAt = ({
  agent,
  version,
  at,
}: {
  readonly agent: Agent;
  readonly version: VersionSummary;
  readonly at: string;
}) => {
  const query = useQuery(apiQuery('/agents/{id}/active', { params: { id: agent.id }, query: { at } }));
  if (!query.data) return null;
  const active = query.data.data;
  return (
    <div className="mb-5">
      <Notice>
        {active?.id === version.id
          ? t('Live on {time}: deployed {deployed} by {user}.', {
              time: exactTime(at),
              deployed: exactTime(active.deployed_at),
              user: deployerLabel(active),
            })
          : t('{label} was not live on {time}.', { label: version.version_label, time: exactTime(at) })}
      </Notice>
    </div>
  );
};
