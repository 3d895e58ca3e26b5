import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { timestamp } from '../../lib/clock.ts';
import { type Problem, TransactionConflict } from '../../lib/errors.ts';
import { change, changedFields } from '../../records/change.ts';
import { activeVersion } from '../agents/deploy.service.ts';
import { findActiveIdAt } from '../agents/deploy.store.ts';
import { requireChannel } from '../channels/channel.service.ts';
import { recordContactSeen } from '../contacts/contact.seen.ts';
import { selectContactForUpdate } from '../contacts/contact.store.ts';
import { attestIdentity, findIdentity } from '../contacts/identity.people.ts';
import { identityValue } from '../contacts/identity.schema.ts';
import { identityOf } from '../contacts/phone.identity.ts';
import { lockFields } from '../fields/field.store.ts';
import type { Definitions } from '../fields/field.values.ts';
import type { Principal } from '../workspaces/principal.ts';
import { updateDerivedOfCall } from './call.derived.ts';
import type { CallEvent } from './call.schema.ts';
import { callId, findSnapshot } from './call.service.ts';
import * as store from './call.store.ts';
import { assertPast, endOf, isProgress, startOf } from './call.times.ts';
import { assertDisposition, getCallSettings } from './call-settings.service.ts';
import { applyRules } from './field-rules.ts';
import { outcomeCounters } from './outcome.store.ts';
import { mergeResult, newData, noResult } from './result.merge.ts';
import { type Pin, requireSession } from './session.find.ts';
import { findByProvider } from './session.store.ts';

/** What a report did. `skipped_fields` are those of the contact that a rule could not write. */
const resultOfReport = (
  effect: 'recorded' | 'updated' | 'none',
  { id, contact_id }: Pick<store.CallRow, 'id' | 'contact_id'>,
  skipped: readonly Problem[] = [],
) => ({ id, contact_id, effect, ...(skipped.length > 0 && { skipped_fields: skipped }) });

/** A report with what it needs of the workspace, read before any lock of a contact. */
const readReport = async (
  db: Db,
  principal: Principal,
  { channel, event }: { channel: string; event: CallEvent },
) => {
  const { workspace } = principal;
  const { provider_id, session_id } = event;
  const [{ address, agent_id: agent }, session] = await Promise.all([
    requireChannel(db, principal, channel),
    session_id === undefined ? db.get(findByProvider, { workspace, channel, provider_id }) : undefined,
  ]);
  const pin: Pin | undefined =
    session_id === undefined ? session : await requireSession(db, principal, { channel, session_id });
  const needsSettings = event.disposition !== undefined || event.data !== undefined;
  const settings = needsSettings ? await getCallSettings(db, principal) : undefined;
  const sent = event.data ?? {};
  const rules = settings?.field_rules.filter(({ data }) => Object.hasOwn(sent, data)) ?? [];
  const definitions: Definitions = rules.length > 0 ? await lockFields(db, workspace) : new Map();
  return { channel, address, agent, event, pin, settings, rules, definitions };
};

type Report = Awaited<ReturnType<typeof readReport>>;

/** Records a provider's report of a call or a message. The same provider id is the same call: a later report updates it, and
 *  a repeated one changes nothing. */
export const recordCall = write(
  'recordCall',
  async (db, principal: Principal, input: { channel: string; event: CallEvent }) => {
    const report = await readReport(db, principal, input);
    if (report.event.user) await attestKnown(db, principal, report);
    const known = await lockKnown(db, principal, report);
    return known ? updateCall(db, principal, known, report) : insertCall(db, principal, report);
  },
);

/** Who a call is about: the contact, whose times it extends, and the identity of a user. With a number, the number says who it is. */
const partyOf = async (
  db: Db,
  principal: Principal,
  { address, event: { user: sent, number = '', direction } }: Pick<Report, 'address' | 'event'>,
  { id, at, isReported }: { id: string | null | undefined; at: string; isReported: boolean },
) => {
  const user = sent && { kind: sent.kind, value: identityValue(sent.kind, sent.value) };
  const known = user && (await findIdentity(db, principal, user));
  const isNumber = identityOf(number, address) !== undefined;
  const contact_id = await recordContactSeen(db, principal, {
    id: id ?? (isNumber ? undefined : known?.contact_id),
    number,
    near: address,
    at,
    isReported,
    create: direction === 'inbound' || user !== undefined,
  });
  return { contact_id, identity_id: user ? await attestIdentity(db, principal, user, contact_id) : null };
};

/** Attests the user of a report about a known call, before the call is locked. */
const attestKnown = async (db: Db, principal: Principal, report: Report): Promise<void> => {
  const { channel, event, pin } = report;
  const key = { workspace: principal.workspace, channel, provider_id: event.provider_id };
  const known = await db.get(store.findCall, key);
  if (!known || store.isErased(known)) return;
  const { started_at: at, number } = known;
  const named = { ...report, event: { ...event, number: event.number ?? number ?? undefined } };
  const id = known.contact_id ?? pin?.contact_id;
  const { contact_id, identity_id } = await partyOf(db, principal, named, { id, at, isReported: true });
  if (known.identity_id === null || (known.contact_id === null && contact_id !== null))
    await db.run(store.identifyCall, { ...known, identity_id: known.identity_id ?? identity_id, contact_id });
};

/** Locks the call of a report if it is known, after the contact that the report can change: contacts come before calls. */
const lockKnown = async (
  db: Db,
  principal: Principal,
  { channel, address, event, pin, rules }: Report,
): Promise<store.CallRow | undefined> => {
  const { workspace } = principal;
  const key = { workspace, channel, provider_id: event.provider_id };
  if (!pin && rules.length === 0) return db.get(store.selectCallForUpdate, key);
  const seen = await db.get(store.findCall, key);
  if (!seen) return undefined;
  const attached = attachedTo(seen, pin).contact_id ?? null;
  const at = seen.started_at;
  const locked =
    attached === seen.contact_id
      ? rules.length === 0 ||
        attached === null ||
        (await db.get(selectContactForUpdate, { workspace, id: attached }))
      : // Another one, if the contact was merged since the session was read.
        (await recordContactSeen(db, principal, {
          id: attached,
          number: '',
          near: address,
          at,
          create: false,
        })) === attached;
  const known = await db.get(store.selectCallForUpdate, key);
  const isSame = known?.contact_id === seen.contact_id && known.session_id === seen.session_id;
  if (locked && isSame) return known;
  throw new TransactionConflict('Another request changed this call or its contact. Retry.');
};

const insertCall = async (
  db: Db,
  principal: Principal,
  { channel, address, agent, event, pin, settings, rules, definitions }: Report,
) => {
  const { workspace } = principal;
  assertPast(event);
  if (settings) assertDisposition(settings, event, null);
  // The contact was deleted during the conversation, which erased the hash, so nothing of it is stored again.
  const isErased = pin?.instructions_sha256 === null && !pin.isDegraded;
  const { number = null, user } = isErased ? {} : event;
  const start = startOf(event);
  const started_at = start ?? timestamp();
  const named = { address, event: { ...event, number: number ?? undefined, user } };
  const { contact_id, identity_id } = await partyOf(db, principal, named, {
    id: pin?.contact_id,
    at: started_at,
    isReported: start !== undefined,
  });
  const result = mergeResult({ ...noResult, medium: event.type, number, identity_id }, event);
  const isReported = event.started_at !== undefined;
  const version = pin?.version_id ?? (await versionAtStart(db, principal, agent, { start, isReported }));
  const data = newData(null, event.data);
  const skipped = await applyRules(db, principal, { contact: contact_id, rules, data, definitions });
  const reported = {
    workspace_id: workspace,
    id: callId.create(),
    channel_id: channel,
    contact_id,
    agent_id: pin?.agent_id ?? (version === undefined ? null : agent),
    version_id: version ?? null,
    medium: event.type,
    direction: event.direction,
    status: event.status ?? (event.type === 'message' ? 'completed' : 'in_progress'),
    number,
    number_identity: identityOf(number ?? '', address) ?? null,
    identity_id,
    provider_id: event.provider_id,
    started_at,
    ended_at: event.ended_at ?? null,
    seconds: event.seconds ?? null,
    instructions_sha256: isErased ? null : (event.instructions_sha256 ?? pin?.instructions_sha256 ?? null),
    session_id: pin?.id ?? null,
    ...result,
    note: null,
    tags: null,
  };
  const row: store.CallRow = { ...reported, ended_at: endOf(reported) };
  await db.run(store.insertCall, row);
  await updateDerivedOfCall(db, row);
  change(db, principal, {
    action: 'call.recorded',
    subject: row.id,
    event: await findSnapshot(db, workspace, row.id),
    counters: { after: [store.CALL_COUNTER, ...outcomeCounters(row)] },
  });
  return resultOfReport('recorded', row, skipped);
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

/** What a session pins of a call that was recorded without one. A call whose contact was deleted stays without a contact. */
const attachedTo = (known: store.CallRow, pin: Pin | undefined) => {
  const { session_id, agent_id, version_id, contact_id, instructions_sha256 } = known;
  if (!pin || session_id !== null)
    return { session_id, agent_id, version_id, contact_id, instructions_sha256 };
  const isErased = store.isErased(known);
  return {
    session_id: pin.id,
    agent_id: pin.agent_id,
    version_id: pin.version_id,
    contact_id: isErased ? null : (pin.contact_id ?? contact_id),
    instructions_sha256: instructions_sha256 ?? (isErased ? null : pin.instructions_sha256),
  };
};

/** Updates a known call from a report; a late report can still add its duration and its result. */
const updateCall = async (
  db: Db,
  principal: Principal,
  known: store.CallRow,
  { event, pin, settings, rules, definitions }: Report,
) => {
  assertPast(event, known);
  if (settings) assertDisposition(settings, event, known.disposition);
  const attached = attachedTo(known, pin);
  const reported = {
    ...known,
    status: event.status && isProgress(known, event.status) ? event.status : known.status,
    ended_at: event.ended_at ?? null,
    seconds: known.seconds ?? event.seconds ?? null,
  };
  const next = {
    ...known,
    ...attached,
    ...mergeResult(known, event),
    status: reported.status,
    ended_at: known.ended_at ?? endOf(reported),
    seconds: reported.seconds,
    instructions_sha256: store.isErased(known)
      ? known.instructions_sha256
      : (known.instructions_sha256 ?? event.instructions_sha256 ?? attached.instructions_sha256),
  };
  const data = newData(known.data, event.data);
  const skipped = await applyRules(db, principal, { contact: next.contact_id, rules, data, definitions });
  const fields = changedFields<store.CallRow>(known, next, store.UPDATED);
  if (fields.length === 0) return resultOfReport('none', known, skipped);
  await db.run(store.updateReported, next);
  await updateDerivedOfCall(db, next, known);
  const snapshot = await findSnapshot(db, principal.workspace, known.id);
  change(db, principal, {
    action: 'call.updated',
    subject: known.id,
    fields,
    event: snapshot,
    counters: { before: outcomeCounters(known), after: outcomeCounters(next) },
  });
  return resultOfReport('updated', next, skipped);
};
