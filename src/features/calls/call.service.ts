import type { Db } from '../../db/db.ts';
import { read } from '../../db/operation.ts';
import { cascade } from '../../lib/cascade.ts';
import { existing } from '../../lib/errors.ts';
import { typeId } from '../../lib/ids.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import { change, eraseCallEvents, type Snapshot } from '../../records/change.ts';
import { storedText } from '../agents/rendering.service.ts';
import { nameOf } from '../contacts/contact.schema.ts';
import type { DeletedContact } from '../contacts/contact.write.ts';
import { assertAlso } from '../workspaces/access.guard.ts';
import type { Principal } from '../workspaces/principal.ts';
import { deleteTags, deleteTexts } from './call.derived.ts';
import type { ActivityQuery } from './call.schema.ts';
import * as store from './call.store.ts';
import { resultOf } from './result.merge.ts';
import { unlinkSessions } from './session.store.ts';
import { deleteTranscripts } from './transcript.store.ts';

export const callId = typeId('call');

/** When contacts had their first and last call or message. Their own times begin with the creation. */
export const getContactActivity = read(
  'getContactActivity',
  (db, { workspace }: Principal, { ids = [] }: ActivityQuery): MaybePromise<store.ActivityRow[]> =>
    db.all(store.findActivity, { workspace, contacts: JSON.stringify(ids) }),
);

export const callOf = (row: store.ListedCall) => ({
  id: row.id,
  channel_id: row.channel_id,
  channel_name: row.channel_name,
  channel_kind: row.channel_kind,
  contact_id: row.contact_id,
  contact_name: nameOf(row),
  agent_id: row.agent_id,
  agent_name: row.agent_name,
  agent_deleted: row.agent_deleted_at !== null,
  version_id: row.version_id,
  version_label: row.version_number === null ? null : `v${row.version_number}`,
  type: row.medium,
  direction: row.direction,
  status: row.status,
  number: row.number,
  provider_id: row.provider_id,
  started_at: row.started_at,
  ended_at: row.ended_at,
  seconds: row.seconds,
  session_id: row.session_id,
  ...resultOf(row),
  note: row.note,
  tags: JSON.parse(row.tags ?? '[]') as string[],
});

export const snapshotOf = (row: store.ListedCall): Snapshot => ({
  contact: row.contact_id,
  agent: row.agent_id,
  data: JSON.stringify(callOf(row)),
});

const keyOf = (workspace: number, id: string) => ({ workspace, ids: JSON.stringify([id]) });

/** The snapshot of a stored call. */
export const findSnapshot = async (db: Db, workspace: number, id: string): Promise<Snapshot> =>
  snapshotOf((await db.get(store.findListedCalls, keyOf(workspace, id))) as store.ListedCall);

export const getCall = read(
  'getCall',
  async (db, principal: Principal, { id, include }: { id: string; include?: 'instructions' | undefined }) => {
    const { workspace } = principal;
    const key = keyOf(workspace, callId.require(id));
    const found = existing('call', await db.get(store.findListedCalls, key));
    const call = callOf(found);
    return include ? { ...call, instructions: await instructionsOf(db, principal, found) } : call;
  },
);

/** The instructions of a call have the contact's values. */
const instructionsOf = async (
  db: Db,
  principal: Principal,
  { contact_id, instructions_sha256: sha256 }: store.ListedCall,
) => {
  assertAlso(principal, 'agents:read', 'contacts:read');
  if (sha256 === null) return null;
  const text = contact_id ? await storedText(db, principal, { contact_id, sha256 }) : undefined;
  return { sha256, text: text ?? null };
};

/** Runs with the calls of deleted contacts. */
export const callErasure = cascade<[db: Db, principal: Principal, calls: readonly { id: string }[]]>();

/** Removes a deleted contact, its number, what was said and what users added from its calls and sessions. The snapshots of the events have none of it, so they remain
 *  when those about the contact are erased. Dispositions and goals stay for statistics. */
export const unlinkCalls = async (db: Db, principal: Principal, contacts: readonly DeletedContact[]) => {
  const { workspace } = principal;
  const deleted = new Set(contacts.map(({ id }) => id));
  const args = {
    workspace,
    contacts: JSON.stringify([...deleted]),
    identities: JSON.stringify(contacts.flatMap(({ numbers }) => numbers)),
  };
  const calls = await db.all(store.selectCallsOfContactsForUpdate, args);
  await db.run(unlinkSessions, args);
  await db.run(store.clearIdentities, { workspace, keys: args.contacts });
  if (calls.length === 0) return;
  const ids = JSON.stringify(calls.map((call) => call.id));
  await callErasure.run(db, principal, calls);
  await db.run(store.unlinkCallRows, { workspace, ids });
  await db.run(deleteTranscripts, { workspace, ids });
  await db.run(deleteTexts, { workspace, ids });
  await deleteTags(db, workspace, calls);
  const linked = new Set(calls.filter(({ contact_id }) => contact_id !== null).map((call) => call.id));
  // A session can have linked a call after its first events, which do not name the contact.
  const others = calls
    .filter(({ contact_id, session_id }) => session_id !== null || !deleted.has(contact_id ?? ''))
    .map((call) => call.id);
  if (others.length > 0) eraseCallEvents(db, principal, others);
  for (const row of await db.all(store.findListedCalls, { workspace, ids })) {
    const fields = linked.has(row.id) ? ['contact_id', 'number'] : ['number'];
    const event = snapshotOf(row);
    change(db, principal, { action: 'call.updated', subject: row.id, isAudited: false, fields, event });
  }
};
