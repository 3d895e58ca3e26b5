import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { Webhook } from '../../../api/types.gen.ts';
import { SecretRotation } from '../../../app/secret-rotation.tsx';
import { t } from '../../../lib/i18n.ts';
import { hostText } from '../labels.tsx';
import { VerifySignature } from '../verify-signature.tsx';

/** The secret of an endpoint, and the code that verifies its signatures. */
const Signature = ({ webhook }: { readonly webhook: Webhook }) => {
  const { id } = webhook;
  return (
    <div className="card flex flex-col gap-6 p-4 sm:p-5">
      <h2 className="sr-only">{t('Signature')}</h2>
      <SecretRotation
        name={hostText(webhook)}
        kind="webhook"
        oldExpiresAt={webhook.old_secret_expires_at}
        rotate={async (body) => {
          const { data } = await call('POST', '/webhooks/{id}/rotate-secret', { params: { id }, body });
          void invalidate('/webhooks');
          return data;
        }}
        revoke={async () => {
          await call('DELETE', '/webhooks/{id}/old-secret', { params: { id } });
          await invalidate('/webhooks');
        }}
      />
      <VerifySignature />
    </div>
  );
};

export default Signature;
