import { encryptedColumns } from '../workspaces/encrypted-columns.ts';

export const webhookEncryption = encryptedColumns({
  table: 'webhook_endpoints',
  columns: ['secret_sealed', 'old_secret_sealed'],
  since: 37,
  operations: ['listEncryptedWebhookSecrets', 'replaceEncryptedWebhookSecrets'],
});
