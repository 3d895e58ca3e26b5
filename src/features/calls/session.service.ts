import type { Db } from '../../db/db.ts';
import { type Call, type Outcome, read, write } from '../../db/operation.ts';
import { expiring } from '../../jobs/expiry.ts';
import { timestamp } from '../../lib/clock.ts';
import type { Encryptor } from '../../lib/encryption.ts';
import { ApiError, conflict, TransactionConflict } from '../../lib/errors.ts';
import { type Rendering, renderWithout } from '../agents/render.service.ts';
import { type NewRendering, storedText, storeRenderings } from '../agents/rendering.service.ts';
import { mergeVariables, parseVariables } from '../agents/variable.values.ts';
import { agentNow, type RenderableVersion, renderFor } from '../channels/channel.service.ts';
import { lockByAnyForm } from '../contacts/contact.holder.ts';
import { lockOrCreateContact } from '../contacts/contact.seen.ts';
import { shareContacts } from '../contacts/contact.store.ts';
import { attestIdentity, findIdentity } from '../contacts/identity.people.ts';
import { identityValue } from '../contacts/identity.schema.ts';
import { identityOf } from '../contacts/phone.identity.ts';
import type { Principal } from '../workspaces/principal.ts';
import { findRecent } from './call.store.ts';
import { createDegradedId, sessionId } from './session.find.ts';
import type { SessionCreate } from './session.schema.ts';
import * as store from './session.store.ts';

export interface SessionInput extends SessionCreate {
  readonly channel: string;
  /** The channel's agent and address. */
  readonly agent: string | null;
  readonly near: string;
}

/** What a runtime gets, apart from texts that are JSON already. */
interface Shown extends Rendering {
  readonly session_id: string;
  readonly version: RenderableVersion;
  readonly contact: object | null;
  readonly variables: string | null;
  readonly recent: readonly object[];
}

const jsonOf = (shown: Shown, degraded = false): string => {
  const { session_id, contact, text: instructions, sha256, holes, variables, recent } = shown;
  const { agent_id, id, version_label, config } = shown.version;
  const version = { id, version_label };
  const head = { session_id, contact, agent_id, version, instructions, sha256, holes };
  const rest = `"variables":${variables ?? '{}'},"recent":${JSON.stringify(recent)},"degraded":${degraded}`;
  return `${JSON.stringify(head).slice(0, -1)},"config":${config},${rest}}`;
};

/** The same request again returns the same session. Another one with its provider id must not get the text for someone else. */
const assertSame = (known: store.SessionRow, { direction, number, near }: SessionInput): void => {
  const identity = identityOf(number ?? '', near);
  const isOther =
    known.number_identity !== null && identity !== undefined && known.number_identity !== identity;
  if (known.direction === direction && !isOther) return;
  throw conflict(
    `This provider_id belongs to a session with another ${isOther ? 'number' : 'direction'}. Send another provider_id for another call.`,
    { session_id: known.id },
  );
};

const recentOf = async (db: Db, { workspace }: Principal, input: SessionInput, contact: string | null) => {
  const { channel, provider_id } = input;
  return contact === null ? [] : db.all(findRecent, { workspace, contact, channel, provider_id });
};

/** The session that has the provider id of a request, as JSON, with its version and its text as they were. A text that has expired is
 *  rendered again. */
const knownSession = async (
  db: Db,
  principal: Principal,
  input: SessionInput,
): Promise<string | undefined> => {
  const { workspace } = principal;
  const { channel, provider_id } = input;
  const known = await db.get(store.findByProvider, { workspace, channel, provider_id });
  if (!known) return undefined;
  assertSame(known, input);
  const { id: session_id, agent_id: agent, version_id: version, contact_id, variables } = known;
  const values = parseVariables(variables);
  const contact = contact_id ?? undefined;
  const again = await renderFor(db, principal, { agent, version, contact, variables: values });
  const sha256 = known.instructions_sha256;
  const isOther = contact_id !== null && sha256 !== null && sha256 !== again.sha256;
  const text = isOther ? await storedText(db, principal, { contact_id, sha256 }) : undefined;
  const kept = text !== undefined && {
    text,
    sha256: sha256 as string,
    holes: JSON.parse(known.holes ?? '[]') as string[],
  };
  const recent = await recentOf(db, principal, input, contact_id);
  return jsonOf({ ...again, ...kept, session_id, variables, recent });
};

const userOf = ({ user }: SessionInput) =>
  user && { kind: user.kind, value: identityValue(user.kind, user.value) };

/** A new session. It is not stored yet. */
const newSession = async (db: Db, principal: Principal, input: SessionInput, named?: string) => {
  const { workspace } = principal;
  const { channel, agent, near, provider_id, direction, number } = input;
  const identity = identityOf(number ?? '', near);
  const variables = mergeVariables(null, input.variables ?? {});
  const values = parseVariables(variables);
  const user = userOf(input);
  const held = user && (await findIdentity(db, principal, user));
  // The number, if there is one, says who it is.
  const known = identity === undefined ? (held?.contact_id ?? undefined) : undefined;
  const who = { identity, contact: known };
  const rendered = await renderFor(db, principal, { agent, ...who, version: named, variables: values });
  const { version, contact, values: inserted, sha256, holes, isStored } = rendered;
  const contact_id = contact?.id ?? null;
  const row: store.SessionRow = {
    workspace_id: workspace,
    id: sessionId.create(),
    channel_id: channel,
    provider_id,
    agent_id: version.agent_id,
    version_id: version.id,
    contact_id,
    direction,
    number: identity === undefined ? null : (number ?? null),
    number_identity: identity ?? null,
    variables,
    instructions_sha256: sha256,
    holes: JSON.stringify(holes),
    at: timestamp(),
  };
  const recent = await recentOf(db, principal, input, contact_id);
  const rendering: NewRendering | undefined =
    isStored || contact_id === null
      ? undefined
      : { contact_id, version_id: row.version_id, sha256, values: inserted };
  const json = jsonOf({ ...rendered, session_id: row.id, variables, recent });
  const isNew = direction === 'inbound' && identity !== undefined && contact_id === null;
  const isAttested = user === undefined || (held && (held.contact_id !== null || identity === undefined));
  const mustCreate = isNew || !isAttested;
  return { version, row, rendering, json, mustCreate };
};

/** Reads what a session needs. Only the write of its row is left, unless the contact does not exist yet. The write finds out whether the
 *  session exists, so that a new one needs one read less. */
export const prepareSession = read(
  'prepareSession',
  async (db, principal: Principal, input: SessionInput) => {
    // Both reads begin together. The agent of the input may be half a second old.
    const prepared = newSession(db, principal, input);
    const ended = prepared.catch(() => {});
    try {
      const agent = await agentNow(db, principal, input.channel);
      if (agent === input.agent) return { isNew: true as const, ...(await prepared) };
      await ended;
      return { isNew: true as const, ...(await newSession(db, principal, { ...input, agent })) };
    } catch (error) {
      await ended;
      // The agent may have been disconnected since the session was started.
      const isMissing = error instanceof ApiError && error.code === 'NOT_FOUND';
      const json = isMissing && (await knownSession(db, principal, input));
      if (json) return { isNew: false as const, json };
      throw error;
    }
  },
);

interface Start {
  readonly input: SessionInput;
  /** The one that the session has, also if another one has been deployed since it was prepared. */
  readonly version: string;
  /** Undefined if the contact has to be created first. */
  readonly prepared: Pick<Awaited<ReturnType<typeof newSession>>, 'row' | 'rendering'> | undefined;
}

/** The session as JSON; null if it is the prepared one. */
type Started = { readonly isNew: boolean; readonly json: string | null };

const inOrder = ({ channel_id, provider_id }: store.SessionRow) => `${channel_id} ${provider_id}`;

/** Stores prepared sessions. One whose provider id is known, or whose contact has been deleted meanwhile, runs alone. */
const storePrepared = async (
  db: Db,
  calls: readonly Call<Principal, Start>[],
): Promise<(Outcome<Started> | undefined)[]> => {
  const { workspace } = (calls[0] as Call<Principal, Start>).principal;
  const prepared = calls.flatMap(({ input }) => input.prepared ?? []);
  const ids = prepared.flatMap(({ row }) => row.contact_id ?? []);
  const existing = new Set<string | null>([null]);
  if (ids.length > 0)
    for (const { id } of await db.all(shareContacts, { workspace, keys: JSON.stringify(ids) }))
      existing.add(id);
  const usable = prepared.filter(({ row }) => existing.has(row.contact_id));
  const rows = usable.map(({ row }) => row).sort((one, other) => (inOrder(one) < inOrder(other) ? -1 : 1));
  const inserted = await Promise.all(rows.length === 0 ? [] : db.insertRows(store.insertSessions, rows));
  const stored = new Set(inserted.flat().map(({ id }) => id));
  const renderings = usable.flatMap(({ row, rendering }) =>
    rendering && stored.has(row.id) ? [[`${row.contact_id} ${rendering.sha256}`, rendering] as const] : [],
  );
  if (renderings.length > 0) await storeRenderings(db, { workspace }, [...new Map(renderings).values()]);
  return calls.map(({ input: { prepared: each } }) =>
    each && stored.has(each.row.id) ? { value: { isNew: true, json: null } } : undefined,
  );
};

/** Stores a session. The same provider id on the channel is the same session, also in concurrent requests. */
export const startSession = write(
  'startSession',
  async (db, principal: Principal, { input, version }: Start): Promise<Started> => {
    const known = await knownSession(db, principal, input);
    if (known) return { isNew: false, json: known };
    const { number, near, direction } = input;
    const phone_number = identityOf(number ?? '', near);
    const user = userOf(input);
    const source = { source: 'inbound', fields: { phone_number: phone_number ?? '' } } as const;
    const contact =
      phone_number === undefined
        ? undefined
        : direction === 'inbound' || user
          ? (await lockOrCreateContact(db, principal, source, { lock: lockByAnyForm })).contact
          : await lockByAnyForm(db, principal, phone_number);
    const held = user && (await findIdentity(db, principal, user));
    if (user && (contact || held?.contact_id == null))
      await attestIdentity(db, principal, user, contact?.id ?? null);
    const { row, rendering, json } = await newSession(db, principal, input, version);
    const [inserted] = await Promise.all(db.insertRows(store.insertSessions, [row]));
    if (inserted?.length !== 1)
      throw new TransactionConflict('Another request is starting this session. Retry.');
    if (rendering) await storeRenderings(db, principal, [rendering]);
    return { isNew: true, json };
  },
  { runMany: storePrepared },
);

/** A session that is not stored, without personal data. */
export const degradedSession = (
  encryptor: Pick<Encryptor, 'sign'>,
  version: RenderableVersion,
  input: SessionInput,
) => {
  const variables = mergeVariables(null, input.variables ?? {});
  const rendering = renderWithout(version, version.context, parseVariables(variables));
  const session_id = createDegradedId(encryptor, input.channel, version.id);
  const shown = { session_id, version, contact: null, ...rendering, variables, recent: [] };
  return { isNew: true, json: jsonOf(shown, true) };
};

export const expireSessions = expiring('expireSessions', store.deleteSessionsBefore);
