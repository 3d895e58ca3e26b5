import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Cable } from 'lucide-react';
import { useState } from 'react';
import { apiQuery } from '../../../api/query.ts';
import { ListPage } from '../../../app/list-page.tsx';
import { plural, t } from '../../../lib/i18n.ts';
import { pageQuery, toPageParam } from '../../../lib/search-params.ts';
import { CreateChannel, type CreationResult } from '../../../records/channels/create.tsx';
import { ChannelCreated } from '../../../records/channels/created.tsx';
import { ChannelDetails } from '../detail/dialog.tsx';
import { columns } from './columns.tsx';
import type { ChannelsSearch } from './url-params.ts';

const route = getRouteApi('/app/channels');

export const ChannelsPage = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [created, setCreated] = useState<CreationResult>();
  const page = search.page ?? 1;
  const list = useQuery({
    ...apiQuery('/channels', { query: pageQuery(page) }),
    placeholderData: keepPreviousData,
  });
  const show = (change: Partial<ChannelsSearch>, replace: boolean) =>
    void navigate({
      search: (now) => ({ ...now, ...change }),
      replace,
      ignoreBlocker: replace,
      resetScroll: false,
    });
  const showPage = (next: number) => show({ page: toPageParam(next) }, false);
  return (
    <ListPage
      title={t('Channels')}
      create={t('Create channel')}
      countText={(total) => plural(total, '# channel', '# channels')}
      emptyTitle={t('No channels yet')}
      description={t('Phone lines and chats your agents answer.')}
      icon={<Cable />}
      columns={columns}
      rowId={({ id }) => id}
      list={list}
      page={page}
      onPage={showPage}
      onCreate={() => show({ add: true }, false)}
      empty={t(
        "A channel is where people reach you: a phone line, an SMS or WhatsApp number, or a chat on your site. Create one and connect an agent. Your voice or chat runtime then gets the agent's instructions from Roster, and calls and messages appear in Calls.",
      )}
    >
      {search.add && (
        <CreateChannel
          onClose={() => show({ add: undefined }, true)}
          onCreated={(result) => {
            setCreated(result);
            show({ add: undefined }, true);
          }}
        />
      )}
      {created && (
        <ChannelCreated
          created={created}
          onClose={() => {
            setCreated(undefined);
            show({ channel: created.channel.id }, false);
          }}
        />
      )}
      {search.channel && !created && (
        <ChannelDetails id={search.channel} onClose={() => show({ channel: undefined }, true)} />
      )}
    </ListPage>
  );
};
