import { rotation } from '../../db/migrations/0014_rotation.ts';
import { encryptedColumns } from '../workspaces/encrypted-columns.ts';

export const channelEncryption = encryptedColumns({
  table: 'channels',
  columns: ['secret_sealed', 'token_sealed', 'old_secret_sealed', 'old_token_sealed'],
  addedBy: rotation,
  operations: ['listEncryptedSecrets', 'replaceEncryptedSecrets'],
});
