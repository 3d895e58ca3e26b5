import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Copy, Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { isApiError } from '../../../api/api-error.ts';
import { loadChunk } from '../../../api/load-chunk.ts';
import { apiQuery, usePrefetch } from '../../../api/query.ts';
import type { Agent, VersionSummary } from '../../../api/types.gen.ts';
import { AuditLogLink } from '../../../app/audit-log-link.tsx';
import { useCommand } from '../../../app/commands.ts';
import { useCurrentUser } from '../../../app/current-user.ts';
import { RecordNeighbors } from '../../../app/neighbors.tsx';
import { t } from '../../../lib/i18n.ts';
import { fieldsQuery } from '../../../records/fields/query.ts';
import { IconButton } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { cx } from '../../../ui/cx.ts';
import { Menu } from '../../../ui/menu.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Page } from '../../../ui/page.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { ConnectChannel, DeleteAgent, DeployDialog } from '../lazy-dialogs.tsx';
import { declaredQuery } from '../variables.ts';
import { Channels, channelsQuery } from './channels.tsx';
import { comparedVersions } from './compared-versions.ts';
import { DeployHistory, deploysQuery } from './deploy-history.tsx';
import { contentOf, useDraft } from './draft.ts';
import { useDuplicateAgent } from './duplicate.ts';
import { AgentSummary, DeployButton, RollbackButton } from './header.tsx';
import { readKept } from './kept-draft.ts';
import { activeQuery, useOpenedVersion } from './opened.ts';
import type { AgentSearch } from './url-params.ts';
import { Versions, versionsQuery } from './versions.tsx';

const Compare = lazy(() => loadChunk(() => import('./compare.tsx')));
const DraftEditor = lazy(() => loadChunk(() => import('./draft-editor.tsx')));
const EditDetailsForm = lazy(() => loadChunk(() => import('./edit-details.tsx')));
const HeardCall = lazy(() => loadChunk(() => import('./heard-call.tsx')));

type VersionRef = Pick<VersionSummary, 'id' | 'version_label'>;

const route = getRouteApi('/app/agents/$id');
const back = { to: '/agents', label: t('Agents') };

export const AgentPage = () => {
  const { id } = route.useParams();
  const agent = useQuery(apiQuery('/agents/{id}', { params: { id } }));
  usePrefetch(
    deploysQuery(id),
    versionsQuery(id),
    channelsQuery(id),
    activeQuery(id),
    declaredQuery(id),
    fieldsQuery,
  );
  if (agent.isError && !agent.data)
    return (
      <Page title={t('Agent')} back={back}>
        <div className="card">
          <ErrorState error={agent.error} onRetry={() => void agent.refetch()} />
        </div>
      </Page>
    );
  if (!agent.data)
    return (
      <Page title={t('Agent')} back={back}>
        <Skeleton className="h-96 w-full" />
      </Page>
    );
  const isDeleted = isApiError(agent.error, 'NOT_FOUND');
  return <Loaded key={id} agent={agent.data.data} etag={agent.data.etag} isDeleted={isDeleted} />;
};

interface LoadedProps {
  readonly agent: Agent;
  readonly etag: string | null;
  /** The agent was deleted after it was loaded. */
  readonly isDeleted: boolean;
}

const Loaded = ({ agent, etag, isDeleted }: LoadedProps) => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [editing, setEditing] = useState(false);
  const [deleting, setDeleting] = useState(false);
  /** How often the deploy history opened the comparison, which scrolls into view when it is mounted. */
  const [comparisons, setComparisons] = useState(0);
  const [replacing, setReplacing] = useState<VersionRef>();
  const { text, opened } = useOpenedVersion(agent, etag, search.edit);
  const { id: user } = useCurrentUser();
  const [kept] = useState(() => readKept(user, agent.id));
  const draft = useDraft(opened, kept);
  const newest = agent.versions[0];
  const chosen = comparedVersions(search.compare, agent.versions);
  const [first, second] = chosen;
  const wanted = search.deploy === 'newest' ? newest?.version_label : search.deploy;
  const deploying = agent.versions.find(
    ({ version_label, id }) => version_label === wanted && id !== agent.deployed_version?.id,
  );

  const show = (change: Partial<AgentSearch>, replace = false) =>
    void navigate({
      search: (now) => ({ ...now, ...change }),
      replace,
      ignoreBlocker: replace,
      resetScroll: false,
    });
  const deploy = (label: string | undefined) => show({ deploy: label }, !label);
  const editFrom = ({ version_label }: VersionRef) => {
    if (draft.base) draft.setTyped(contentOf(draft.base));
    show({ edit: version_label });
  };
  const startFrom = (version: VersionRef) => (draft.isDirty ? setReplacing(version) : editFrom(version));
  const duplicate = useDuplicateAgent(agent);
  useCommand(t('Connect channel'), () => show({ connect: true }));
  useCommand(t('Edit name and description'), () => setEditing(true));
  useCommand(t('Duplicate agent'), duplicate);
  useCommand(t('Delete agent'), () => setDeleting(true));

  return (
    <Page
      title={agent.name}
      heading={
        <span dir="auto" className="wrap-anywhere">
          {agent.name}
        </span>
      }
      back={back}
      width="wide"
      description={
        editing ? (
          <Suspense fallback={<Skeleton className="h-40 w-full" />}>
            <EditDetailsForm agent={agent} etag={etag} onClose={() => setEditing(false)} />
          </Suspense>
        ) : (
          <AgentSummary agent={agent} onEdit={() => setEditing(true)} />
        )
      }
      actions={
        <>
          <RecordNeighbors list="/agents" id={agent.id} />
          <AuditLogLink record={agent.id} />
          <RollbackButton agent={agent} onDeploy={deploy} />
          {newest?.deployment_status === 'draft' && (
            <DeployButton label={newest.version_label} onDeploy={deploy} />
          )}
          <Menu
            trigger={
              <IconButton label={t('More actions')} variant="secondary" icon={<Ellipsis aria-hidden />} />
            }
            items={[
              {
                label: t('Edit name and description'),
                icon: <Pencil aria-hidden />,
                onSelect: () => setEditing(true),
              },
              { label: t('Duplicate agent'), icon: <Copy aria-hidden />, onSelect: duplicate },
              null,
              {
                label: t('Delete agent…'),
                icon: <Trash2 aria-hidden />,
                danger: true,
                onSelect: () => setDeleting(true),
              },
            ]}
          />
        </>
      }
    >
      {isDeleted && (
        <div className="mb-5">
          <Notice tone="danger">
            {t("This agent was deleted. You can copy your text, but you can't save it.")}
          </Notice>
        </div>
      )}
      {first && second && (
        <Suspense fallback={<Skeleton className="mb-5 h-80 rounded-xl" />}>
          <Compare
            key={comparisons}
            agent={agent}
            chosen={[first, second]}
            onChange={(compare) => show({ compare })}
          />
        </Suspense>
      )}
      <div
        className={cx(
          'grid gap-x-5',
          search.call
            ? 'lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]'
            : 'lg:grid-cols-[minmax(0,1fr)_22rem] xl:grid-cols-[minmax(0,1fr)_26rem]',
        )}
      >
        <div className="contents lg:block">
          <div className="min-w-0 max-lg:order-1">
            <Suspense fallback={<Skeleton className="mb-5 h-120 rounded-xl" />}>
              <DraftEditor
                agent={agent}
                draft={draft}
                restoredAt={kept?.at}
                part={search.part ?? 'text'}
                onPart={(part) => show({ part: part === 'text' ? undefined : part }, true)}
                preview={search.preview}
                onPreview={(preview) => show({ preview }, !preview || search.preview !== undefined)}
                onOpen={startFrom}
                onSaved={() => search.edit && show({ edit: undefined }, true)}
                error={text.error}
                onRetry={() => void text.refetch()}
              />
            </Suspense>
          </div>
          <div className="min-w-0 max-lg:order-4">
            <DeployHistory
              agent={agent.id}
              page={search.deploys ?? 1}
              onPage={(page) => show({ deploys: page > 1 ? page : undefined })}
              at={search.at}
              onAt={(at) => show({ at }, true)}
              onCompare={(compare) => {
                setComparisons(comparisons + 1);
                show({ compare });
              }}
            />
          </div>
        </div>
        {search.call ? (
          <div className="min-w-0">
            <Suspense fallback={<Skeleton className="mb-5 h-80 rounded-xl" />}>
              <HeardCall
                key={search.call}
                id={search.call}
                shown={draft.base?.label}
                onCompare={(compare) => show({ compare })}
                onClose={() => show({ call: undefined }, true)}
              />
            </Suspense>
          </div>
        ) : (
          <div className="min-w-0 max-lg:order-2">
            <Versions
              agent={agent}
              page={search.page ?? 1}
              onPage={(page) => show({ page: page > 1 ? page : undefined })}
              chosen={chosen}
              onCompare={(compare) => show({ compare })}
              onDeploy={deploy}
              onEditFrom={startFrom}
            />
            <Channels agent={agent} onConnect={() => show({ connect: true })} />
          </div>
        )}
      </div>
      {deploying && (
        <DeployDialog
          agent={agent}
          version={deploying}
          isDirty={draft.isDirty}
          onClose={() => deploy(undefined)}
          onCompare={(compare) => show({ compare, deploy: undefined })}
        />
      )}
      {search.connect && <ConnectChannel agent={agent} onClose={() => show({ connect: undefined }, true)} />}
      {deleting && <DeleteAgent agent={agent} etag={etag} onClose={() => setDeleting(false)} />}
      <ConfirmDialog
        open={replacing !== undefined}
        onOpenChange={(open) => !open && setReplacing(undefined)}
        title={t('Edit from {label}?', { label: replacing?.version_label ?? '' })}
        action={t('Replace text')}
        danger
        consequences={[t('Your unsaved changes in the editor will be lost.')]}
        onConfirm={() => replacing && editFrom(replacing)}
      />
    </Page>
  );
};
