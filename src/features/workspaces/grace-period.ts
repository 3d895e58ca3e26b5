import { timestamp } from '../../lib/clock.ts';
import { ApiError } from '../../lib/errors.ts';
import { boolean, dateTimeSchema, integer, type JsonSchema, objectOf } from '../../lib/validation.ts';

const MAX_GRACE_HOURS = 7 * 24;
const DEFAULT_GRACE_HOURS = 24;

/** For how long the old secret is accepted beside the new one. */
export const graceHours = integer(0, MAX_GRACE_HOURS);

export const rotationBody = objectOf({
  grace_hours: graceHours,
  replace_new: boolean({
    description:
      'While an old secret is accepted: replace the new one, which was lost, and continue to accept the old one.',
  }),
});
export type RotationBody = ReturnType<typeof rotationBody.read>;

export const expirySchema = (what: string): JsonSchema => ({
  oneOf: [dateTimeSchema(`Until when ${what} is accepted.`), { type: 'null' }],
});

/** When a secret that is replaced now is no longer accepted; null for immediately. */
export const graceEnd = (hours: number = DEFAULT_GRACE_HOURS): string | null =>
  hours === 0 ? null : new Date(Date.now() + hours * 3_600_000).toISOString();

export const isAccepted = (expiresAt: string | null): boolean =>
  expiresAt !== null && expiresAt > timestamp();

/** Two secrets are accepted at most. Which one to give up is for the caller to say: the old one may still be in use, the new
 *  one may be already. */
export const assertRotatable = (oldExpiresAt: string | null, replaceNew = false): void => {
  if (!isAccepted(oldExpiresAt) || replaceNew) return;
  throw new ApiError(
    'CONFLICT',
    `The secret was rotated before, and the old one is accepted until ${oldExpiresAt}. Revoke the old secret first, or send "replace_new": true to replace the new one.`,
  );
};
