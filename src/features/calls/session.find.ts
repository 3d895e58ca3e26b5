import type { Db } from '../../db/db.ts';
import { carryingId, typeId } from '../../lib/ids.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import type { Principal } from '../workspaces/principal.ts';
import { findById, findByProvider, type SessionRow } from './session.store.ts';

export const sessionId = typeId('session');

/** Of a session that was started while the database was lost. It is not stored, so its id carries its version. */
export const degradedId = carryingId('degraded');

/** The version of a degraded session, which may be that of another workspace: the id comes from a request. Undefined for any other id. */
export const parseDegraded = (session_id: string): string | undefined => degradedId.parse(session_id);

type SessionKey = { channel: string } & (
  | { provider_id: string; session_id?: undefined }
  | { session_id: string; provider_id?: undefined }
);

/** A session of a channel, by its id or by the provider's id of the call. */
export const findSession = (
  db: Db,
  { workspace }: Pick<Principal, 'workspace'>,
  { channel, provider_id, session_id }: SessionKey,
): MaybePromise<SessionRow | undefined> => {
  if (provider_id !== undefined) return db.get(findByProvider, { workspace, channel, provider_id });
  const id = sessionId.parse(session_id);
  return id === undefined ? undefined : db.get(findById, { workspace, channel, id });
};
