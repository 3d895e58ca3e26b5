import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { apiQuery, invalidate } from '../../../api/query.ts';
import { SecretRotation } from '../../../app/secret-rotation.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { toast } from '../../../ui/toast.tsx';
import { Endpoint } from '../endpoint.tsx';

/** The details of an integration in a dialog. */
export const IntegrationDetails = ({
  id,
  onClose,
}: {
  readonly id: string;
  readonly onClose: () => void;
}) => {
  const [isConfirming, setConfirming] = useState(false);
  const query = useQuery(apiQuery('/integrations/{id}', { params: { id } }));
  const integration = query.data?.data;
  const remove = async () => {
    await call('DELETE', '/integrations/{id}', { params: { id } });
    toast.good(`${integration?.name} deleted.`);
    onClose();
    void invalidate('/integrations');
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={integration?.name ?? 'Integration'}
      description={
        integration && (
          <>
            Created <Time at={integration.created_at} />
          </>
        )
      }
      footer={
        integration && (
          <>
            <Button onClick={() => setConfirming(true)} className="sm:mr-auto">
              <Trash2 aria-hidden />
              Delete
            </Button>
            <Button variant="primary" onClick={onClose}>
              Done
            </Button>
          </>
        )
      }
    >
      {query.isError && !integration ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : integration ? (
        <div className="flex flex-col gap-5">
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
              Endpoint for your CRM
            </h3>
            <Endpoint id={id} />
          </section>
        </div>
      ) : (
        <Skeleton className="h-56 w-full" />
      )}
      {integration && (
        <ConfirmDialog
          open={isConfirming}
          onOpenChange={setConfirming}
          title={`Delete ${integration.name}?`}
          danger
          action="Delete integration"
          consequences={[
            'Its secret stops working immediately: requests that use it are rejected.',
            'Contacts it created are kept, with their CRM IDs.',
            "This can't be undone. A new integration gets a new secret and a new endpoint.",
          ]}
          onConfirm={remove}
        />
      )}
    </Dialog>
  );
};
