import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../../api/query.ts';
import { t } from '../../../lib/i18n.ts';
import { pageQuery } from '../../../lib/search-params.ts';
import { DeployList } from '../detail/deploy-list.tsx';

const PAGE_SIZE = 10;

/** When a version was live, who deployed it, and why. */
export const VersionDeploys = ({
  agent,
  version,
  page,
  onPage,
}: {
  readonly agent: string;
  readonly version: string;
  readonly page: number;
  readonly onPage: (page: number) => void;
}) => {
  const list = useQuery({
    ...apiQuery('/agents/{id}/versions/{version}/deploys', {
      params: { id: agent, version },
      query: pageQuery(page, PAGE_SIZE),
    }),
    placeholderData: keepPreviousData,
  });
  return (
    <DeployList
      agent={agent}
      description={t('When this version was live.')}
      empty={t('This version was never deployed.')}
      list={list}
      page={page}
      pageSize={PAGE_SIZE}
      onPage={onPage}
    />
  );
};
