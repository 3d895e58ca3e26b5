import type { Db } from '../../db/db.ts';
import type { Encryptor } from '../../lib/encryption.ts';
import { invalidField } from '../../lib/errors.ts';
import { newUuid, typeId, UUID_FORM } from '../../lib/ids.ts';
import type { Principal } from '../workspaces/principal.ts';
import { versionNames } from './call-list.service.ts';
import { findById, type SessionRow } from './session.store.ts';

export const sessionId = typeId('session');

/* A session that was started while the database was lost is not stored, so its id carries its version, and a signature for its channel. */

export const DEGRADED_PATTERN = `^degraded_${UUID_FORM}_${UUID_FORM}_[0-9a-f]{32}$`;
const DEGRADED = new RegExp(DEGRADED_PATTERN);
const PURPOSE = 'degraded session';
const SIGNATURE_BYTES = 16;

export const createDegradedId = (
  encryptor: Pick<Encryptor, 'sign'>,
  channel: string,
  version: string,
): string => {
  const id = `degraded_${newUuid()}_${version}`;
  return `${id}_${encryptor.sign(`${channel} ${id}`, PURPOSE).toString('hex', 0, SIGNATURE_BYTES)}`;
};

const isDegradedId = (session_id: string): boolean => DEGRADED.test(session_id);

/** The version of a degraded session. Undefined for any other id. */
export const parseDegraded = (session_id: string): string | undefined =>
  isDegradedId(session_id) ? session_id.split('_')[2] : undefined;

const unknownSession = () =>
  invalidField(
    'session_id',
    'is not a session of this channel. Send the session_id that POST /hooks/channels/{id}/sessions returned for this call, or omit it.',
  );

/** Whether an id is that of a degraded session which was not started on this channel. */
export const isForeignDegradedId = (
  encryptor: Pick<Encryptor, 'isSigned'>,
  channel: string,
  session_id = '',
): boolean => {
  if (!isDegradedId(session_id)) return false;
  const at = session_id.lastIndexOf('_');
  const signature = Buffer.from(session_id.slice(at + 1), 'hex');
  return !encryptor.isSigned(`${channel} ${session_id.slice(0, at)}`, PURPOSE, signature);
};

export const assertOwnDegradedId = (...session: Parameters<typeof isForeignDegradedId>): void => {
  if (isForeignDegradedId(...session)) throw unknownSession();
};

/** What a session fixes for its call, whatever the channel has meanwhile. A degraded session has only the version. */
export type Pin = Pick<SessionRow, 'id' | 'agent_id' | 'version_id' | 'contact_id' | 'instructions_sha256'> &
  Partial<Pick<SessionRow, 'direction' | 'number'>> & {
    readonly isDegraded?: true;
  };

/** The session that a report names. Throws if it does not belong to the channel. The signature of a degraded one was verified before. */
export const requireSession = async (
  db: Db,
  { workspace }: Principal,
  { channel, session_id }: { channel: string; session_id: string },
): Promise<Pin> => {
  const version_id = parseDegraded(session_id);
  if (version_id !== undefined) {
    const agent_id = (await versionNames(db, workspace, [version_id])).get(version_id)?.agent_id;
    if (agent_id !== undefined)
      return {
        id: session_id,
        agent_id,
        version_id,
        contact_id: null,
        instructions_sha256: null,
        isDegraded: true,
      };
  }
  const id = sessionId.parse(session_id);
  const session = id && (await db.get(findById, { workspace, channel, id }));
  if (session) return session;
  throw unknownSession();
};
