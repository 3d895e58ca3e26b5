import type { Db } from '../../db/db.ts';
import { invalidField } from '../../lib/errors.ts';
import type { Principal } from '../workspaces/principal.ts';
import { findVersionNames } from './call-list.store.ts';
import { findSession, parseDegraded } from './session.find.ts';
import type { SessionRow } from './session.store.ts';

/** What a session fixes for its call, whatever the channel has meanwhile. A degraded session has only the version. */
export type Pin = Pick<
  SessionRow,
  'id' | 'agent_id' | 'version_id' | 'contact_id' | 'instructions_sha256'
> & {
  readonly isDegraded?: true;
};

/** Whether the contact of the session was deleted, which erased the hash of its instructions. */
export const isErasedPin = ({ instructions_sha256, isDegraded }: Pin): boolean =>
  instructions_sha256 === null && !isDegraded;

const unknownSession = () =>
  invalidField(
    'session_id',
    'is not a session of this channel. Send the session_id that POST /hooks/channels/{id}/sessions returned for this call, or omit it.',
  );

const degradedPin = async (db: Db, { workspace }: Principal, id: string): Promise<Pin | undefined> => {
  const version_id = parseDegraded(id);
  if (version_id === undefined) return undefined;
  const [version] = await db.all(findVersionNames, { workspace, ids: JSON.stringify([version_id]) });
  const { agent_id } = version ?? {};
  return agent_id === undefined
    ? undefined
    : { id, agent_id, version_id, contact_id: null, instructions_sha256: null, isDegraded: true };
};

/** The session that a report names. Throws if it does not belong to the channel. */
export const namedPin = async (
  db: Db,
  principal: Principal,
  channel: string,
  session_id: string,
): Promise<Pin> => {
  const pin =
    (await degradedPin(db, principal, session_id)) ??
    (await findSession(db, principal, { channel, session_id }));
  if (!pin) throw unknownSession();
  return pin;
};
