import type { Db } from '../../db/db.ts';
import { longRead, read, write } from '../../db/operation.ts';
import { scheduleJob } from '../../jobs/job.service.ts';
import { timestamp, timestampAfter } from '../../lib/clock.ts';
import { conflict, existing, invalidField } from '../../lib/errors.ts';
import { assertUpdatableMatches, type IfMatch, type JsonWithEtag, tagInParts } from '../../lib/etag.ts';
import { typeId } from '../../lib/ids.ts';
import { type Page, pageOf, pageRequestOf } from '../../lib/page.ts';
import type { Action } from '../../records/actions.ts';
import { change } from '../../records/change.ts';
import { equalTo } from '../../records/list.declaration.ts';
import { getAgent } from '../agents/agent.service.ts';
import { getCampaign } from '../campaigns/campaign.service.ts';
import { lastPosition } from '../events/event.sequence.ts';
import { assertAlso } from '../workspaces/access.guard.ts';
import { encryptedColumns } from '../workspaces/encrypted-columns.ts';
import { deleteHook, insertHook } from '../workspaces/hook.store.ts';
import { assertKeyCheck } from '../workspaces/key-check.ts';
import type { ById, Principal } from '../workspaces/principal.ts';
import { secretOperations } from '../workspaces/secret.operations.ts';
import { restartDeliveries, unblockDeliveries } from './delivery.store.ts';
import {
  type WebhookCreate,
  type WebhookQuery,
  type WebhookUpdate,
  webhookUpdate,
} from './webhook.schema.ts';
import * as store from './webhook.store.ts';

export const webhookId = typeId('webhook');

const MAX_ENDPOINTS = 100;

/** A replay of failed events has no last position. */
const replayOf = ({ replay_next, replay_until, replay_failed, failed }: store.ListedEndpoint) =>
  replay_next === null || replay_until === null
    ? null
    : { remaining: replay_failed ? Number(failed) : Math.max(replay_until - replay_next + 1, 0) };

const webhookOf = (row: store.ListedEndpoint) => ({
  id: row.id,
  url: row.url,
  description: row.description,
  types: row.types === null ? null : (JSON.parse(row.types) as string[]),
  tag: row.filter_tag,
  agent_id: row.filter_agent_id,
  campaign_id: row.filter_campaign_id,
  payload: row.payload,
  include: JSON.parse(row.include) as string[],
  ordered: row.ordered === 1,
  max_concurrency: row.max_concurrency,
  rate_per_second: row.rate_per_second,
  status: row.status,
  disabled_reason: row.disabled_reason,
  old_secret_expires_at: row.old_secret_expires_at,
  created_at: row.created_at,
  updated_at: row.updated_at,
  failing_since: row.failing_since,
  last_delivery_at: row.last_delivery_at,
  pending_deliveries: Number(row.pending),
  failed_deliveries: Number(row.failed),
  replay: replayOf(row),
});
export type Webhook = ReturnType<typeof webhookOf>;

/** The tag of what an update can change, and one of what deliveries change. */
const tagOf = (webhook: Webhook): string => {
  const { failing_since, last_delivery_at, pending_deliveries, failed_deliveries, replay, ...settings } =
    webhook;
  const health = [failing_since, last_delivery_at, pending_deliveries, failed_deliveries, replay];
  return tagInParts(settings, health);
};

export const webhookWithEtag = (webhook: Webhook): JsonWithEtag => ({
  json: JSON.stringify(webhook),
  etag: tagOf(webhook),
});

const planOf = (filters: { id?: string; status?: string | undefined }) =>
  store.endpointList.plan(equalTo(filters), 'newest');

export const getWebhook = read(
  'getWebhook',
  async (db, { workspace }: Pick<Principal, 'workspace'>, { id }: ById): Promise<Webhook> => {
    const plan = planOf({ id: webhookId.require(id) });
    const page = { workspace, limit: 1 };
    const [found] = await store.endpointList.page(db, plan, store.listedEndpoints, page);
    return webhookOf(existing('webhook', found));
  },
);

/** The stored endpoint, with its encrypted secrets. */
export const findWebhook = async (db: Db, { workspace }: Principal, { id }: ById) =>
  existing('webhook', await db.get(store.findEndpoint, { workspace, id: webhookId.require(id) }));

/** Newest first. */
export const listWebhooks = longRead(
  'listWebhooks',
  async (db, { workspace }: Principal, query: WebhookQuery): Promise<Page> => {
    const plan = planOf({ status: query.status });
    const page = { workspace, ...pageRequestOf(query) };
    const rows = await store.endpointList.page(db, plan, store.listedEndpoints, page);
    return pageOf(rows.map(webhookOf), await store.endpointList.total(db, plan, workspace));
  },
);

type Changes = Partial<Omit<store.EndpointRow, 'workspace_id' | 'id' | 'created_at' | 'updated_at'>>;

const FILTERS: readonly string[] = ['tag', 'agent_id', 'campaign_id'];

/** The column of a field. */
const columnOf = (field: string) =>
  (FILTERS.includes(field) ? `filter_${field}` : field) as keyof store.EndpointRow;

const storedValue = (value: unknown) =>
  Array.isArray(value) ? JSON.stringify(value) : typeof value === 'boolean' ? Number(value) : value;

/** The columns of the fields that a request has. */
const columnsOf = (fields: WebhookUpdate): Changes =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [columnOf(name), storedValue(value)]));

/** A filter by a record that does not exist would select nothing. Returns the fields with the ids in their usual form. */
const checkFilter = async (db: Db, principal: Principal, fields: WebhookUpdate): Promise<WebhookUpdate> => {
  const { agent_id, campaign_id } = fields;
  if (agent_id) await getAgent(db, principal, { id: agent_id });
  const campaign = campaign_id ? await getCampaign(db, principal, { id: campaign_id }) : undefined;
  return {
    ...fields,
    ...(agent_id && { agent_id: agent_id.toLowerCase() }),
    ...(campaign && { campaign_id: campaign.id }),
  };
};

/** Snapshots of events have no values of fields, so a key that gets them from a webhook needs the scope of contacts, too. */
export const assertMayInclude = (
  principal: Principal,
  { include }: Pick<store.EndpointRow, 'include'>,
): void => {
  if (include !== '[]') assertAlso(principal, 'contacts:read');
};

const ONLY_THE_SERVICE = 'can be set to disabled only by the service. To stop deliveries, send paused.';

/** The secret is already encrypted. */
type NewWebhook = WebhookCreate & { id: string; secret_sealed: string; check: string };

/** The lock of the key check makes the count exact. */
const assertRoom = async (db: Db, workspace: number): Promise<void> => {
  if ((await store.endpointList.total(db, planOf({}), workspace)) < MAX_ENDPOINTS) return;
  throw conflict(
    `A workspace can have ${MAX_ENDPOINTS} webhooks. Delete one that you no longer need, or use one for several types of events.`,
  );
};

export const createWebhook = write('createWebhook', async (db, principal: Principal, input: NewWebhook) => {
  const { id, secret_sealed, check, ...fields } = input;
  const { workspace } = principal;
  if (fields.status === 'disabled') throw invalidField('status', ONLY_THE_SERVICE);
  await assertKeyCheck(db, check);
  await assertRoom(db, workspace);
  const checked = await checkFilter(db, principal, fields);
  const now = timestamp();
  const position = await lastPosition(db, workspace);
  const row = {
    ...store.DEFAULTS,
    position,
    url: fields.url,
    ...columnsOf(checked),
    workspace_id: workspace,
    id,
    secret_sealed,
    created_at: now,
    updated_at: now,
  };
  assertMayInclude(principal, row);
  await db.run(store.insertEndpoint, row);
  await db.run(insertHook, { id, workspace_id: workspace });
  change(db, principal, { action: 'webhook.created', subject: id });
  return getWebhook(db, principal, { id });
});

type Which = { id: string; match?: IfMatch | undefined };

/** Locks the endpoint until the transaction ends, and checks the precondition of the request. */
export const lockWebhook = async (db: Db, principal: Principal, { id, match }: Which) => {
  const key = { workspace: principal.workspace, id: webhookId.require(id) };
  const found = existing('webhook', await db.get(store.lockEndpoint, key));
  if (match) assertUpdatableMatches('webhook', tagOf(await getWebhook(db, principal, { id })), match);
  return found;
};

/** What the audit log shows of a webhook. The path of a URL can be a secret. */
const settingsOf = ({ url, ...rest }: Webhook) => {
  const settings = Object.fromEntries(Object.entries(rest).filter(([name]) => name in webhookUpdate.fields));
  return { ...settings, url: new URL(url).origin };
};

export const changeWebhook = async (
  db: Db,
  principal: Principal,
  { id, match, action }: Which & { action: Action },
  next: (before: store.EndpointRow) => Changes,
): Promise<Webhook> => {
  const before = await lockWebhook(db, principal, { id, match });
  const settings = settingsOf(await getWebhook(db, principal, { id }));
  const row = { ...before, ...next(before), updated_at: timestampAfter(before.updated_at) };
  await db.run(store.updateEndpoint, row);
  const which = { workspace: principal.workspace, endpoint: before.id, now: timestamp() };
  if (before.status !== 'active' && row.status === 'active') await db.run(restartDeliveries, which);
  if (before.ordered === 1 && row.ordered === 0) await db.run(unblockDeliveries, which);
  const fields = Object.keys(webhookUpdate.fields).filter(
    (name) => before[columnOf(name)] !== row[columnOf(name)],
  );
  const webhook = await getWebhook(db, principal, { id });
  const values = { before: settings, after: settingsOf(webhook) };
  change(db, principal, { action, subject: before.id, fields, values });
  return webhook;
};

/** An endpoint that becomes active again starts without failures. */
const statusOf = (before: store.EndpointRow, fields: WebhookUpdate): Changes => {
  if (fields.status === undefined || fields.status === before.status) return {};
  if (fields.status === 'disabled') throw invalidField('status', ONLY_THE_SERVICE);
  return { disabled_reason: null, failing_since: null };
};

export const updateWebhook = write(
  'updateWebhook',
  async (db, principal: Principal, { id, match, ...fields }: WebhookUpdate & Which): Promise<Webhook> => {
    const checked = await checkFilter(db, principal, fields);
    return changeWebhook(db, principal, { id, match, action: 'webhook.updated' }, (before) => {
      const changes = { ...columnsOf(checked), ...statusOf(before, fields) };
      assertMayInclude(principal, { ...before, ...changes });
      return changes;
    });
  },
);

/** Events are signed with both secrets until the grace period ends. */
export const { rotate: rotateWebhookSecret, revoke: revokeOldWebhookSecret } = secretOperations({
  kind: 'webhook',
  columns: ['secret_sealed'],
  change: changeWebhook,
});

export const webhookEncryption = encryptedColumns({
  table: 'webhook_endpoints',
  columns: ['secret_sealed', 'old_secret_sealed'],
  since: 37,
  operations: ['listEncryptedWebhookSecrets', 'replaceEncryptedWebhookSecrets'],
});

/** A job deletes its deliveries and attempts in steps. */
export const deleteWebhook = write('deleteWebhook', async (db, principal: Principal, which: Which) => {
  const { workspace } = principal;
  const { id } = await lockWebhook(db, principal, which);
  await db.run(store.deleteEndpoint, { workspace, id });
  await db.run(deleteHook, { id });
  await scheduleJob(db, { workspace, kind: 'webhook.deleting', subject: id });
  change(db, principal, { action: 'webhook.deleted', subject: id });
});
