import { encryptedColumns } from '../workspaces/encrypted-columns.ts';
import { acceptedSecrets } from '../workspaces/grace-period.ts';
import { secretOperations } from '../workspaces/secret.operations.ts';
import { changeChannel, NO_OLD_TOKEN } from './channel.service.ts';
import type { ChannelRow } from './channel.store.ts';

/** The old platform secret is revoked together with the old secret. */
export const { rotate: rotateChannelSecret, revoke: revokeOldChannelSecret } = secretOperations({
  kind: 'channel',
  columns: ['secret_hash', 'secret_sealed'],
  change: changeChannel,
  revoked: NO_OLD_TOKEN,
});

/** The encrypted secrets that a platform may have signed a request with. */
export const acceptedTokens = (channel: ChannelRow): readonly string[] =>
  acceptedSecrets(channel, channel.token_sealed === null ? 'secret_sealed' : 'token_sealed');

export const channelEncryption = encryptedColumns({
  table: 'channels',
  columns: ['secret_sealed', 'token_sealed', 'old_secret_sealed', 'old_token_sealed'],
  operations: ['listEncryptedSecrets', 'replaceEncryptedSecrets'],
});
