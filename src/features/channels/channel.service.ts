import type { Db } from '../../db/db.ts';
import { longRead, read, write } from '../../db/operation.ts';
import { pickColumns } from '../../db/statement.ts';
import { timestamp, timestampAfter } from '../../lib/clock.ts';
import { ApiError, existing } from '../../lib/errors.ts';
import { assertIfMatch, type IfMatch, withEtag } from '../../lib/etag.ts';
import { parseUuid, typeId } from '../../lib/ids.ts';
import { type Page, pageOf, pageRequestOf } from '../../lib/page.ts';
import type { Action } from '../../records/actions.ts';
import { change, changedFields, type Snapshot } from '../../records/change.ts';
import { equalTo } from '../../records/list.declaration.ts';
import { lockAgent } from '../agents/agent.service.ts';
import type { VersionText } from '../agents/agent.store.ts';
import { rendererFor, type Variables } from '../agents/render.service.ts';
import { type ContextRow, findInput } from '../agents/render.store.ts';
import { storedLately } from '../agents/rendering.service.ts';
import { contextOf } from '../agents/variable.service.ts';
import { shownFields } from '../contacts/contact.include.ts';
import { type ContactValues, contactOf } from '../contacts/contact.store.ts';
import { identityOf } from '../contacts/phone.identity.ts';
import { graceEnd } from '../workspaces/grace-period.ts';
import { deleteHook, insertHook, workspaceOfHook } from '../workspaces/hook.store.ts';
import { assertKeyCheck } from '../workspaces/key-check.ts';
import type { ById, Principal } from '../workspaces/principal.ts';
import { type AdapterName, assertAddress, type ChannelQuery, type ChannelUpdate } from './channel.schema.ts';
import * as store from './channel.store.ts';

export const channelId = typeId('channel');

const channelOf = ({ agent_id, agent_name, ...row }: store.ListedChannel) => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  address: row.address,
  adapter: row.adapter,
  agent: agent_id !== null && agent_name !== null ? { id: agent_id, name: agent_name } : null,
  old_secret_expires_at: row.old_secret_expires_at,
  old_platform_secret_expires_at: row.old_token_expires_at,
  created_at: row.created_at,
  updated_at: row.updated_at,
});
export type Channel = ReturnType<typeof channelOf>;

export const getChannel = read('getChannel', async (db, { workspace }: Principal, { id }: ById) => {
  const key = { workspace, id: channelId.require(id) };
  return channelOf(existing('channel', await db.get(store.findListedChannel, key)));
});

/** Newest first, optionally only those that an agent is connected to. */
export const listChannels = longRead(
  'listChannels',
  async (db, { workspace }: Principal, query: ChannelQuery): Promise<Page> => {
    const { agent_id = '' } = query;
    const plan = store.channelList.plan(equalTo({ agent: parseUuid(agent_id) ?? agent_id }), 'newest');
    const page = { workspace, ...pageRequestOf(query) };
    const rows = await store.channelList.page(db, plan, store.listedChannels, page);
    return pageOf(rows.map(channelOf), await store.channelList.total(db, plan, workspace));
  },
);

/** The secrets of a new channel are already hashed and encrypted. */
type NewChannel = Omit<store.NewChannelRow, 'workspace_id' | 'created_at' | 'updated_at' | 'adapter'> & {
  adapter?: AdapterName;
  check: string;
};

export const NO_OLD_TOKEN = { old_token_sealed: null, old_token_expires_at: null };

export const createChannel = write(
  'createChannel',
  async (db, principal: Principal, { check, ...input }: NewChannel): Promise<Channel> => {
    assertAddress(input.kind, input.address);
    await assertKeyCheck(db, check);
    const { workspace } = principal;
    const now = timestamp();
    const row = {
      adapter: 'native' as const,
      ...input,
      workspace_id: workspace,
      created_at: now,
      updated_at: now,
    };
    await db.run(store.insertChannel, row);
    await db.run(insertHook, { id: input.id, workspace_id: workspace });
    const channel = await getChannel(db, principal, input);
    change(db, principal, { action: 'channel.created', subject: input.id, event: snapshotOf(channel) });
    return channel;
  },
);

/** Locks the channel until the transaction ends, and checks the precondition of the request. */
const lockChannel = async (db: Db, principal: Principal, { id, match }: { id: string; match?: IfMatch }) => {
  const key = { workspace: principal.workspace, id: channelId.require(id) };
  const found = existing('channel', await db.get(store.lockChannel, key));
  if (match) assertIfMatch('channel', withEtag(await getChannel(db, principal, { id })).etag, match);
  return found;
};

type Changes = Partial<Omit<store.ChannelRow, 'workspace_id' | 'id' | 'kind' | 'created_at' | 'updated_at'>>;

/** The fields of the API whose columns a change can change. */
const API_FIELDS = {
  name: 'name',
  address: 'address',
  adapter: 'adapter',
  agent_id: 'agent',
  secret_hash: 'secret',
  token_sealed: 'platform_secret',
  old_secret_expires_at: 'old_secret_expires_at',
  old_token_expires_at: 'old_platform_secret_expires_at',
} as const;
const CHANGED = Object.keys(API_FIELDS) as (keyof typeof API_FIELDS)[];

/** Those whose values the audit log shows. */
const SETTINGS = ['name', 'address', 'adapter', 'agent_id'] as const;

/** `agent` is the one that was disconnected. */
const snapshotOf = (channel: Channel, agent: string | null = null): Snapshot => ({
  agent: channel.agent?.id ?? agent,
  data: JSON.stringify(channel),
});

export const changeChannel = async (
  db: Db,
  principal: Principal,
  { id, match, action }: { id: string; match?: IfMatch; action: Action },
  wanted: Changes | ((before: store.ChannelRow) => Changes),
): Promise<Channel> => {
  const before = await lockChannel(db, principal, { id, match });
  const changes = typeof wanted === 'function' ? wanted(before) : wanted;
  const row = { ...before, ...changes, updated_at: timestampAfter(before.updated_at) };
  if (row.address !== before.address) assertAddress(row.kind, row.address);
  await db.run(store.updateChannel, row);
  const fields = changedFields<store.ChannelRow>(before, row, SETTINGS);
  if (changes.token_sealed !== undefined) fields.push('platform_secret');
  const channel = await getChannel(db, principal, { id });
  const values = { before: pickColumns(before, SETTINGS), after: pickColumns(row, SETTINGS) };
  const changed = CHANGED.filter((name) => before[name] !== row[name]).map((name) => API_FIELDS[name]);
  const shown = { ...snapshotOf(channel, before.agent_id), changed };
  const event = { type: 'channel.updated', ...shown } as const;
  change(db, principal, { action, subject: before.id, fields, values, event });
  return channel;
};

interface ChannelChange {
  id: string;
  match?: IfMatch;
  fields: Omit<ChannelUpdate, 'platform_secret' | 'grace_hours'>;
  token?: { encrypted: string | null; check?: string; graceHours: number };
}

export const updateChannel = write(
  'updateChannel',
  async (db, principal: Principal, { fields, token, ...which }: ChannelChange): Promise<Channel> => {
    if (token?.check !== undefined) await assertKeyCheck(db, token.check);
    return changeChannel(db, principal, { ...which, action: 'channel.updated' }, (before) => {
      // The secret of one platform must not prove the requests of another one.
      const isMoved = fields.adapter !== undefined && fields.adapter !== before.adapter;
      const hasOld = before.token_sealed !== null;
      const old =
        hasOld && !isMoved && token && token.graceHours > 0
          ? { old_token_sealed: before.token_sealed, old_token_expires_at: graceEnd(token.graceHours) }
          : NO_OLD_TOKEN;
      const isReplaced = token !== undefined || (isMoved && hasOld);
      return { ...fields, ...(isReplaced && { token_sealed: token?.encrypted ?? null, ...old }) };
    });
  },
);

/** Replaces the connected agent. */
export const connectAgent = write(
  'connectAgent',
  async (db, principal: Principal, { id, agent }: { id: string; agent: string }) => {
    const { id: agent_id } = await lockAgent(db, principal, agent);
    return changeChannel(db, principal, { id, action: 'channel.connected' }, { agent_id });
  },
);

export const disconnectChannel = write('disconnectAgent', (db, principal: Principal, { id }: ById) =>
  changeChannel(db, principal, { id, action: 'channel.disconnected' }, { agent_id: null }),
);

/** The calls of the channel remain. */
export const deleteChannel = write(
  'deleteChannel',
  async (db, principal: Principal, which: { id: string; match?: IfMatch }): Promise<void> => {
    const { id, agent_id } = await lockChannel(db, principal, which);
    await db.run(store.deleteChannel, { workspace: principal.workspace, id });
    await db.run(deleteHook, { id });
    change(db, principal, { action: 'channel.deleted', subject: id, event: { agent: agent_id } });
  },
);

/** Disconnects a deleted agent from its channels. */
export const disconnectDeleted = async (db: Db, principal: Principal, { id }: ById): Promise<void> => {
  const { workspace } = principal;
  const rows = await db.all(store.disconnectAgent, { workspace, agent: id, at: timestamp() });
  for (const row of rows) {
    const channel = channelOf({ ...row, agent_id: null, agent_name: null });
    const event = { ...snapshotOf(channel, id), changed: ['agent'] };
    change(db, principal, { action: 'channel.updated', subject: row.id, isAudited: false, event });
  }
};

/** Finds the channel of a hook by its id alone, to authenticate the caller. */
export const findHookChannel = read('findHookChannel', async (db, _: null, input: ById) => {
  const id = channelId.parse(input.id);
  return id ? db.get(store.findChannel, { workspace: await workspaceOfHook(db, id), id }) : undefined;
});

/** The agent of a channel now. The guard may have read it up to half a second ago. */
export const agentNow = async (db: Db, { workspace }: Principal, id: string): Promise<string | null> =>
  existing('channel', await db.get(store.findAgentOfChannel, { workspace, id })).agent_id;

/** Reads the channel in the transaction that records a call; throws if it was deleted in the meantime. */
export const requireChannel = async (db: Db, { workspace }: Principal, id: string) =>
  existing('channel', await db.get(store.findChannel, { workspace, id }));

/** A version with what its renderings read besides the contact: enough to render it without the database. Plain data. */
export interface RenderableVersion extends VersionText {
  readonly agent_id: string;
  readonly context: ContextRow;
}

const VERSION_TEXT = ['id', 'version_label', 'instructions', 'config', 'config_sha256'] as const;

interface RenderRequest {
  readonly agent: string | null;
  /** The phone identity of the other party, if it has one, or the id of the contact. */
  readonly identity?: string | undefined;
  readonly contact?: string | undefined;
  readonly variables?: Variables | undefined;
  /** By default the deployed version. */
  readonly version?: string | undefined;
}

/** Renders a version for a contact, or for none: the deployed version of the agent, or a named one, also if the agent has been deleted. */
export const renderFor = async (
  db: Db,
  principal: Principal,
  { agent, identity, contact, variables, version: named }: RenderRequest,
) => {
  if (agent === null)
    throw new ApiError('NOT_FOUND', 'This channel has no agent. Connect one in the dashboard.');
  const by = [
    named === undefined ? 'deployed' : 'id',
    contact === undefined ? 'phone_identity' : 'id',
  ] as const;
  const wanted = { version: named ?? '', contact: contact ?? identity ?? '' };
  const since = storedLately();
  const row = await findInput(db, by, { workspace: principal.workspace, agent, since, ...wanted });
  if (!row?.version || (named === undefined && row.agent_deleted_at !== null))
    throw new ApiError('NOT_FOUND', "This channel's agent has no deployed version. Deploy one.");
  const { render, version: text } = await rendererFor(db, principal, { version: row.version, row });
  const { variables: declared, time_zone, types } = row;
  const version: RenderableVersion = {
    agent_id: agent,
    ...pickColumns(text, VERSION_TEXT),
    context: { variables: declared, time_zone, types },
  };
  const found = row.id === null ? null : row;
  const rendering = render(found, variables);
  /** Whether the text need not be stored for the contact. */
  const isStored = found === null || row.stored?.includes(rendering.sha256) === true;
  return { version, contact: found && shownContact(found, row), ...rendering, isStored };
};

/** A contact with its CRM ids and fields. */
const shownContact = (found: ContactValues, row: ContextRow) => {
  const fields = shownFields(found.fields, (name) => contextOf(row).fields.get(name) === '');
  return { ...contactOf(found), crm_ids: JSON.parse(found.crm_ids), fields };
};

/** The deployed version, rendered for the caller with a number, in any format. `near` is the channel's address. */
export const renderOnChannel = read(
  'renderOnChannel',
  (
    db,
    principal: Principal,
    { agent, number, near }: { agent: string | null; number: string; near: string },
  ) => renderFor(db, principal, { agent, identity: identityOf(number, near) }),
);
