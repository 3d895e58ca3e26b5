import assert from 'node:assert/strict';
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
  readonly call: Json;
  readonly campaign: Json;
  readonly integration: Json;
  readonly key: Json;
  /** Includes the `token` of a sign-in link. */
  readonly user: Json;
  /** Imports of the unchanged contact, so that none of them changes anything. There is one for each action, because
   *  an action runs in the background and the next must not wait for it. */
  readonly toReplan: Json;
  readonly toApply: Json;
  readonly toUndo: Json;
  readonly toDelete: Json;
}

let count = 0;

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
  const event = await sendEvent(service, channel, {
    type: 'call',
    provider_id: `provider ${suffix}`,
    direction: 'inbound',
    number: contact.phone_number,
  });
  assert.equal(event.status, 200, event.text);
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
  return {
    agent,
    version,
    channel,
    contact,
    call: event.body.data,
    campaign,
    integration: await request('POST', '/integrations', { name: `CRM ${suffix}` }, 201),
    key: await request('POST', '/keys', { name: `Key ${suffix}` }, 201),
    user: { ...user, token: link.url_path.split('#')[1] },
    toReplan: await plan(),
    toApply: await plan(),
    toUndo: await applyImport(owner, (await plan()).id),
    toDelete: await plan(),
  };
};

export interface Operation {
  readonly method: string;
  /** The path template of the document, without `/dashboard/api`. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly body?: Json;
}

export const pathOf = ({ path, params }: Operation): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]));

export const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;

/** Every operation of the dashboard API on a record set, in an order in which each succeeds. The last ones change and
 *  end the session of the caller. */
export const everyOperation = (records: RecordSet): Operation[] => {
  const { agent, version, channel, contact, call, campaign, integration, key, user } = records;
  const { toReplan, toApply, toUndo, toDelete } = records;
  const suffix = ++count;
  const of = (record: { id: string }) => ({ id: record.id });
  const both = { id: agent.id, version: version.id };
  const enrollment = { id: campaign.id, contact: contact.id };
  const rows: [string, string, Record<string, string>, Json?][] = [
    ['POST', '/session', {}, { email: user.email, password: PASSWORD }],
    ['POST', '/session/link', {}, { token: user.token }],
    ['GET', '/session', {}],
    ['GET', '/figures', {}],
    ['GET', '/audit', {}],
    ['GET', '/settings', {}],
    ['PATCH', '/settings', {}, { default_country: 'US' }],

    ['GET', '/contacts', {}],
    ['GET', '/contacts/conflicts', {}],
    ['GET', '/contacts/export', {}],
    ['POST', '/contacts', {}, { phone_number: newPhone() }],
    ['GET', '/contacts/{id}', of(contact)],
    ['PATCH', '/contacts/{id}', of(contact), { first_name: 'Ada' }],
    ['GET', '/contacts/{id}/enrollments', of(contact)],
    ['POST', '/contacts/selection/tags', {}, { ids: [contact.id], add: ['selected'], remove: ['none'] }],
    ['POST', '/contacts/selection/delete', {}, { ids: ['nobody'] }],
    ['GET', '/tags', {}],

    ['GET', '/agents', {}],
    ['POST', '/agents', {}, { name: 'Another', instructions: 'Other words.' }],
    ['GET', '/agents/{id}', of(agent)],
    ['PATCH', '/agents/{id}', of(agent), { description: 'Changed' }],
    ['GET', '/agents/{id}/active', of(agent)],
    ['GET', '/agents/{id}/deploys', of(agent)],
    ['GET', '/agents/{id}/versions', of(agent)],
    ['GET', '/agents/{id}/versions/{version}', both],
    ['GET', '/agents/{id}/versions/{version}/impact', both],
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
    ['GET', '/calls/{id}', of(call)],

    ['GET', '/campaigns', {}],
    ['POST', '/campaigns', {}, { name: 'Another', agent_id: agent.id }],
    ['GET', '/campaigns/{id}', of(campaign)],
    ['PATCH', '/campaigns/{id}', of(campaign), { name: 'Renamed' }],
    ['GET', '/campaigns/{id}/enrollments', of(campaign)],
    ['POST', '/campaigns/{id}/enrollments', of(campaign), { tag: 'world' }],
    ['PATCH', '/campaigns/{id}/enrollments/{contact}', enrollment, { status: 'completed' }],

    ['GET', '/imports', {}],
    // The body is a file. A JSON string is also a CSV file with one cell.
    ['POST', '/imports/columns', {}, newPhone()],
    ['POST', '/imports', {}, newPhone()],
    ['GET', '/imports/{id}', of(toReplan)],
    ['GET', '/imports/{id}/rows', of(toReplan)],
    ['GET', '/imports/{id}/report.csv', of(toReplan)],
    ['GET', '/imports/{id}/events', of(toReplan)],
    ['PATCH', '/imports/{id}', of(toReplan), { on_existing: 'overwrite' }],
    ['POST', '/imports/{id}/apply', of(toApply)],
    ['POST', '/imports/{id}/undo', of(toUndo)],
    ['DELETE', '/imports/{id}', of(toDelete)],

    ['GET', '/integrations', {}],
    ['POST', '/integrations', {}, { name: 'Another' }],
    ['GET', '/integrations/{id}', of(integration)],
    ['POST', '/integrations/{id}/rotate-secret', of(integration), { grace_hours: 1, replace_new: true }],
    ['DELETE', '/integrations/{id}/old-secret', of(integration)],
    ['GET', '/keys', {}],
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
    ['DELETE', '/integrations/{id}', of(integration)],
    ['DELETE', '/keys/{id}', of(key)],
    ['DELETE', '/users/{id}', of(user)],

    ['PUT', '/session/password', {}, { current_password: PASSWORD, new_password: PASSWORD }],
    ['DELETE', '/session', {}],
  ];
  return rows.map(([method, path, params, body]) => ({ method, path, params, body }));
};

/** The tables that an operation can change. */
const TABLES = [
  'contacts',
  'agents',
  'agent_versions',
  'deploys',
  'channels',
  'calls',
  'campaigns',
  'enrollments',
  'integrations',
  'keys',
  'users',
  'sessions',
  'sign_in_addresses',
  'sign_in_links',
  'workspaces',
  'imports',
  'import_rows',
  'jobs',
  'retries',
  'audit_entries',
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
