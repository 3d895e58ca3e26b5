import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Download, SearchX, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { apiUrl } from '../../../api/client.ts';
import { apiQuery } from '../../../api/query.ts';
import type { Campaign } from '../../../api/types.gen.ts';
import { ListBar } from '../../../app/list-bar.tsx';
import { ListTable } from '../../../app/list-table.tsx';
import { useListView } from '../../../app/list-view.ts';
import { t } from '../../../lib/i18n.ts';
import { enrolledTotal } from '../../../records/campaigns/labels.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { columnsOf } from './enrollment-columns.tsx';
import { isAwaitingAudience } from './save.ts';
import { StatusFilter } from './status-filter.tsx';
import type { CampaignSearch } from './url-params.ts';

const route = getRouteApi('/app/campaigns/$id');

const noneWithStatus: Record<NonNullable<CampaignSearch['status']>, string> = {
  pending: t('No pending enrollments'),
  in_progress: t('No enrollments in progress'),
  completed: t('No completed enrollments'),
  failed: t('No failed enrollments'),
  blocked: t('No blocked enrollments'),
  skipped: t('No skipped enrollments'),
};

/** The enrollments of a campaign, filtered by status and searched. */
export const Enrollments = ({
  campaign,
  enrollButton,
}: {
  readonly campaign: Campaign;
  readonly enrollButton: ReactNode;
}) => {
  const search = route.useSearch();
  const { status } = search;
  const navigate = route.useNavigate();
  const view = useListView({
    name: 'enrollments',
    search,
    columns: columnsOf(campaign),
    navigate: (change, { replace }) =>
      void navigate({ search: (now) => ({ ...now, ...change }), replace, resetScroll: false }),
  });
  const list = useQuery({
    ...apiQuery('/campaigns/{id}/enrollments', {
      params: { id: campaign.id },
      query: { status, search: search.search, ...view.query, sort: search.sort },
    }),
    placeholderData: keepPreviousData,
  });
  const hasAny = status || search.search || enrolledTotal(campaign.enrolled) > 0;
  const showAll = () => view.onFilter({ status: undefined, search: undefined });
  return (
    <>
      {hasAny && (
        <>
          <StatusFilter
            enrolled={campaign.enrolled}
            value={status}
            onChange={(next) => view.onFilter({ status: next })}
          />
          <ListBar
            label={t('Enrollments')}
            view={view}
            filters={[]}
            values={search}
            search={{ label: t('Search enrolled contacts'), placeholder: t('Name or phone') }}
          >
            <Button asChild>
              <a
                href={apiUrl('/campaigns/{id}/enrollments/export', { id: campaign.id }, { status })}
                download
              >
                <Download aria-hidden />
                {t('Export CSV')}
              </a>
            </Button>
          </ListBar>
        </>
      )}
      <ListTable
        label={t('Enrollments')}
        view={view}
        list={list}
        icon={<Users />}
        rowId={({ contact_id }) => contact_id}
        empty={
          status || search.search ? (
            <EmptyState
              icon={<SearchX />}
              title={search.search || !status ? t('No matching contacts') : noneWithStatus[status]}
              action={<Button onClick={showAll}>{t('Show all enrollments')}</Button>}
            />
          ) : (
            <EmptyState icon={<Users />} title={t('No contacts enrolled')} action={enrollButton}>
              {isAwaitingAudience(campaign)
                ? t('The contacts of the segment are enrolled in the background and appear here.')
                : enrollButton
                  ? t('Enroll contacts by tag, by search or one by one. They start as pending.')
                  : t('This campaign has finished, so contacts can no longer be enrolled.')}
            </EmptyState>
          )
        }
      />
    </>
  );
};
