import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../../api/query.ts';
import { t } from '../../../lib/i18n.ts';
import { pageQuery } from '../../../lib/search-params.ts';
import { ActiveOn } from './active-on.tsx';
import { DeployList } from './deploy-list.tsx';

const PAGE_SIZE = 10;

/** The deploys of an agent, newest first. */
export const deploysQuery = (id: string, page = 1) =>
  apiQuery('/agents/{id}/deploys', { params: { id }, query: pageQuery(page, PAGE_SIZE) });

/** The periods in which each version was deployed, and which one was live at a time. */
export const DeployHistory = ({
  agent,
  page,
  onPage,
  at,
  onAt,
  onCompare,
}: {
  readonly agent: string;
  readonly page: number;
  readonly onPage: (page: number) => void;
  readonly at: string | undefined;
  readonly onAt: (at: string | undefined) => void;
  readonly onCompare: (compare: string) => void;
}) => {
  const list = useQuery({
    ...deploysQuery(agent, page),
    placeholderData: keepPreviousData,
  });
  return (
    <DeployList
      agent={agent}
      description={t('When each version was live.')}
      empty={t('No deploys yet. Deploy a version to make it live on every connected channel.')}
      list={list}
      page={page}
      pageSize={PAGE_SIZE}
      onPage={onPage}
      onCompare={onCompare}
    >
      {(list.data?.pagination.total ?? 0) > 0 && <ActiveOn agent={agent} at={at} onChange={onAt} />}
    </DeployList>
  );
};
