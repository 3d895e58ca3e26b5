import type { Operation } from '../../db/operation.ts';
import type { Storage } from '../../db/storage.ts';
import { ok, type Route, routesOf } from '../../http/pipeline/route.ts';
import type { typeId } from '../../lib/ids.ts';
import type { JsonSchema } from '../../lib/schemas.ts';
import type { SharedAccess } from './access.ts';
import { type RotationBody, rotationBody } from './grace-period.ts';
import type { Principal } from './principal.ts';

interface SecretOptions<S extends object> {
  /** The record in a sentence, such as `a channel`. */
  readonly record: string;
  readonly id: ReturnType<typeof typeId>;
  readonly access: { readonly write: SharedAccess; readonly secret: SharedAccess };
  readonly data: { readonly record: JsonSchema; readonly created: JsonSchema };
  /** A new secret of a record, and what is stored of it. */
  readonly newSecret: (id: string) => Promise<{ secret: string; stored: S }>;
  readonly rotate: Operation<Principal, RotationBody & S & { id: string }, object, 'write'>;
  readonly revoke: Operation<Principal, { id: string }, object, 'write'>;
}

/** The routes that rotate the secrets of the records under a path. */
export const secretRoutes = <S extends object>(
  storage: Storage,
  path: string,
  { record, id: typed, access, data, newSecret, rotate, revoke }: SecretOptions<S>,
) => ({
  [`POST ${path}/:id/rotate-secret`]: routesOf(access.secret)({
    operationId: rotate.operationName,
    summary: `Rotate the secret of ${record}`,
    description:
      'The new secret is shown only once. The old one stays valid for `grace_hours`, by default 24; 0 revokes it immediately.',
    body: rotationBody,
    bodyOptional: true,
    returnsSecret: true,
    status: 200,
    data: data.created,
    errors: ['CONFLICT'],
    handle: async ({ principal, params: { id }, body }) => {
      const { secret, stored } = await newSecret(typed.parse(id) ?? id);
      const rotated = storage.run(rotate, principal, { ...body, ...stored, id });
      return ok(rotated.then((changed) => ({ ...changed, secret })));
    },
  }) as Route<Principal, unknown, unknown>,

  [`DELETE ${path}/:id/old-secret`]: routesOf(access.write)({
    run: revoke,
    summary: `Revoke the old secret of ${record}`,
    description: 'Ends the grace period of the old secret.',
    data: data.record,
  }),
});
