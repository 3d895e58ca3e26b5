import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { timestamp } from '../../lib/clock.ts';
import { change, changedFields } from '../../records/change.ts';
import { activeVersion } from '../agents/deploy.service.ts';
import { findActiveIdAt } from '../agents/deploy.store.ts';
import { requireChannel } from '../channels/channel.service.ts';
import { recordContactSeen } from '../contacts/contact.seen.ts';
import { identityOf } from '../contacts/phone.identity.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { CallEvent } from './call.schema.ts';
import { callId, findSnapshot } from './call.service.ts';
import * as store from './call.store.ts';
import { assertPast, endOf, isProgress, startOf } from './call.times.ts';

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
