import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { SearchX, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { apiQuery } from '../../../api/query.ts';
import type { Campaign } from '../../../api/types.gen.ts';
import { PAGE_SIZE, pageQuery, toPageParam } from '../../../lib/search-params.ts';
import { Button } from '../../../ui/button.tsx';
import { PagedTable } from '../../../ui/paged-table.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { enrolledTotal, enrollmentStatusLabels } from '../labels.tsx';
import { columns } from './enrollment-columns.tsx';
import { StatusFilter } from './status-filter.tsx';
import type { CampaignSearch } from './url-params.ts';

const route = getRouteApi('/app/campaigns/$id');

/** The enrollments of a campaign, filtered by status. */
export const Enrollments = ({
  campaign,
  enrollButton,
}: {
  readonly campaign: Campaign;
  readonly enrollButton: ReactNode;
}) => {
  const { status, page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useQuery({
    ...apiQuery('/campaigns/{id}/enrollments', {
      params: { id: campaign.id },
      query: { status, ...pageQuery(page) },
    }),
    placeholderData: keepPreviousData,
  });
  const setFilters = (next: CampaignSearch['status']) =>
    void navigate({
      search: (now) => ({ ...now, status: next, page: undefined }),
      replace: true,
      resetScroll: false,
    });
  const showPage = (next: number) =>
    void navigate({ search: (now) => ({ ...now, page: toPageParam(next) }) });
  return (
    <>
      {(status || enrolledTotal(campaign.enrolled) > 0) && (
        <StatusFilter enrolled={campaign.enrolled} value={status} onChange={setFilters} />
      )}
      <PagedTable
        label="Enrollments"
        columns={columns}
        list={list}
        icon={<Users />}
        page={page}
        pageSize={PAGE_SIZE}
        onPage={showPage}
        rowId={({ contact_id }) => contact_id}
        empty={
          status ? (
            <EmptyState
              icon={<SearchX />}
              title={`No ${enrollmentStatusLabels[status].toLowerCase()} enrollments`}
              action={<Button onClick={() => setFilters(undefined)}>Show all enrollments</Button>}
            />
          ) : (
            <EmptyState icon={<Users />} title="No contacts enrolled" action={enrollButton}>
              {enrollButton
                ? 'Enroll contacts by tag, by search or one by one. They start as pending.'
                : 'This campaign has finished, so contacts can no longer be enrolled.'}
            </EmptyState>
          )
        }
      />
    </>
  );
};
