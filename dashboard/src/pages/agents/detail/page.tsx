import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { isApiError } from '../../../api/api-error.ts';
import { apiQuery, queryClient } from '../../../api/query.ts';
import type { Agent, VersionSummary } from '../../../api/types.gen.ts';
import { useCommand } from '../../../app/commands.ts';
import { IconButton } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Page } from '../../../ui/page.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';
import { Channels } from './channels.tsx';
import { Compare, comparedVersions } from './compare.tsx';
import { ConnectChannel } from './connect-channel.tsx';
import { DeleteAgent } from './delete.tsx';
import { DeployDialog } from './deploy.tsx';
import { DeployHistory } from './deploy-history.tsx';
import { useDraft } from './draft.ts';
import { EditDetailsForm } from './edit-details.tsx';
import { AgentSummary, DeployButton } from './header.tsx';
import { Instructions } from './instructions.tsx';
import type { AgentSearch } from './url-params.ts';
import { Versions } from './versions.tsx';
import { ViewVersion } from './view-version.tsx';

type VersionRef = Pick<VersionSummary, 'id' | 'version_label'>;

const route = getRouteApi('/app/agents/$id');
const back = { to: '/agents', label: 'Agents' };

export const AgentPage = () => {
  const { id } = route.useParams();
  const agent = useQuery(apiQuery('/agents/{id}', { params: { id } }));
  if (agent.isError && !agent.data)
    return (
      <Page title="Agent" back={back}>
        <div className="card">
          <ErrorState error={agent.error} onRetry={() => void agent.refetch()} />
        </div>
      </Page>
    );
  if (!agent.data)
    return (
      <Page title="Agent" back={back}>
        <Skeleton className="h-96 w-full" />
      </Page>
    );
  const isDeleted = isApiError(agent.error, 'NOT_FOUND');
  return <Loaded key={id} agent={agent.data.data} etag={agent.data.etag} isDeleted={isDeleted} />;
};

/** The latest version, which edits are based on. */
const useNewest = (agent: Agent, etag: string | null) => {
  const newest = agent.versions[0];
  const text = useQuery(
    apiQuery('/agents/{id}/versions/{version}', { params: { id: agent.id, version: newest?.id ?? '' } }),
  );
  const base = text.data &&
    newest && { id: newest.id, label: newest.version_label, text: text.data.data.instructions, etag };
  return { text, base };
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
  const [replacing, setReplacing] = useState<VersionRef>();
  const { text, base } = useNewest(agent, etag);
  const draft = useDraft(base);
  const newest = agent.versions[0];
  const chosen = comparedVersions(search.compare, agent.versions);
  const [first, second] = chosen;
  const deploying = agent.versions.find(
    ({ version_label, id }) => version_label === search.deploy && id !== agent.deployed_version?.id,
  );

  const viewed = agent.versions.find(({ version_label }) => version_label === search.version);

  const show = (change: Partial<AgentSearch>, replace = false) =>
    void navigate({
      search: (now) => ({ ...now, ...change }),
      replace,
      ignoreBlocker: replace,
      resetScroll: false,
    });
  const deploy = (label: string | undefined) => show({ deploy: label }, !label);
  const editFrom = async (version: VersionRef) => {
    const params = { id: agent.id, version: version.id };
    const read = queryClient.fetchQuery(apiQuery('/agents/{id}/versions/{version}', { params }));
    const { instructions } = (await read).data;
    draft.setTyped(instructions);
    toast.good(`Editing from ${version.version_label}. Save to create a new draft.`);
  };
  const startFrom = (version: VersionRef) =>
    draft.isDirty ? setReplacing(version) : void editFrom(version).catch(toast.failed);
  useCommand('Connect channel', () => show({ connect: true }));
  useCommand('Edit name and description', () => setEditing(true));

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
          <EditDetailsForm agent={agent} etag={etag} onClose={() => setEditing(false)} />
        ) : (
          <AgentSummary agent={agent} onEdit={() => setEditing(true)} />
        )
      }
      actions={
        <>
          {newest?.deployment_status === 'draft' && (
            <DeployButton label={newest.version_label} onDeploy={deploy} />
          )}
          <Menu
            trigger={<IconButton label="More actions" variant="secondary" icon={<Ellipsis aria-hidden />} />}
            items={[
              {
                label: 'Edit name and description',
                icon: <Pencil aria-hidden />,
                onSelect: () => setEditing(true),
              },
              null,
              {
                label: 'Delete agent…',
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
            This agent was deleted. You can copy your text, but you can't save it.
          </Notice>
        </div>
      )}
      {first && second && (
        <Compare agent={agent} chosen={[first, second]} onChange={(compare) => show({ compare })} />
      )}
      <div className="grid gap-x-5 lg:grid-cols-[minmax(0,1fr)_22rem] xl:grid-cols-[minmax(0,1fr)_26rem]">
        <div className="contents lg:block">
          <div className="min-w-0 max-lg:order-1">
            <Instructions
              agent={agent}
              draft={draft}
              error={text.error}
              onRetry={() => void text.refetch()}
            />
          </div>
          <div className="min-w-0 max-lg:order-4">
            <DeployHistory
              agent={agent.id}
              page={search.deploys ?? 1}
              onPage={(page) => show({ deploys: page > 1 ? page : undefined })}
            />
          </div>
        </div>
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
      {viewed && (
        <ViewVersion
          agent={agent}
          version={viewed}
          onClose={() => show({ version: undefined }, true)}
          onCompare={(compare) => show({ compare, version: undefined })}
          onEdit={() => {
            show({ version: undefined }, true);
            startFrom(viewed);
          }}
        />
      )}
      {search.connect && <ConnectChannel agent={agent} onClose={() => show({ connect: undefined }, true)} />}
      <DeleteAgent agent={agent} etag={etag} open={deleting} onOpenChange={setDeleting} />
      <ConfirmDialog
        open={replacing !== undefined}
        onOpenChange={(open) => !open && setReplacing(undefined)}
        title={`Edit from ${replacing?.version_label}?`}
        action="Replace text"
        danger
        consequences={['Your unsaved changes in the editor will be lost.']}
        onConfirm={() => replacing && editFrom(replacing)}
      />
    </Page>
  );
};
