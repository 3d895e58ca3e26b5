import { webhooks } from '../../db/migrations/0022_webhooks.ts';
import { encryptedColumns } from '../workspaces/encrypted-columns.ts';

export const webhookEncryption = encryptedColumns({
  table: 'webhook_endpoints',
  columns: ['secret_sealed', 'old_secret_sealed'],
  addedBy: webhooks,
  operations: ['listEncryptedWebhookSecrets', 'replaceEncryptedWebhookSecrets'],
});
