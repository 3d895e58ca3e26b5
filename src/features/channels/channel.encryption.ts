import { encryptedColumns } from '../workspaces/encrypted-columns.ts';

export const channelEncryption = encryptedColumns({
  table: 'channels',
  columns: ['secret_sealed', 'token_sealed', 'old_secret_sealed', 'old_token_sealed'],
  operations: ['listEncryptedSecrets', 'replaceEncryptedSecrets'],
});
