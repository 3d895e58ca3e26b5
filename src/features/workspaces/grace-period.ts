import { timestamp } from '../../lib/clock.ts';
import { ApiError } from '../../lib/errors.ts';
import { boolean, dateTimeSchema, integer, type JsonSchema, objectOf } from '../../lib/validation.ts';

const MAX_GRACE_HOURS = 7 * 24;
const DEFAULT_GRACE_HOURS = 24;

/** How long the old secret is still accepted. */
export const graceHours = integer(0, MAX_GRACE_HOURS);

export const rotationBody = objectOf({
  grace_hours: graceHours,
  replace_new: boolean({
    description:
      'While an old secret is still accepted, replaces the new secret, for example because it was lost. The old one remains accepted.',
  }),
});
export type RotationBody = ReturnType<typeof rotationBody.read>;

export const expirySchema = (what: string): JsonSchema => ({
  oneOf: [dateTimeSchema(`When ${what} stops being accepted.`), { type: 'null' }],
});

/** When a secret that is replaced now stops being accepted; null means immediately. */
export const graceEnd = (hours: number = DEFAULT_GRACE_HOURS): string | null =>
  hours === 0 ? null : new Date(Date.now() + hours * 3_600_000).toISOString();

export const isAccepted = (expiresAt: string | null): boolean =>
  expiresAt !== null && expiresAt > timestamp();

/** At most two secrets are accepted. The caller chooses which one to replace, because either may be in use. */
export const assertRotatable = (oldExpiresAt: string | null, replaceNew = false): void => {
  if (!isAccepted(oldExpiresAt) || replaceNew) return;
  throw new ApiError(
    'CONFLICT',
    `The secret was already rotated; the old one is accepted until ${oldExpiresAt}. Revoke the old secret first, or send "replace_new": true to replace the new one.`,
  );
};
