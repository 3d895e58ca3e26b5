import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { noOldSecret, type RotationBody, type Row, rotateSecret, type SecretColumn } from './grace-period.ts';
import { assertKeyCheck } from './key-check.ts';
import type { ById, Principal } from './principal.ts';

type Kind = 'channel' | 'integration' | 'webhook';
type SecretAction<K extends Kind> = `${K}.secret_rotated` | `${K}.old_secret_revoked`;

interface SecretOptions<K extends Kind, C extends SecretColumn, R> {
  readonly kind: K;
  readonly columns: readonly C[];
  /** Changes a record and returns it. */
  readonly change: (
    db: Db,
    principal: Principal,
    which: { id: string; action: SecretAction<K> },
    next: (before: Row) => object,
  ) => Promise<R>;
  /** Columns that lose their values together with the old secret. */
  readonly revoked?: object;
}

/** The operations that rotate the secret of a record, and revoke the old one, which is accepted until its grace period ends. `check`
 *  is that of an encrypted secret. */
export const secretOperations = <K extends Kind, C extends SecretColumn, R>({
  kind,
  columns,
  change,
  revoked,
}: SecretOptions<K, C, R>) => {
  const name = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  return {
    rotate: write(
      `rotate${name}Secret`,
      async (
        db,
        principal: Principal,
        input: RotationBody & Record<C, string> & { id: string; check?: string },
      ): Promise<R> => {
        if (input.check !== undefined) await assertKeyCheck(db, input.check);
        return change(db, principal, { id: input.id, action: `${kind}.secret_rotated` }, (before) =>
          rotateSecret(before, columns, input),
        );
      },
    ),
    revoke: write(`revokeOld${name}Secret`, (db, principal: Principal, { id }: ById) =>
      change(db, principal, { id, action: `${kind}.old_secret_revoked` }, () => ({
        ...noOldSecret(columns),
        ...revoked,
      })),
    ),
  };
};
