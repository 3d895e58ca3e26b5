import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { apiQuery, invalidate } from '../../../api/query.ts';
import type { Channel } from '../../../api/types.gen.ts';
import { AuditLogLink } from '../../../app/audit-log-link.tsx';
import { isInFuture, SecretRotation, Until } from '../../../app/secret-rotation.tsx';
import { plural, t } from '../../../lib/i18n.ts';
import { contactLabel } from '../../../records/calls/labels.ts';
import { Endpoints } from '../../../records/channels/endpoints.tsx';
import { ChannelType } from '../../../records/channels/labels.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { NameOrPhone } from '../../../ui/phone.tsx';
import { rich } from '../../../ui/rich.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { ChannelAgent } from './agent.tsx';
import { DeleteChannel } from './delete.tsx';
import { EditChannel } from './edit.tsx';

/** The details of a channel in a dialog: agent, calls, secret and endpoints. */
export const ChannelDetails = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const query = useQuery(apiQuery('/channels/{id}', { params: { id } }));
  const channel = query.data?.data;
  const close = () => setOpen(undefined);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={channel?.name ?? t('Channel')}
      description={
        channel && (
          <span className="flex flex-wrap gap-x-3">
            <ChannelType kind={channel.kind} />
            <span className="figure wrap-anywhere">
              <NameOrPhone text={channel.address} />
            </span>
          </span>
        )
      }
      footer={
        channel && (
          <>
            <Button onClick={() => setOpen('delete')} className="sm:mr-auto">
              <Trash2 aria-hidden />
              {t('Delete')}
            </Button>
            <AuditLogLink record={channel.id} />
            <Button onClick={() => setOpen('edit')}>
              <Pencil aria-hidden />
              {t('Edit')}
            </Button>
            <Button variant="primary" onClick={onClose}>
              {t('Done')}
            </Button>
          </>
        )
      }
    >
      {query.isError && !channel ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : channel ? (
        <div className="flex flex-col gap-5">
          <ChannelAgent key={channel.agent?.id} channel={channel} />
          <LastCall channel={channel} />
          <ChannelSecret channel={channel} />
          <section aria-labelledby="channel-hooks">
            <h3 id="channel-hooks" className="mb-2 text-sm font-semibold">
              {t('Endpoints for runtimes and providers')}
            </h3>
            <Endpoints channel={channel} />
          </section>
        </div>
      ) : (
        <Skeleton className="h-72 w-full" />
      )}
      {open === 'edit' && query.data && <EditChannel loaded={query.data} onClose={close} />}
      {open === 'delete' && query.data && (
        <DeleteChannel channel={query.data.data} etag={query.data.etag} onClose={close} onDeleted={onClose} />
      )}
    </Dialog>
  );
};

const ChannelSecret = ({ channel }: { readonly channel: Channel }) => {
  const { id, name, old_secret_expires_at, old_platform_secret_expires_at: tokenUntil } = channel;
  const params = { id };
  return (
    <SecretRotation
      name={name}
      kind="channel"
      oldExpiresAt={old_secret_expires_at}
      rotate={async (body) => {
        const { data } = await call('POST', '/channels/{id}/rotate-secret', { params, body });
        void invalidate('/channels');
        return data;
      }}
      revoke={async () => {
        await call('DELETE', '/channels/{id}/old-secret', { params });
        await invalidate('/channels');
      }}
    >
      {isInFuture(tokenUntil) && (
        <p>
          {rich('The old secret of the platform works until {time}.', { time: <Until at={tokenUntil} /> })}
        </p>
      )}
    </SecretRotation>
  );
};

const LastCall = ({ channel }: { readonly channel: Channel }) => {
  const calls = useQuery(apiQuery('/calls', { query: { channel_id: channel.id, limit: 1 } }));
  const last = calls.data?.data[0];
  return (
    <section aria-labelledby="channel-calls" className="text-sm">
      <h3 id="channel-calls" className="font-semibold">
        {t('Calls')}
      </h3>
      {calls.isPending ? (
        <Skeleton className="mt-1 h-4 w-2/3" />
      ) : calls.isError ? (
        <p className="text-muted">{t("Couldn't load the calls.")}</p>
      ) : last ? (
        <p>
          {rich('{calls}, most recently {time} with {contact}', {
            calls: (
              <Link to="/calls" search={{ channel: channel.id }} className="rounded font-medium underline">
                {plural(calls.data.pagination.total, '# call or message', '# calls and messages')}
              </Link>
            ),
            time: (
              <Link to="/calls" search={{ channel: channel.id, call: last.id }} className="rounded underline">
                <Time at={last.started_at} />
              </Link>
            ),
            contact: last.contact_id ? (
              <Link to="/contacts/$id" params={{ id: last.contact_id }} className="rounded underline">
                <NameOrPhone text={contactLabel(last)} />
              </Link>
            ) : (
              <NameOrPhone text={contactLabel(last)} />
            ),
          })}
        </p>
      ) : (
        <p className="text-muted">{t('No calls yet.')}</p>
      )}
    </section>
  );
};
