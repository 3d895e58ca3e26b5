import type { Db } from '../../db/db.ts';
import { read, write } from '../../db/operation.ts';
import { timestamp } from '../../lib/clock.ts';
import { existing, invalidField } from '../../lib/errors.ts';
import { typeId } from '../../lib/ids.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import { change, changedFields, eraseCallEvents, type Snapshot } from '../../records/change.ts';
import { activeVersion } from '../agents/deploy.service.ts';
import { findActiveIdAt } from '../agents/deploy.store.ts';
import { findRendering } from '../agents/rendering.store.ts';
import { requireChannel } from '../channels/channel.service.ts';
import { nameOf } from '../contacts/contact.schema.ts';
import { recordContactSeen } from '../contacts/contact.seen.ts';
import type { DeletedContact } from '../contacts/contact.write.ts';
import { identityOf } from '../contacts/phone.identity.ts';
import { assertAlso } from '../workspaces/access.guard.ts';
import type { ById, Principal } from '../workspaces/principal.ts';
import {
  type ActivityQuery,
  type CallEvent,
  type CallStatus,
  callStatuses,
  finalStatuses,
} from './call.schema.ts';
import * as store from './call.store.ts';

export const callId = typeId('call');

/** Records a provider's report of a call or a message. The same provider id is the same call: a later report updates it, and
 *  a repeated one changes nothing. */
export const recordCall = write(
  'recordCall',
  async (db, principal: Principal, { channel, event }: { channel: string; event: CallEvent }) => {
    const { workspace } = principal;
    const { address, agent_id: agent } = await requireChannel(db, principal, channel);
    const { provider_id } = event;
    const known = await db.get(store.selectCallForUpdate, { workspace, channel, provider_id });
    if (known) return updateCall(db, principal, { known, event });
    assertPast(event);
    const start = startOf(event);
    const started_at = start ?? timestamp();
    const contact_id = await recordContactSeen(db, principal, {
      number: event.number,
      near: address,
      at: started_at,
      create: event.direction === 'inbound',
    });
    const isReported = event.started_at !== undefined;
    const version = await versionAtStart(db, principal, agent, { start, isReported });
    const reported = {
      workspace_id: workspace,
      id: callId.create(),
      channel_id: channel,
      contact_id,
      agent_id: version === undefined ? null : agent,
      version_id: version ?? null,
      medium: event.type,
      direction: event.direction,
      status: event.status ?? (event.type === 'message' ? 'completed' : 'in_progress'),
      number: event.number,
      number_identity: identityOf(event.number, address) ?? null,
      provider_id,
      started_at,
      ended_at: event.ended_at ?? null,
      seconds: event.seconds ?? null,
      instructions_sha256: event.instructions_sha256 ?? null,
    };
    const row: store.CallRow = { ...reported, ended_at: endOf(reported) };
    await db.run(store.insertCall, row);
    change(db, principal, {
      action: 'call.recorded',
      subject: row.id,
      event: await findSnapshot(db, workspace, row.id),
      counters: { after: [store.CALL_COUNTER] },
    });
    return { id: row.id, contact_id, effect: 'recorded' };
  },
);

/** When contacts had their first and last call or message. Their own times begin with the creation. */
export const getContactActivity = read(
  'getContactActivity',
  (db, { workspace }: Principal, { ids = [] }: ActivityQuery): MaybePromise<store.ActivityRow[]> =>
    db.all(store.findActivity, { workspace, contacts: JSON.stringify(ids) }),
);

const hasEnded = (status: CallStatus | undefined) => status !== undefined && finalStatuses.includes(status);

const plusSeconds = (at: string, seconds: number) => new Date(Date.parse(at) + seconds * 1_000).toISOString();

/** When a new call started, as reported or by its end and its duration; undefined for now. A call whose first report is its
 *  final one has just ended. */
const startOf = ({ started_at, ended_at, status, seconds = 0 }: CallEvent): string | undefined => {
  if (started_at !== undefined) return started_at;
  const end = ended_at ?? (hasEnded(status) && seconds > 0 ? timestamp() : undefined);
  return end && plusSeconds(end, -seconds);
};

/** When a call ended, as reported or by its start and its duration; null if unknown. A provider may report whole seconds or have
 *  another clock, so the reported end can be before the recorded start. */
const endOf = (
  call: Pick<store.CallRow, 'medium' | 'status' | 'started_at' | 'ended_at' | 'seconds'>,
): string | null => {
  const { medium, status, started_at, ended_at, seconds } = call;
  const isDerived = ended_at === null && medium === 'call' && hasEnded(status) && seconds !== null;
  const end = isDerived ? plusSeconds(started_at, seconds) : ended_at;
  const now = timestamp();
  const past = isDerived && end !== null && end > now ? now : end;
  return past !== null && past < started_at ? started_at : past;
};

const TOLERANCE_MS = 300_000;

/** A call in the future would remain the latest contact of its contact forever. */
const assertPast = (
  { started_at, ended_at }: Pick<CallEvent, 'started_at' | 'ended_at'>,
  known?: store.CallRow,
) => {
  const latest = new Date(Date.now() + TOLERANCE_MS).toISOString();
  for (const [field, at] of Object.entries({ started_at, ended_at })) {
    if (at !== undefined && at > latest) throw invalidField(field, 'must not be in the future.');
  }
  // The recorded start can be from the clock of the service, the end is from that of the caller.
  const start = started_at ?? known?.started_at;
  const earliest = started_at ?? (known && plusSeconds(known.started_at, -TOLERANCE_MS / 1_000));
  if (earliest !== undefined && ended_at !== undefined && ended_at < earliest)
    throw invalidField('ended_at', `must not be before the start of the call, ${start}.`);
};

/** The version of the channel's agent that was active when the call started. Without a reported start, the one that is active
 *  now counts if none was active then: the derived start is not exact. */
const versionAtStart = async (
  db: Db,
  principal: Principal,
  agent: string | null,
  { start, isReported }: { start: string | undefined; isReported: boolean },
) => {
  if (agent === null) return undefined;
  const args = { workspace: principal.workspace, agent, at: start ?? '' };
  const version = start === undefined ? undefined : (await db.get(findActiveIdAt, args))?.id;
  return version ?? (isReported ? undefined : (await activeVersion(db, principal, { agent }))?.id);
};

/** Statuses are declared in their order; all final ones are the same stage. Reports may arrive out of order; one of an earlier
 *  stage is ignored. */
const stageOf = (status: CallStatus): number =>
  hasEnded(status) ? callStatuses.length : callStatuses.indexOf(status);

/** A final status never changes, except that a sent message may still fail to be delivered. */
const isProgress = (known: store.CallRow, status: CallStatus): boolean =>
  stageOf(status) > stageOf(known.status) ||
  (known.medium === 'message' && known.status === 'completed' && status === 'failed');

/** Updates a known call from a report; a late report can still add its duration. */
const updateCall = async (
  db: Db,
  principal: Principal,
  { known, event }: { known: store.CallRow; event: CallEvent },
) => {
  assertPast(event, known);
  const reported = {
    ...known,
    status: event.status && isProgress(known, event.status) ? event.status : known.status,
    ended_at: event.ended_at ?? null,
    seconds: known.seconds ?? event.seconds ?? null,
  };
  const next = {
    workspace_id: known.workspace_id,
    id: known.id,
    status: reported.status,
    ended_at: known.ended_at ?? endOf(reported),
    seconds: reported.seconds,
    instructions_sha256: known.instructions_sha256 ?? event.instructions_sha256 ?? null,
  };
  const { id, contact_id } = known;
  const fields = changedFields<typeof next>(known, next, [
    'status',
    'ended_at',
    'seconds',
    'instructions_sha256',
  ]);
  if (fields.length === 0) return { id, contact_id, effect: 'none' };
  await db.run(store.updateProgress, next);
  const snapshot = await findSnapshot(db, principal.workspace, id);
  change(db, principal, { action: 'call.updated', subject: id, fields, event: snapshot });
  return { id, contact_id, effect: 'updated' };
};

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
});

const snapshotOf = (row: store.ListedCall): Snapshot => ({
  contact: row.contact_id,
  agent: row.agent_id,
  data: JSON.stringify(callOf(row)),
});

const keyOf = (workspace: number, id: string) => ({ workspace, ids: JSON.stringify([id]) });

/** The snapshot of a stored call. */
const findSnapshot = async (db: Db, workspace: number, id: string): Promise<Snapshot> =>
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
const instructionsOf = async (db: Db, principal: Principal, { id }: ById) => {
  assertAlso(principal, 'agents:read', 'contacts:read');
  const { workspace } = principal;
  const { contact_id, instructions_sha256: sha256 = null } =
    (await db.get(store.findInstructionsHash, { workspace, id })) ?? {};
  if (sha256 === null) return null;
  const stored = contact_id
    ? await db.get(findRendering, { workspace, contact: contact_id, sha256 })
    : undefined;
  return { sha256, text: stored?.text ?? null };
};

/** Removes a deleted contact and its number from its calls. The snapshots of the events have neither, so they remain when those
 *  about the contact are erased. */
export const unlinkCalls = async (db: Db, principal: Principal, contacts: readonly DeletedContact[]) => {
  const { workspace } = principal;
  const deleted = new Set(contacts.map(({ id }) => id));
  const calls = await db.all(store.selectCallsOfContactsForUpdate, {
    workspace,
    contacts: JSON.stringify([...deleted]),
    identities: JSON.stringify(contacts.flatMap(({ identity }) => identity ?? [])),
  });
  if (calls.length === 0) return;
  const ids = JSON.stringify(calls.map((call) => call.id));
  await db.run(store.unlinkCallRows, { workspace, ids });
  const linked = new Set(calls.filter(({ contact_id }) => contact_id !== null).map((call) => call.id));
  const others = calls.filter(({ contact_id }) => !deleted.has(contact_id ?? '')).map((call) => call.id);
  if (others.length > 0) eraseCallEvents(db, principal, others);
  for (const row of await db.all(store.findListedCalls, { workspace, ids })) {
    const fields = linked.has(row.id) ? ['contact_id', 'number'] : ['number'];
    const event = snapshotOf(row);
    change(db, principal, { action: 'call.updated', subject: row.id, isAudited: false, fields, event });
  }
};
