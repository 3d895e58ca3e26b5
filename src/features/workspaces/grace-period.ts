import { pickColumns } from '../../db/statement.ts';
import { timestamp } from '../../lib/clock.ts';
import { conflict } from '../../lib/errors.ts';
import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';

const MAX_GRACE_HOURS = 7 * 24;
const DEFAULT_GRACE_HOURS = 24;

/** How long the old secret is still accepted. */
export const graceHours = v.integer(0, MAX_GRACE_HOURS);

export const rotationBody = v.object({
  grace_hours: graceHours,
  replace_new: v.boolean({
    description:
      'While an old secret is still accepted, replaces the new secret, for example because it was lost. The old one remains accepted.',
  }),
});
export type RotationBody = ReturnType<typeof rotationBody.read>;

export const expirySchema = (what: string) => s.orNull(s.dateTime(`When ${what} stops being accepted.`));

/** When a secret that is replaced now stops being accepted; null means immediately. */
export const graceEnd = (hours: number = DEFAULT_GRACE_HOURS): string | null =>
  hours === 0 ? null : new Date(Date.now() + hours * 3_600_000).toISOString();

const isAccepted = (expiresAt: string | null): boolean => expiresAt !== null && expiresAt > timestamp();

/** A column with a secret. The column `old_…` has the one before it, and another one when that expires. */
export type SecretColumn = 'secret_hash' | 'secret_sealed' | 'token_sealed';
export type Row = Readonly<Record<string, string | number | null>>;

/** The secret of a column, and the one before it while it is accepted. */
export const acceptedSecrets = (row: Row, column: SecretColumn): readonly string[] => {
  const [kind] = column.split('_', 1);
  const old = isAccepted(row[`old_${kind}_expires_at`] as string | null) ? row[`old_${column}`] : null;
  return [row[column], old].filter((value) => typeof value === 'string');
};

/** The columns of a record that loses its old secret. */
export const noOldSecret = (columns: readonly SecretColumn[]): Row => ({
  ...Object.fromEntries(columns.map((column) => [`old_${column}`, null])),
  old_secret_expires_at: null,
});

/** The columns of a record whose secret is replaced. At most two secrets are accepted: the caller chooses which one to replace,
 *  because either may be in use. */
export const rotateSecret = <C extends SecretColumn>(
  before: Row,
  columns: readonly C[],
  { grace_hours, replace_new = false, ...secrets }: RotationBody & Record<C, string>,
): Row => {
  const expiresAt = before.old_secret_expires_at as string | null;
  const hasOld = isAccepted(expiresAt);
  if (hasOld && !replace_new)
    throw conflict(
      `The secret was already rotated; the old one is accepted until ${expiresAt}. Revoke the old secret first, or send "replace_new": true to replace the new one.`,
    );
  const old_secret_expires_at = graceEnd(grace_hours);
  const replaced = pickColumns(secrets as unknown as Record<C, string>, columns);
  if (old_secret_expires_at === null) return { ...replaced, ...noOldSecret(columns) };
  const olds = columns.map((column) => [`old_${column}`, before[hasOld ? `old_${column}` : column]]);
  return { ...replaced, ...Object.fromEntries(olds), old_secret_expires_at };
};
