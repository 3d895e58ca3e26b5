import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { assertRotatable, graceEnd, isAccepted, type RotationBody } from '../workspaces/grace-period.ts';
import { assertKeyCheck } from '../workspaces/key-check.ts';
import type { Principal } from '../workspaces/principal.ts';
import { changeWebhook, type NewWebhook, type Webhook } from './webhook.service.ts';
import type { EndpointRow } from './webhook.store.ts';

const NO_OLD_SECRET = { old_secret_sealed: null, old_secret_expires_at: null };

type NewSecret = RotationBody & Pick<NewWebhook, 'id' | 'secret_sealed' | 'check'>;

/** Events are signed with both secrets until the grace period ends. */
export const rotateWebhookSecret = write(
  'rotateWebhookSecret',
  async (
    db: Db,
    principal: Principal,
    { id, secret_sealed, check, grace_hours, replace_new = false }: NewSecret,
  ): Promise<Webhook> => {
    await assertKeyCheck(db, check);
    return changeWebhook(db, principal, { id, action: 'webhook.secret_rotated' }, (before) => {
      assertRotatable(before.old_secret_expires_at, replace_new);
      const old_secret_expires_at = graceEnd(grace_hours);
      if (old_secret_expires_at === null) return { secret_sealed, ...NO_OLD_SECRET };
      const keepsOld = replace_new && isAccepted(before.old_secret_expires_at);
      const old_secret_sealed = keepsOld ? before.old_secret_sealed : before.secret_sealed;
      return { secret_sealed, old_secret_sealed, old_secret_expires_at };
    });
  },
);

export const revokeOldWebhookSecret = write(
  'revokeOldWebhookSecret',
  (db: Db, principal: Principal, { id }: { id: string }): Promise<Webhook> =>
    changeWebhook(db, principal, { id, action: 'webhook.old_secret_revoked' }, () => NO_OLD_SECRET),
);

export type SealedSecrets = Pick<
  EndpointRow,
  'id' | 'secret_sealed' | 'old_secret_sealed' | 'old_secret_expires_at'
>;

/** The encrypted secrets that sign an event now, newest first. */
export const signingSecrets = ({
  secret_sealed,
  old_secret_sealed,
  old_secret_expires_at,
}: SealedSecrets): string[] =>
  old_secret_sealed !== null && isAccepted(old_secret_expires_at)
    ? [secret_sealed, old_secret_sealed]
    : [secret_sealed];
