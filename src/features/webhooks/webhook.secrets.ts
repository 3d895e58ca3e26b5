import { encryptedColumns } from '../workspaces/encrypted-columns.ts';
import { secretOperations } from '../workspaces/secret.operations.ts';
import { changeWebhook } from './webhook.service.ts';

/** Events are signed with both secrets until the grace period ends. */
export const { rotate: rotateWebhookSecret, revoke: revokeOldWebhookSecret } = secretOperations({
  kind: 'webhook',
  columns: ['secret_sealed'],
  change: changeWebhook,
});

export const webhookEncryption = encryptedColumns({
  table: 'webhook_endpoints',
  columns: ['secret_sealed', 'old_secret_sealed'],
  since: 37,
  operations: ['listEncryptedWebhookSecrets', 'replaceEncryptedWebhookSecrets'],
});
