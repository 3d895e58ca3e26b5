import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Pencil, UserPlus } from 'lucide-react';
import { isApiError } from '../../../api/api-error.ts';
import { useCommand } from '../../../app/commands.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Page } from '../../../ui/page.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { AgentName } from '../../agents/agent-options.tsx';
import { CampaignStatus } from '../labels.tsx';
import { EditCampaign } from './edit.tsx';
import { EnrollContacts } from './enroll.tsx';
import { Enrollments } from './enrollments.tsx';
import { campaignQuery, type LoadedCampaign } from './save.ts';
import { FinishCampaign, StartCampaign, StatusButtons } from './status-actions.tsx';
import type { CampaignSearch } from './url-params.ts';

const route = getRouteApi('/app/campaigns/$id');
const back = { to: '/campaigns', label: 'Campaigns' };

export const CampaignPage = () => {
  const { id } = route.useParams();
  const campaign = useQuery(campaignQuery(id));
  if (campaign.isError && (!campaign.data || isApiError(campaign.error, 'NOT_FOUND')))
    return (
      <Page title="Campaign" back={back}>
        <div className="card">
          <ErrorState error={campaign.error} onRetry={() => void campaign.refetch()} />
        </div>
      </Page>
    );
  if (!campaign.data)
    return (
      <Page title="Campaign" heading={<Skeleton className="h-8 w-56" />} back={back}>
        <Skeleton className="h-96 w-full rounded-xl" />
      </Page>
    );
  return <Loaded key={id} loaded={campaign.data} />;
};

const Loaded = ({ loaded }: { readonly loaded: LoadedCampaign }) => {
  const { data: campaign } = loaded;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const show = (open: CampaignSearch['open']) =>
    void navigate({
      search: (now) => ({ ...now, open }),
      replace: !open,
      ignoreBlocker: !open,
      resetScroll: false,
    });
  const close = () => show(undefined);
  const isOpen = campaign.status !== 'finished';
  useCommand('Edit campaign', () => show('edit'));
  useCommand('Enroll contacts', () => isOpen && show('enroll'));
  const enrollButton = isOpen && (
    <Button variant="primary" onClick={() => show('enroll')}>
      <UserPlus aria-hidden />
      Enroll contacts
    </Button>
  );
  return (
    <Page
      title={campaign.name}
      heading={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span dir="auto" className="wrap-anywhere">
            {campaign.name}
          </span>
          <CampaignStatus status={campaign.status} />
        </span>
      }
      description={
        <span className="flex flex-wrap items-center gap-x-2">
          Agent <AgentName agent={campaign.agent} />
        </span>
      }
      back={back}
      actions={
        <>
          <Button onClick={() => show('edit')}>
            <Pencil aria-hidden />
            Edit
          </Button>
          <StatusButtons loaded={loaded} onStart={() => show('start')} onFinish={() => show('finish')} />
          {enrollButton}
        </>
      }
    >
      {campaign.agent.deleted && isOpen && (
        <div className="mb-4">
          <Notice tone="warn">
            The agent of this campaign was deleted. Choose another one to activate the campaign.
          </Notice>
        </div>
      )}
      <Enrollments campaign={campaign} enrollButton={enrollButton} />
      {search.open === 'edit' && <EditCampaign loaded={loaded} onClose={close} />}
      {search.open === 'enroll' && isOpen && <EnrollContacts campaign={campaign} onClose={close} />}
      {search.open === 'start' && (campaign.status === 'draft' || campaign.status === 'paused') && (
        <StartCampaign loaded={loaded} onClose={close} />
      )}
      {search.open === 'finish' && isOpen && <FinishCampaign loaded={loaded} onClose={close} />}
    </Page>
  );
};
