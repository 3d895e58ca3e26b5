import type { Operation } from '../../db/operation.ts';
import type { Storage } from '../../db/storage.ts';
import { created, ok, type Route, routesOf } from '../../http/pipeline/route.ts';
import type { ErrorCode } from '../../lib/errors.ts';
import type { JsonWithEtag } from '../../lib/etag.ts';
import type { typeId } from '../../lib/ids.ts';
import type { JsonSchema } from '../../lib/schemas.ts';
import type { ObjectReader } from '../../lib/validation.ts';
import type { SharedAccess } from './access.ts';
import { type RotationBody, rotationBody } from './grace-period.ts';
import type { ById, Principal } from './principal.ts';

interface SecretOptions<S extends object, B extends object, R extends { id: string }> {
  /** The record in a sentence, such as `a channel`. */
  readonly record: string;
  readonly id: ReturnType<typeof typeId>;
  readonly access: { readonly write: SharedAccess; readonly secret: SharedAccess };
  readonly data: { readonly record: JsonSchema; readonly created: JsonSchema };
  /** A new secret of a record, which may be new as well, and what is stored of it. */
  readonly newSecret: (id: string, body?: B) => Promise<{ secret: string; stored: S }>;
  readonly create: Operation<Principal, B & S & ById, R, 'write'>;
  readonly creation: {
    readonly description: string;
    readonly body: ObjectReader<B>;
    readonly errors?: readonly ErrorCode[];
  };
  readonly etag?: (record: R) => JsonWithEtag;
  readonly rotate: Operation<Principal, RotationBody & S & ById, object, 'write'>;
  readonly revoke: Operation<Principal, { id: string }, object, 'write'>;
}

/** The routes that create the records under a path and rotate their secrets. */
export const secretRoutes = <S extends object, B extends object, R extends { id: string }>(
  storage: Storage,
  path: string,
  {
    record,
    id: typed,
    access,
    data,
    newSecret,
    create,
    creation,
    etag,
    rotate,
    revoke,
  }: SecretOptions<S, B, R>,
) => ({
  [`POST ${path}`]: routesOf(access.secret)({
    operationId: create.operationName,
    summary: `Create ${record}`,
    ...creation,
    returnsSecret: true,
    data: data.created,
    ...(etag && { hasEtag: true }),
    handle: async (request) => {
      const id = typed.create();
      const { secret, stored } = await newSecret(id, request.body);
      const made = await storage.run(create, request.principal, { ...request.body, ...stored, id });
      const shown = { ...made, secret };
      const tag = etag && (() => ({ ...etag(made), json: JSON.stringify(shown) }));
      return created(request, Promise.resolve(shown), tag);
    },
  }) as Route<Principal, unknown, unknown>,

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
