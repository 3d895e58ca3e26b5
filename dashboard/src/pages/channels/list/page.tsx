import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Cable, Plus } from 'lucide-react';
import { useState } from 'react';
import { apiQuery } from '../../../api/query.ts';
import { useCommand } from '../../../app/commands.ts';
import { countText } from '../../../app/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Page } from '../../../ui/page.tsx';
import { PagedTable } from '../../../ui/paged-table.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { ChannelDetails } from '../detail/dialog.tsx';
import { columns } from './columns.tsx';
import { CreateChannel, type CreationResult } from './create.tsx';
import { SecretOnce } from './created.tsx';
import type { ChannelsSearch } from './url-params.ts';

const route = getRouteApi('/app/channels');
const PAGE_SIZE = 50;

export const ChannelsPage = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [created, setCreated] = useState<CreationResult>();
  const page = search.page ?? 1;
  const list = useQuery({
    ...apiQuery('/channels', { query: { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE } }),
    placeholderData: keepPreviousData,
  });
  const total = list.data?.pagination.total;
  const show = (change: Partial<ChannelsSearch>, replace: boolean) =>
    void navigate({
      search: (now) => ({ ...now, ...change }),
      replace,
      ignoreBlocker: replace,
      resetScroll: false,
    });
  const showPage = (next: number) => show({ page: next > 1 ? next : undefined }, false);
  useCommand('Create channel', () => show({ add: true }, false));
  const createButton = (
    <Button variant="primary" onClick={() => show({ add: true }, false)}>
      <Plus aria-hidden />
      Create channel
    </Button>
  );
  return (
    <Page
      title="Channels"
      description={total ? countText(total, 'channel') : 'Phone lines and chats your agents answer.'}
      actions={createButton}
    >
      <PagedTable
        label="Channels"
        columns={columns}
        list={list}
        icon={<Cable />}
        page={page}
        pageSize={PAGE_SIZE}
        onPage={showPage}
        rowId={({ id }) => id}
        empty={
          <EmptyState icon={<Cable />} title="No channels yet" action={createButton}>
            A channel is where people reach you: a phone line, an SMS or WhatsApp number, or a chat on your
            site. Create one and connect an agent. Your voice or chat runtime then gets the agent's
            instructions from Roster, and calls and messages appear in Calls.
          </EmptyState>
        }
      />
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
        <SecretOnce
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
    </Page>
  );
};
