import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { assertRotatable, graceEnd, isAccepted, type RotationBody } from '../workspaces/grace-period.ts';
import { assertKeyCheck } from '../workspaces/key-check.ts';
import type { Principal } from '../workspaces/principal.ts';
import {
  type Channel,
  changeChannel,
  type HookChannel,
  type NewChannel,
  NO_OLD_TOKEN,
} from './channel.service.ts';

const NO_OLD_SECRET = { old_secret_hash: null, old_secret_sealed: null, old_secret_expires_at: null };

type NewSecret = RotationBody & Pick<NewChannel, 'id' | 'secret_hash' | 'secret_sealed' | 'check'>;

/** The old secret is accepted until the grace period ends. */
export const rotateChannelSecret = write(
  'rotateChannelSecret',
  async (
    db: Db,
    principal: Principal,
    { id, secret_hash, secret_sealed, check, grace_hours, replace_new = false }: NewSecret,
  ): Promise<Channel> => {
    await assertKeyCheck(db, check);
    return changeChannel(db, principal, { id, action: 'channel.secret_rotated' }, (before) => {
      assertRotatable(before.old_secret_expires_at, replace_new);
      const old_secret_expires_at = graceEnd(grace_hours);
      const keepsOld = replace_new && isAccepted(before.old_secret_expires_at);
      return {
        secret_hash,
        secret_sealed,
        ...(old_secret_expires_at === null
          ? NO_OLD_SECRET
          : {
              old_secret_hash: keepsOld ? before.old_secret_hash : before.secret_hash,
              old_secret_sealed: keepsOld ? before.old_secret_sealed : before.secret_sealed,
              old_secret_expires_at,
            }),
      };
    });
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
      { ...NO_OLD_SECRET, ...NO_OLD_TOKEN },
    ),
);

/** The accepted secrets of a channel, newest first, each as a hash and encrypted. */
export const acceptedSecrets = (channel: HookChannel): { hash: string; encrypted: string }[] => {
  const { secret_hash, secret_sealed, old_secret_hash, old_secret_sealed } = channel;
  const newest = { hash: secret_hash, encrypted: secret_sealed };
  if (old_secret_hash === null || old_secret_sealed === null) return [newest];
  return isAccepted(channel.old_secret_expires_at)
    ? [newest, { hash: old_secret_hash, encrypted: old_secret_sealed }]
    : [newest];
};

/** The encrypted tokens that Twilio may have signed an event with. */
export const acceptedTokens = (channel: HookChannel): string[] => {
  const { token_sealed, old_token_sealed, old_token_expires_at } = channel;
  if (token_sealed === null) return acceptedSecrets(channel).map(({ encrypted }) => encrypted);
  return old_token_sealed !== null && isAccepted(old_token_expires_at)
    ? [token_sealed, old_token_sealed]
    : [token_sealed];
};
