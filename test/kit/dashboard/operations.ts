import assert from 'node:assert/strict';
import { keysOf } from '../../../src/features/duplicates/duplicate.keys.ts';
import { duplicateId } from '../../../src/features/duplicates/duplicate.store.ts';
import { keyScopes } from '../../../src/lib/scopes.ts';
import { newPhone } from '../fixtures/factories.ts';
import { applyImport, planCsv } from '../imports/imports.ts';
import type { Json, TestService } from '../service/test-service.ts';
import { sendEvent } from '../webhooks/channel-hooks.ts';
import type { CheckedUser } from './checked-client.ts';
import { PASSWORD, PASSWORD_HASH } from './users.ts';

/** One record of every kind, linked to each other. */
export interface RecordSet {
  readonly agent: Json;
  readonly version: Json;
  readonly channel: Json;
  readonly contact: Json;
  /** A secondary number of the contact, and an id in another system. */
  readonly number: Json;
  readonly identity: Json;
  /** Of two other contacts. */
  readonly merge: Json;
  readonly field: { readonly key: string };
  readonly call: Json;
  readonly campaign: Json;
  readonly integration: Json;
  /** Paused, so that nothing is sent. */
  readonly webhook: Json;
  /** Of the webhook. Its `id` is its number. */
  readonly attempt: { readonly id: string };
  readonly key: Json;
  /** Includes the `token` of a sign-in link. */
  readonly user: Json;
  readonly event: { readonly id: string };
  readonly notice: { readonly id: string };
  /** A shared segment and a shared view: private ones would be hidden from others anyway. */
  readonly segment: Json;
  readonly view: Json;
  /** Queued, but not in the queue of jobs, so that it stays as it is. */
  readonly bulkJob: { readonly id: string };
  readonly endedBulkJob: { readonly id: string };
  readonly bulkExport: Json;
  /** Two contacts with the same email. */
  readonly duplicate: { readonly id: string };
  /** The user who made the records. */
  readonly maker: { readonly id: string; readonly email: string };
  /** Imports of the unchanged contact, so that none of them changes anything. There is one for each action, because
   *  an action runs in the background and the next must not wait for it. */
  readonly toReplan: Json;
  readonly toApply: Json;
  readonly toUndo: Json;
  readonly toDelete: Json;
}

let count = 0;
let days = 30;

/** No program listens there. */
const NOWHERE = 'http://127.0.0.1:9/';
const CHAT_MODEL = { url: NOWHERE, model: 'small', api_key: 'secret' };

const makeMerge = async ({ request }: CheckedUser): Promise<Json> => {
  const make = () => request('POST', '/contacts', { phone_number: newPhone() }, 201);
  const ids = { survivor_id: (await make()).id, other_ids: [(await make()).id] };
  const { plan_token } = await request('POST', '/merges', { ...ids, dry_run: true });
  return request('POST', '/merges', { ...ids, plan_token }, 201);
};

/** A webhook that sends nothing, and an attempt. */
const makeWebhook = async ({ database }: TestService, { request }: CheckedUser) => {
  const number = 1e12 + ++count;
  const webhook = await request('POST', '/webhooks', { url: NOWHERE, status: 'paused' }, 201);
  await database.query(
    `insert into webhook_attempts (workspace_id, seq, endpoint_id, event_seq, event_id, event_type, attempt, at, duration_ms,
      result, status, error, response_body, signature)
    select workspace_id, ${number}, id, 1, 'event', 'contact.created', 1, created_at, 5, 'failed', 500, 'Failed.', 'No', 'v1,'
    from webhook_endpoints where id = ?`,
    webhook.id,
  );
  return { webhook, attempt: { id: String(number) } };
};

/** A notice for all users of the workspace of an agent. */
const makeNotice = async ({ database }: TestService, agent: string) => {
  const id = `notice_${`0${++count}`.padStart(26, '0')}`;
  await database.query(
    `insert into notices (workspace_id, id, at, kind, audience, subject, name)
    select workspace_id, '${id}', created_at, 'campaign.finished', 'member', id, 'Spring' from agents where id = ?`,
    agent,
  );
  return { id };
};

/** A bulk job that no runner finds. */
const makeBulkJob = async (
  { database }: TestService,
  { request }: CheckedUser,
  status: 'queued' | 'canceled' = 'queued',
) => {
  const bulkExport = await request(
    'POST',
    '/bulk-jobs',
    { action: 'export', selection: { filter: { tag: 'none' } } },
    201,
  );
  await database.query(
    `update bulk_jobs set action = 'tag', parameters = '{}', status = ?, finished_at = ? where id = ?`,
    status,
    status === 'queued' ? null : bulkExport.finished_at,
    bulkExport.id,
  );
  return { id: bulkExport.id as string };
};

/** A group as the follower makes it. The follower has no job, so that the status of the list stays as it is. */
const makeDuplicate = async ({ database }: TestService, { request }: CheckedUser) => {
  const email = `same${++count}@world.example`;
  const contacts: Json[] = [];
  for (let at = 0; at < 2; at++)
    contacts.push(await request('POST', '/contacts', { phone_number: newPhone(), email }, 201));
  const facts = { phone_identity: null, identities: null, company: null, crm_ids: '{}', email };
  const names = { first_name: null, last_name: null, display_name: null };
  const [key = ''] = keysOf({ id: '', ...facts, ...names });
  for (const { id } of contacts)
    await database.query(
      `insert into duplicate_keys (workspace_id, key, contact_id) select workspace_id, ?, id from contacts where id = ?
      on conflict do nothing`,
      key,
      id,
    );
  const [first] = contacts;
  await database.query(
    `insert into duplicate_followers (workspace_id, followed_until) select workspace_id, 1000000000000 from contacts where id = ?
    on conflict do nothing`,
    first.id,
  );
  await database.query(
    `insert into duplicate_groups (workspace_id, id, key, reason, dismissed, created_at, updated_at)
    select workspace_id, ?, ?, 'same_email', 0, created_at, created_at from contacts where id = ? on conflict do nothing`,
    duplicateId.create(),
    key,
    first.id,
  );
  const [group] = await database.query('select id from duplicate_groups where key = ?', key);
  return { id: String(group?.id) };
};

export const makeRecordSet = async (service: TestService, owner: CheckedUser): Promise<RecordSet> => {
  const { request } = owner;
  const suffix = `${++count}`;
  const agent = await request('POST', '/agents', { name: `Agent ${suffix}`, instructions: 'Words.' }, 201);
  const [version] = (await request('GET', `/agents/${agent.id}`)).versions;
  await request('POST', `/agents/${agent.id}/versions/${version.id}/deploy`, { note: 'first' });
  const channel = await request(
    'POST',
    '/channels',
    { kind: 'phone', name: `Line ${suffix}`, address: newPhone() },
    201,
  );
  await request('PUT', `/channels/${channel.id}/agent`, { agent_id: agent.id });
  const contact = await request('POST', '/contacts', { phone_number: newPhone(), tags: ['world'] }, 201);
  const addIdentity = (kind: string, value: string) =>
    request('POST', `/contacts/${contact.id}/identities`, { kind, value }, 201);
  const report = await sendEvent(service, channel, {
    type: 'call',
    provider_id: `provider ${suffix}`,
    direction: 'inbound',
    number: contact.phone_number,
    goals: { visit: true },
  });
  assert.equal(report.status, 200, report.text);
  await request('PUT', '/chat-model', CHAT_MODEL);
  await request('PUT', '/call-settings', { dispositions: [], field_rules: [], transcript_days: 30 });
  const turns = [{ speaker: 'agent', text: 'Hello.', at: null }];
  await request('PUT', `/calls/${report.body.data.id}/transcript`, { turns });
  const campaign = await request(
    'POST',
    '/campaigns',
    { name: `Campaign ${suffix}`, agent_id: agent.id, status: 'active' },
    201,
  );
  await request('POST', `/campaigns/${campaign.id}/enrollments`, { contact_ids: [contact.id] });
  const { link, ...user } = await request('POST', '/users', { email: `user${suffix}@world.example` }, 201);
  await service.database.query('update users set password = ? where id = ?', PASSWORD_HASH, user.id);
  const plan = () => planCsv(owner, `Phone,Tags\n${contact.phone_number},world\n`);
  const field = { key: `field_${suffix}`, label: 'Field', type: 'text' };
  return {
    agent,
    version,
    channel,
    contact,
    number: await addIdentity('phone', newPhone()),
    identity: await addIdentity('external', `person ${contact.id}`),
    merge: await makeMerge(owner),
    field: await request('POST', '/fields', field, 201),
    call: report.body.data,
    campaign,
    integration: await request('POST', '/integrations', { name: `CRM ${suffix}` }, 201),
    ...(await makeWebhook(service, owner)),
    key: await request('POST', '/keys', { name: `Key ${suffix}`, scopes: keyScopes }, 201),
    user: { ...user, token: link.url_path.split('#')[1] },
    bulkJob: await makeBulkJob(service, owner),
    endedBulkJob: await makeBulkJob(service, owner, 'canceled'),
    bulkExport: await request(
      'POST',
      '/bulk-jobs',
      { action: 'export', selection: { ids: [contact.id] } },
      201,
    ),
    duplicate: await makeDuplicate(service, owner),
    event: { id: (await request('GET', '/events?after=latest')).after },
    notice: await makeNotice(service, agent.id),
    segment: await request(
      'POST',
      '/segments',
      { name: 'New', filter: { attribute: 'tag', op: 'eq', value: 'new' }, shared: true },
      201,
    ),
    view: await request(
      'POST',
      '/views',
      { list: 'campaigns', name: 'New', query: 'status=draft', shared: true },
      201,
    ),
    maker: await request('GET', '/session'),
    toReplan: await plan(),
    toApply: await plan(),
    toUndo: await applyImport(owner, (await plan()).id),
    toDelete: await plan(),
  };
};

export interface Operation {
  readonly method: string;
  /** The path template of the document, without its prefix. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  /** A query that the operation requires, without the question mark. */
  readonly query?: string;
  readonly body?: Json;
}

/** The path of a request, with its query. */
export const pathOf = ({ path, params, query }: Operation): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name])) +
  (query === undefined ? '' : `?${query}`);

export const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;

/** Every operation of the dashboard API on a record set, in an order in which each succeeds. The last ones change and
 *  end the session of the caller. */
export const everyOperation = (records: RecordSet): Operation[] => {
  const {
    agent,
    version,
    channel,
    contact,
    number,
    identity,
    merge,
    field,
    call,
    campaign,
    integration,
    webhook,
    attempt,
    key,
    user,
    event,
    notice,
    segment,
    view,
    bulkJob,
    endedBulkJob,
    bulkExport,
    duplicate,
    maker,
  } = records;
  const { toReplan, toApply, toUndo, toDelete } = records;
  const suffix = ++count;
  const of = (record: { id: string }) => ({ id: record.id });
  const both = { id: agent.id, version: version.id };
  const enrollment = { id: campaign.id, contact: contact.id };
  const identityOf = ({ id }: Json) => ({ id: contact.id, identity_id: String(id) });
  const rows: [string, string, Record<string, string>, Json?, string?][] = [
    ['POST', '/session', {}, { email: user.email, password: PASSWORD }],
    ['POST', '/session/link', {}, { token: user.token }],
    ['GET', '/session', {}],
    ['GET', '/session/workspaces', {}],
    ['POST', '/reads', {}, { paths: ['/dashboard/api/views'] }],
    ['PUT', '/session/workspace', {}, { id: maker.id }],
    ['GET', '/figures', {}],
    ['GET', '/attention', {}],
    ['GET', '/sample-data', {}],
    ['POST', '/sample-data', {}],
    ['DELETE', '/sample-data', {}],
    ['GET', '/views', {}],
    ['POST', '/views', {}, { list: 'campaigns', name: 'Old', query: 'sort=name' }],
    ['PATCH', '/views/{id}', of(view), { name: 'Newer' }],
    ['DELETE', '/views/{id}', of(view)],
    ['GET', '/notices', {}],
    ['GET', '/live', {}],
    ['PUT', '/notices/read', {}, { until: notice.id }],
    ['GET', '/audit', {}],
    ['GET', '/events', {}],
    ['GET', '/events/{id}', of(event)],
    ['GET', '/settings', {}],
    ['PATCH', '/settings', {}, { default_country: 'US', time_zone: 'Europe/Berlin' }],
    ['PATCH', '/settings/name', {}, { name: `Renamed ${suffix}` }],

    ['PUT', '/chat-model', {}, CHAT_MODEL],
    ['GET', '/chat-model', {}],
    ['POST', '/agents/{id}/versions/{version}/chat', both, { contact_id: contact.id, message: 'Hello' }],
    ['DELETE', '/chat-model', {}],

    ['GET', '/contacts', {}],
    ['GET', '/contacts/activity', {}],
    ['GET', '/contacts/conflicts', {}],
    ['GET', '/contacts/export', {}],
    ['POST', '/contacts', {}, { phone_number: newPhone() }],
    ['GET', '/contacts/{id}', of(contact)],
    ['PATCH', '/contacts/{id}', of(contact), { first_name: 'Ada' }],
    ['GET', '/contacts/{id}/enrollments', of(contact)],
    ['GET', '/contacts/{id}/timeline', of(contact)],
    ['GET', '/contacts/{id}/identities', of(contact)],
    [
      'POST',
      '/contacts/{id}/identities',
      of(contact),
      { kind: 'external', value: `added ${suffix} ${contact.id}` },
    ],
    ['GET', '/identities/{kind}/{value}', { kind: 'external', value: encodeURIComponent(identity.value) }],
    ['GET', '/identities', {}, undefined, 'contact=none'],
    ['PATCH', '/contacts/{id}/identities/{identity_id}', identityOf(number), { is_primary: true }],
    ['DELETE', '/contacts/{id}/identities/{identity_id}', identityOf(identity)],
    ['POST', '/merges', {}, { survivor_id: contact.id, other_ids: [merge.survivor_id], dry_run: true }],
    ['GET', '/merges', {}],
    ['GET', '/merges/{id}', of(merge)],
    ['POST', '/merges/{id}/undo', of(merge)],
    ['GET', '/tags', {}],
    ['GET', '/duplicates', {}],
    ['GET', '/duplicates/{id}', of(duplicate)],
    ['POST', '/duplicates/{id}/dismiss', of(duplicate)],
    ['DELETE', '/duplicates/{id}/dismissal', of(duplicate)],
    ['GET', '/fields', {}],
    ['POST', '/fields', {}, { key: `plan_${suffix}`, label: 'Plan', type: 'enum', options: ['gold'] }],
    ['GET', '/fields/{key}', { key: field.key }],
    ['PATCH', '/fields/{key}', { key: field.key }, { label: 'Renamed', filterable: true }],
    ['DELETE', '/fields/{key}', { key: field.key }],

    ['GET', '/segments', {}],
    ['POST', '/segments', {}, { name: 'Old', filter: { attribute: 'has_email', op: 'eq', value: true } }],
    ['GET', '/segments/{id}', of(segment)],
    ['GET', '/segments/{id}/count', of(segment)],
    ['PATCH', '/segments/{id}', of(segment), { name: 'Newer' }],
    ['DELETE', '/segments/{id}', of(segment)],

    ['GET', '/bulk-jobs', {}],
    ['POST', '/bulk-jobs', {}, { action: 'export', selection: { filter: { tag: 'none' } } }],
    ['GET', '/bulk-jobs/{id}', of(bulkJob)],
    ['GET', '/bulk-jobs/{id}/export', of(bulkExport)],
    ['POST', '/bulk-jobs/{id}/cancel', of(bulkJob)],
    ['POST', '/bulk-jobs/{id}/undo', of(endedBulkJob)],

    ['GET', '/agents', {}],
    ['POST', '/agents', {}, { name: 'Another', instructions: 'Other words.' }],
    ['GET', '/agents/{id}', of(agent)],
    ['PATCH', '/agents/{id}', of(agent), { description: 'Changed' }],
    ['POST', '/agents/{id}/duplicate', of(agent), { name: 'Copy' }],
    ['GET', '/agents/{id}/active', of(agent)],
    ['GET', '/agents/{id}/deploys', of(agent)],
    ['GET', '/agents/{id}/variables', of(agent)],
    ['PUT', '/agents/{id}/variables', of(agent), { variables: [{ name: 'appointment' }] }],
    ['GET', '/agents/{id}/versions', of(agent)],
    ['POST', '/agents/{id}/versions', of(agent), { config: { model: { temperature: 0.5 } }, note: 'Warmer' }],
    ['PUT', '/agents/{id}/config-schema', of(agent), { schema: { type: 'object', title: 'Config' } }],
    ['GET', '/agents/{id}/config-schema', of(agent)],
    ['DELETE', '/agents/{id}/config-schema', of(agent)],
    ['GET', '/agents/{id}/versions/{version}', both],
    ['GET', '/agents/{id}/versions/{version}/deploys', both],
    ['GET', '/agents/{id}/versions/{version}/impact', both],
    ['POST', '/agents/{id}/versions/{version}/render', both, { contact_id: contact.id }],
    ['POST', '/agents/{id}/versions/{version}/deploy', both, { note: 'again' }],

    ['GET', '/deploys', {}],

    ['GET', '/channels', {}],
    ['POST', '/channels', {}, { kind: 'web_chat', name: 'Chat', address: 'shop' }],
    ['GET', '/channels/{id}', of(channel)],
    ['PATCH', '/channels/{id}', of(channel), { name: 'Renamed' }],
    ['PUT', '/channels/{id}/agent', of(channel), { agent_id: agent.id }],
    ['POST', '/channels/{id}/rotate-secret', of(channel), { grace_hours: 1, replace_new: true }],
    ['DELETE', '/channels/{id}/old-secret', of(channel)],

    ['GET', '/calls', {}],
    ['GET', '/calls/export', {}],
    ['GET', '/calls/statistics', {}],
    ['GET', '/calls/{id}', of(call)],
    ['PATCH', '/calls/{id}', of(call), { note: 'Call back.', tags: ['complaint'] }],
    ['GET', '/calls/tags', {}],
    ['GET', '/outcomes', {}],
    ['GET', '/call-settings', {}],
    ['PUT', '/call-settings', {}, { dispositions: [], field_rules: [], transcript_days: ++days }],
    ['PUT', '/calls/{id}/transcript', of(call), { turns: [{ speaker: 'caller', text: 'Hello.' }] }],
    ['GET', '/calls/{id}/transcript', of(call)],

    ['GET', '/campaigns', {}],
    ['POST', '/campaigns', {}, { name: 'Another', agent_id: agent.id }],
    ['GET', '/campaigns/{id}', of(campaign)],
    ['PATCH', '/campaigns/{id}', of(campaign), { name: 'Renamed' }],
    ['POST', '/campaigns/{id}/duplicate', of(campaign), { name: 'A copy' }],
    ['GET', '/campaigns/{id}/progress', of(campaign)],
    ['GET', '/campaigns/{id}/start-check', of(campaign)],
    ['GET', '/campaigns/{id}/schedule', of(campaign)],
    ['PUT', '/campaigns/{id}/schedule', of(campaign), { max_attempts: 5 }],
    ['GET', '/campaigns/{id}/enrollments', of(campaign)],
    ['GET', '/campaigns/{id}/enrollments/export', of(campaign)],
    ['POST', '/campaigns/{id}/enrollments', of(campaign), { tag: 'world' }],
    ['PATCH', '/campaigns/{id}/enrollments/{contact}', enrollment, { status: 'completed' }],

    ['GET', '/imports', {}],
    // The body is a file. A JSON string is also a CSV file with one cell.
    ['POST', '/imports/columns', {}, newPhone()],
    ['POST', '/imports', {}, newPhone()],
    ['GET', '/imports/{id}', of(toReplan)],
    ['GET', '/imports/{id}/rows', of(toReplan)],
    ['GET', '/imports/{id}/reasons', of(toReplan)],
    ['GET', '/imports/{id}/report.csv', of(toReplan)],
    ['PATCH', '/imports/{id}', of(toReplan), { on_existing: 'overwrite' }],
    ['POST', '/imports/{id}/apply', of(toApply)],
    ['GET', '/imports/{id}/undo', of(toUndo)],
    ['POST', '/imports/{id}/undo', of(toUndo)],
    ['DELETE', '/imports/{id}', of(toDelete)],

    ['GET', '/integrations', {}],
    ['GET', '/integrations/health', {}],
    ['PATCH', '/integrations/{id}', of(integration), { name: 'Renamed' }],
    ['POST', '/integrations', {}, { name: 'Another' }],
    ['GET', '/integrations/{id}', of(integration)],
    ['POST', '/integrations/{id}/rotate-secret', of(integration), { grace_hours: 1, replace_new: true }],
    ['DELETE', '/integrations/{id}/old-secret', of(integration)],
    ['GET', '/webhooks', {}],
    ['POST', '/webhooks', {}, { url: NOWHERE, status: 'paused' }],
    ['GET', '/webhooks/{id}', of(webhook)],
    ['PATCH', '/webhooks/{id}', of(webhook), { description: 'Changed' }],
    ['POST', '/webhooks/{id}/rotate-secret', of(webhook), { grace_hours: 1, replace_new: true }],
    ['DELETE', '/webhooks/{id}/old-secret', of(webhook)],
    ['GET', '/webhooks/{id}/attempts', of(webhook)],
    ['GET', '/webhooks/{id}/attempts/{attempt}', { id: webhook.id, attempt: attempt.id }],
    ['POST', '/webhooks/{id}/test', of(webhook)],
    ['POST', '/webhooks/{id}/replay', of(webhook), { failed: true }],
    ['DELETE', '/webhooks/{id}/replay', of(webhook)],
    ['GET', '/keys', {}],
    ['GET', '/keys/details', {}],
    ['GET', '/keys/{id}', of(key)],
    ['POST', '/keys', {}, { name: 'Another' }],
    ['GET', '/users', {}],
    ['GET', '/users/{id}', of(user)],
    ['POST', '/users', {}, { email: `another${suffix}@world.example`, password: PASSWORD }],
    ['PATCH', '/users/{id}', of(user), { role: 'owner' }],
    ['POST', '/users/{id}/link', of(user)],

    ['DELETE', '/campaigns/{id}/enrollments/{contact}', enrollment],
    ['DELETE', '/channels/{id}/agent', of(channel)],
    ['DELETE', '/channels/{id}', of(channel)],
    ['DELETE', '/contacts/{id}', of(contact)],
    ['DELETE', '/agents/{id}', of(agent)],
    ['DELETE', '/campaigns/{id}', of(campaign)],
    ['DELETE', '/integrations/{id}', of(integration)],
    ['DELETE', '/webhooks/{id}', of(webhook)],
    ['DELETE', '/keys/{id}', of(key)],
    ['DELETE', '/users/{id}', of(user)],

    ['PUT', '/session/password', {}, { current_password: PASSWORD, new_password: PASSWORD }],
    ['DELETE', '/session', {}],
  ];
  return rows.map(([method, path, params, body, query]) => ({
    method,
    path,
    params,
    body,
    ...(query !== undefined && { query }),
  }));
};

/** The tables that an operation can change. */
const TABLES = [
  'contacts',
  'contact_changes',
  'identities',
  'identity_conflicts',
  'merges',
  'merged_contacts',
  'merge_records',
  'agents',
  'agent_versions',
  'deploys',
  'channels',
  'calls',
  'call_tags',
  'call_texts',
  'transcripts',
  'campaigns',
  'enrollments',
  'integrations',
  'webhook_endpoints',
  'webhook_deliveries',
  'webhook_attempts',
  'keys',
  'users',
  'sessions',
  'sign_in_addresses',
  'sign_in_links',
  'workspaces',
  'bulk_jobs',
  'bulk_changes',
  'duplicate_dismissals',
  'duplicate_followers',
  'duplicate_groups',
  'duplicate_keys',
  'imports',
  'import_rows',
  'jobs',
  'retries',
  'audit_entries',
  'notices',
  'notice_reads',
  'saved_views',
  'segments',
];

/** All rows of these tables, to compare two states. */
export const readAllTables = async ({ database }: TestService): Promise<Record<string, Json[]>> => {
  const tables: Record<string, Json[]> = {};
  for (const table of TABLES) {
    const rows = await database.query(`select * from ${table}`);
    tables[table] = rows
      .map(({ last_used_at: _, ...row }) => JSON.stringify({ ...row }, Object.keys(row).sort()))
      .sort();
  }
  return tables;
};
