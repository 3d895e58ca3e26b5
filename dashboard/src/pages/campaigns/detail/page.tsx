import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Copy, Ellipsis, Pencil, Trash2, UserPlus } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { allRecordsQuery } from '../../../api/all-records.ts';
import { isApiError } from '../../../api/api-error.ts';
import { loadChunk } from '../../../api/load-chunk.ts';
import { usePrefetch } from '../../../api/query.ts';
import { AuditLogLink } from '../../../app/audit-log-link.tsx';
import { useCommand } from '../../../app/commands.ts';
import { t } from '../../../lib/i18n.ts';
import { AgentName } from '../../../records/agents/agent-options.tsx';
import { callSettingsQuery } from '../../../records/calls/settings.ts';
import { CampaignStatus } from '../../../records/campaigns/labels.tsx';
import { segmentsQuery } from '../../../records/contacts/segments.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Page } from '../../../ui/page.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { Enrollments } from './enrollments.tsx';
import {
  DeleteCampaign,
  DuplicateCampaign,
  EditAudience,
  EditCampaign,
  EnrollContacts,
  StartCampaign,
} from './lazy-dialogs.tsx';
import { progressQuery } from './progress-query.ts';
import { campaignQuery, type LoadedCampaign } from './save.ts';
import { Schedule, scheduleQuery } from './schedule.tsx';
import { FinishCampaign, isReady, StatusButtons } from './status-actions.tsx';
import type { CampaignSearch } from './url-params.ts';

const loadParts = () => loadChunk(() => import('./parts.ts'));
const Audience = lazy(async () => ({ default: (await loadParts()).Audience }));
const Blocked = lazy(async () => ({ default: (await loadParts()).Blocked }));
const Dialer = lazy(async () => ({ default: (await loadParts()).Dialer }));
const Progress = lazy(async () => ({ default: (await loadParts()).Progress }));

const route = getRouteApi('/app/campaigns/$id');
const back = { to: '/campaigns', label: t('Campaigns') };

export const CampaignPage = () => {
  const { id } = route.useParams();
  const campaign = useQuery(campaignQuery(id));
  usePrefetch(
    scheduleQuery(id),
    progressQuery(id),
    segmentsQuery,
    callSettingsQuery,
    allRecordsQuery('/agents'),
  );
  if (campaign.isError && (!campaign.data || isApiError(campaign.error, 'NOT_FOUND')))
    return (
      <Page title={t('Campaign')} back={back}>
        <div className="card">
          <ErrorState error={campaign.error} onRetry={() => void campaign.refetch()} />
        </div>
      </Page>
    );
  if (!campaign.data)
    return (
      <Page title={t('Campaign')} heading={<Skeleton className="h-8 w-56" />} back={back}>
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
  const showDialer = (isShown: boolean) =>
    void navigate({
      search: (now) => ({ ...now, dialer: isShown || undefined }),
      replace: true,
      resetScroll: false,
    });
  const close = () => show(undefined);
  const isOpen = campaign.status !== 'finished';
  const schedule = useQuery(scheduleQuery(campaign.id)).data?.data;
  useCommand(t('Edit campaign'), () => show('edit'));
  useCommand(isOpen && t('Edit schedule'), () => show('schedule'));
  useCommand(isOpen && t('Edit audience'), () => show('audience'));
  useCommand(isOpen && t('Enroll contacts'), () => show('enroll'));
  useCommand(!campaign.agent.deleted && t('Duplicate campaign'), () => show('duplicate'));
  useCommand(t('Delete campaign'), () => show('delete'));
  const enrollButton = isOpen && (
    <Button variant={isReady(campaign) ? 'secondary' : 'primary'} onClick={() => show('enroll')}>
      <UserPlus aria-hidden />
      {t('Enroll contacts')}
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
          <CampaignStatus status={campaign.status} schedule={schedule} />
        </span>
      }
      description={
        <span className="flex flex-wrap items-center gap-x-2">
          {t('Agent')} <AgentName agent={campaign.agent} />
        </span>
      }
      back={back}
      actions={
        <>
          <AuditLogLink record={campaign.id} />
          <Button onClick={() => show('edit')}>
            <Pencil aria-hidden />
            {t('Edit')}
          </Button>
          <StatusButtons loaded={loaded} onStart={() => show('start')} onFinish={() => show('finish')} />
          {enrollButton}
          <Menu
            trigger={<IconButton label={t('More actions')} icon={<Ellipsis aria-hidden />} />}
            items={[
              {
                label: t('Duplicate…'),
                icon: <Copy aria-hidden />,
                disabled: campaign.agent.deleted,
                onSelect: () => show('duplicate'),
              },
              null,
              {
                label: t('Delete…'),
                icon: <Trash2 aria-hidden />,
                danger: true,
                onSelect: () => show('delete'),
              },
            ]}
          />
        </>
      }
    >
      {campaign.agent.deleted && isOpen && (
        <div className="mb-4">
          <Notice tone="warn">
            {t('The agent of this campaign was deleted. Choose another one to activate the campaign.')}
          </Notice>
        </div>
      )}
      <Suspense fallback={<Skeleton className="mb-4 h-14 rounded-xl" />}>
        <Dialer
          campaign={campaign}
          schedule={schedule}
          isShown={search.dialer === true}
          onShow={showDialer}
        />
      </Suspense>
      <Suspense fallback={<Skeleton className="mb-4 h-14 rounded-xl" />}>
        <Audience campaign={campaign} onEdit={() => show('audience')} />
      </Suspense>
      <Schedule
        campaign={campaign}
        isEditing={search.open === 'schedule'}
        onEdit={() => show('schedule')}
        onClose={close}
      />
      <Suspense fallback={<Skeleton className="mb-4 h-80 rounded-xl" />}>
        <Progress campaign={campaign} />
      </Suspense>
      {Boolean(campaign.enrolled.blocked || campaign.enrolled.skipped) && (
        <Suspense fallback={<Skeleton className="mb-4 h-20 rounded-xl" />}>
          <Blocked
            campaign={campaign}
            onShow={(status) =>
              void navigate({ search: (now) => ({ ...now, status, page: undefined }), resetScroll: false })
            }
          />
        </Suspense>
      )}
      <Enrollments campaign={campaign} enrollButton={enrollButton} />
      {search.open === 'edit' && <EditCampaign loaded={loaded} onClose={close} />}
      {search.open === 'audience' && isOpen && <EditAudience loaded={loaded} onClose={close} />}
      {search.open === 'enroll' && isOpen && <EnrollContacts campaign={campaign} onClose={close} />}
      {search.open === 'start' && (campaign.status === 'draft' || campaign.status === 'paused') && (
        <StartCampaign loaded={loaded} onClose={close} />
      )}
      {search.open === 'duplicate' && <DuplicateCampaign campaign={campaign} onClose={close} />}
      {search.open === 'delete' && <DeleteCampaign campaign={campaign} onClose={close} />}
      {search.open === 'finish' && isOpen && campaign.status !== 'draft' && (
        <FinishCampaign loaded={loaded} onClose={close} />
      )}
    </Page>
  );
};
