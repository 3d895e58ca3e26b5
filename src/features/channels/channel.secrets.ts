import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { acceptedSecrets, noOldSecret, type RotationBody, rotateSecret } from '../workspaces/grace-period.ts';
import { assertKeyCheck } from '../workspaces/key-check.ts';
import type { Principal } from '../workspaces/principal.ts';
import { type Channel, changeChannel, type NewChannel, NO_OLD_TOKEN } from './channel.service.ts';
import type { ChannelRow } from './channel.store.ts';

type NewSecret = RotationBody & Pick<NewChannel, 'id' | 'secret_hash' | 'secret_sealed' | 'check'>;

/** The old secret is accepted until the grace period ends. */
export const rotateChannelSecret = write(
  'rotateChannelSecret',
  async (
    db: Db,
    principal: Principal,
    { id, secret_hash, secret_sealed, check, ...body }: NewSecret,
  ): Promise<Channel> => {
    await assertKeyCheck(db, check);
    return changeChannel(db, principal, { id, action: 'channel.secret_rotated' }, (before) =>
      rotateSecret(before, { secret_hash, secret_sealed }, body),
    );
  },
);

/** Revokes the old secret and the old Twilio auth token. */
export const revokeOldChannelSecret = write(
  'revokeOldChannelSecret',
  (db: Db, principal: Principal, { id }: { id: string }): Promise<Channel> =>
    changeChannel(
      db,
      principal,
      { id, action: 'channel.old_secret_revoked' },
      { ...noOldSecret('secret_hash', 'secret_sealed'), ...NO_OLD_TOKEN },
    ),
);

/** The encrypted tokens that Twilio may have signed an event with. */
export const acceptedTokens = (channel: ChannelRow): readonly string[] =>
  acceptedSecrets(channel, channel.token_sealed === null ? 'secret_sealed' : 'token_sealed');
