import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { apiQuery, invalidate } from '../../../api/query.ts';
import { SecretRotation } from '../../../app/secret-rotation.tsx';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { rich } from '../../../ui/rich.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { toast } from '../../../ui/toast.tsx';
import { Endpoint } from '../endpoint.tsx';
import { Health } from '../health.tsx';
import { RenameIntegration } from './rename.tsx';

/** The details of an integration in a dialog. */
export const IntegrationDetails = ({
  id,
  onClose,
}: {
  readonly id: string;
  readonly onClose: () => void;
}) => {
  const [isConfirming, setConfirming] = useState(false);
  const [isRenaming, setRenaming] = useState(false);
  const query = useQuery(apiQuery('/integrations/{id}', { params: { id } }));
  const integration = query.data?.data;
  const remove = async () => {
    await call('DELETE', '/integrations/{id}', { params: { id } });
    toast.good(t('{name} deleted.', { name: integration?.name ?? '' }));
    onClose();
    void invalidate('/integrations');
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={integration?.name ?? t('Integration')}
      description={integration && rich('Created {time}', { time: <Time at={integration.created_at} /> })}
      footer={
        integration && (
          <>
            <Button onClick={() => setConfirming(true)} className="sm:mr-auto">
              <Trash2 aria-hidden />
              {t('Delete')}
            </Button>
            <Button onClick={() => setRenaming(true)}>{t('Rename')}</Button>
            <Button variant="primary" onClick={onClose}>
              {t('Done')}
            </Button>
          </>
        )
      }
    >
      {query.isError && !integration ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : integration ? (
        <div className="flex flex-col gap-5">
          <Health id={id} />
          <SecretRotation
            name={integration.name}
            kind="integration"
            oldExpiresAt={integration.old_secret_expires_at}
            rotate={async (body) => {
              const { data } = await call('POST', '/integrations/{id}/rotate-secret', {
                params: { id },
                body,
              });
              void invalidate('/integrations');
              return data;
            }}
            revoke={async () => {
              await call('DELETE', '/integrations/{id}/old-secret', { params: { id } });
              await invalidate('/integrations');
            }}
          />
          <section aria-labelledby="integration-hook">
            <h3 id="integration-hook" className="mb-2 text-sm font-semibold">
              {t('Endpoint for your CRM')}
            </h3>
            <Endpoint id={id} />
          </section>
        </div>
      ) : (
        <Skeleton className="h-56 w-full" />
      )}
      {integration && isRenaming && (
        <RenameIntegration id={id} saved={integration.name} onClose={() => setRenaming(false)} />
      )}
      {integration && (
        <ConfirmDialog
          open={isConfirming}
          onOpenChange={setConfirming}
          title={t('Delete {name}?', { name: integration.name })}
          danger
          action={t('Delete integration')}
          consequences={[
            t('Its secret stops working immediately: requests that use it are rejected.'),
            t('Contacts it created remain, with their CRM IDs.'),
            t("This can't be undone. A new integration gets a new secret and a new endpoint."),
          ]}
          onConfirm={remove}
        />
      )}
    </Dialog>
  );
};
