import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { noOldSecret, type RotationBody, rotateSecret } from '../workspaces/grace-period.ts';
import { assertKeyCheck } from '../workspaces/key-check.ts';
import type { Principal } from '../workspaces/principal.ts';
import { changeWebhook, type NewWebhook, type Webhook } from './webhook.service.ts';

type NewSecret = RotationBody & Pick<NewWebhook, 'id' | 'secret_sealed' | 'check'>;

/** Events are signed with both secrets until the grace period ends. */
export const rotateWebhookSecret = write(
  'rotateWebhookSecret',
  async (db: Db, principal: Principal, input: NewSecret): Promise<Webhook> => {
    const { id, secret_sealed, check, ...body } = input;
    await assertKeyCheck(db, check);
    return changeWebhook(db, principal, { id, action: 'webhook.secret_rotated' }, (before) =>
      rotateSecret(before, { secret_sealed }, body),
    );
  },
);

export const revokeOldWebhookSecret = write(
  'revokeOldWebhookSecret',
  (db: Db, principal: Principal, { id }: { id: string }): Promise<Webhook> =>
    changeWebhook(db, principal, { id, action: 'webhook.old_secret_revoked' }, () =>
      noOldSecret('secret_sealed'),
    ),
);
