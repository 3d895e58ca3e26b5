import { setTimeout as pause } from 'node:timers/promises';
import type { Json } from '../kit/service/test-service.ts';
import { standardSignature, twilioSignature } from '../kit/webhooks/channel-hooks.ts';
import { type ApiClient, clientWithKey, signInOwner } from './client.ts';

/** Records that a later version reaches in other ways than by reading them. */
export interface FilledSecrets {
  readonly channel?: { readonly id: string; readonly secret: string };
  readonly integration?: { readonly id: string; readonly secret: string };
  /** An API key of the workspace. */
  readonly key?: string;
  /** An API key of a second workspace. */
  readonly otherWorkspace: string;
}

const PEOPLE = [
  ['Ada', 'Lovelace', 'ada@example.com', ['customer', 'vip']],
  ['Zoë', 'Żółć', 'zoe@example.com', ['customer']],
  ['李', '小龙', null, ['lead']],
  ["Sinéad O'Neil", null, 'sinead@example.org', []],
  ['Jean-Luc', 'Dupont', null, ['customer', 'fr', '🏖️ summer']],
  ['محمد', 'العربي', 'm@example.net', ['lead']],
  [null, null, null, []],
] as const;

const phoneAt = (at: number) => `+1415555${String(100 + at).padStart(4, '0')}`;

/** Fills a service of any version through its own API with some of everything that it can store. */
export const fillService = async (url: string, runRoster: RunRoster): Promise<FilledSecrets> => {
  const otherWorkspace = await fillOtherWorkspace(url, runRoster);
  const api = clientWithKey(url);
  const contacts = await fillContacts(api);
  const agents = await fillAgents(api);
  const owner = await signInOwner(url);
  if (!owner) return { otherWorkspace };
  const channel = await fillChannels(url, owner, agents);
  const integration = await owner.send('POST', '/integrations', { name: 'CRM' });
  await clientWithKey(url, integration.secret).send('POST', `/hooks/contacts/${integration.id}`, {
    phone_number: phoneAt(1),
    company: 'Example Ltd',
    crm_ids: { hubspot: '17' },
  });
  await fillCampaign(owner, agents, contacts);
  await owner.send('POST', '/users', {
    email: 'member@example.com',
    password: 'a long password',
    role: 'member',
  });
  const { key } = await owner.send('POST', '/keys', { name: 'Website', scope: 'read' });
  await owner
    .send('POST', '/keys', { name: 'Revoked' })
    .then(({ id }) => owner.send('DELETE', `/keys/${id}`));
  if ((await owner.call('GET', '/imports')).status !== 404) await fillImports(owner);
  // Versions without idempotency ignore the header.
  await api.send(
    'POST',
    '/v1/contacts',
    { phone_number: phoneAt(90) },
    { headers: { 'idempotency-key': 'fixture-1' } },
  );
  return {
    channel: { id: channel.id, secret: channel.secret },
    integration: { id: integration.id, secret: integration.secret },
    key,
    otherWorkspace,
  };
};

/** Runs a command of the same version and returns its output. */
export type RunRoster = (...args: string[]) => string;

const fillOtherWorkspace = async (url: string, runRoster: RunRoster): Promise<string> => {
  runRoster('workspace', 'create', 'branch');
  const [key] =
    /rk_[\w-]+/.exec(runRoster('key', 'create', '--workspace', 'branch', '--name', 'Branch')) ?? [];
  if (key === undefined) throw new Error('roster key create printed no key');
  const client = clientWithKey(url, key);
  for (let at = 0; at < 3; at++)
    await client.send('POST', '/v1/contacts', { phone_number: phoneAt(at), first_name: `Branch ${at}` });
  return key;
};

const fillContacts = async (api: ApiClient): Promise<Json[]> => {
  const contacts: Json[] = [];
  for (let at = 0; at < 35; at++) {
    const [first_name, last_name, email, tags] = PEOPLE[at % PEOPLE.length] as (typeof PEOPLE)[number];
    contacts.push(
      await api.send('POST', '/v1/contacts', {
        phone_number: phoneAt(at),
        first_name,
        last_name: last_name === null ? null : `${last_name} ${at}`,
        email: email?.replace('@', `+${at}@`) ?? null,
        tags,
        ...(at % 5 === 0 && { notes: `Called about order ${at}.\nWants a "callback" – 50 % off.` }),
      }),
    );
  }
  await api.send('PATCH', `/v1/contacts/${contacts[2].id}`, {
    tags: ['customer', 'renamed'],
    company: 'ACME',
  });
  await api.send('PATCH', `/v1/contacts/${contacts[3].id}`, { phone_number: phoneAt(60) });
  for (const { id } of contacts.splice(20, 3)) await api.send('DELETE', `/v1/contacts/${id}`);
  return contacts;
};

const fillAgents = async (api: ApiClient): Promise<Json[]> => {
  const agents: Json[] = [];
  for (const name of ['Receptionist', 'Order desk', 'Night shift', 'Deleted']) {
    const agent = await api.send('POST', '/v1/agents', { name, instructions: `You are ${name}.` });
    for (let version = 2; version <= 4; version++)
      await api.send('PATCH', `/v1/agents/${agent.id}`, {
        instructions: `You are ${name}.\n\nGreet {{first_name}} in version ${version}. ${'Be kind. '.repeat(version)}`,
      });
    agents.push(await api.send('GET', `/v1/agents/${agent.id}`));
  }
  await api.send('DELETE', `/v1/agents/${agents.pop().id}`);
  return agents;
};

const fillChannels = async (url: string, owner: ApiClient, [first, second]: Json[]): Promise<Json> => {
  const phone = await owner.send('POST', '/channels', {
    kind: 'phone',
    name: 'Front desk',
    address: '+14155550199',
  });
  const chat = await owner.send('POST', '/channels', {
    kind: 'web_chat',
    name: 'Website',
    address: 'https://www.example.com',
  });
  await owner.send('PUT', `/channels/${phone.id}/agent`, { agent_id: first.id });
  await owner.send('PUT', `/channels/${chat.id}/agent`, { agent_id: second.id });
  for (const { id, versions } of [first, second])
    for (const version of [versions[1], versions[0]])
      await owner.send('POST', `/agents/${id}/versions/${version.id}/deploy`, {
        note: 'Ready',
      });
  const anonymous = clientWithKey(url, 'unused');
  const path = `/hooks/channels/${phone.id}/events`;
  for (const [CallSid, From, CallStatus, CallDuration] of [
    ['CA1', phoneAt(4), 'completed', '61'],
    ['CA2', phoneAt(70), 'completed', '7'],
    ['CA3', phoneAt(5), 'busy', '0'],
  ] as const) {
    const fields = { CallSid, From, To: '+14155550199', CallStatus, CallDuration, Direction: 'inbound' };
    const reply = await anonymous.call('POST', path, undefined, {
      raw: new URLSearchParams(fields).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': twilioSignature(phone.secret, url + path, fields),
      },
    });
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.text}`);
  }
  const event = { type: 'message', provider_id: 'm1', direction: 'inbound', number: phoneAt(71) };
  const body = JSON.stringify(event);
  await anonymous.send('POST', `/hooks/channels/${chat.id}/events`, undefined, {
    raw: body,
    headers: standardSignature(chat.secret, body),
  });
  return phone;
};

const fillCampaign = async (owner: ApiClient, agents: Json[], contacts: Json[]): Promise<void> => {
  const campaign = await owner.send('POST', '/campaigns', {
    name: 'Spring',
    agent_id: agents[0].id,
    status: 'active',
  });
  const path = `/campaigns/${campaign.id}/enrollments`;
  await owner.send('POST', path, { tag: 'customer' });
  await owner.send('POST', path, { contact_ids: [contacts[5].id, contacts[6].id] });
  for (const [at, status] of [
    [0, 'completed'],
    [5, 'failed'],
    [6, 'in_progress'],
  ] as const)
    await owner.send('PATCH', `${path}/${contacts[at].id}`, { status });
  await owner.send('POST', '/campaigns', { name: 'Draft', agent_id: agents[2].id });
};

const fillImports = async (owner: ApiClient): Promise<void> => {
  await owner.send('PATCH', '/settings', { default_country: 'US' });
  const upload = (rows: string[]) =>
    owner.send('POST', '/imports?country=US', undefined, {
      raw: `Phone,First Name,Last Name,Email\n${rows.join('\n')}\n`,
      headers: { 'content-type': 'text/csv' },
    });
  const settled = async (id: string) => {
    for (;;) {
      const data = await owner.send('GET', `/imports/${id}`);
      if (!['planning', 'applying', 'undoing'].includes(data.state)) return;
      await pause(20);
    }
  };
  for (const [action, rows] of [
    [
      ['apply'],
      ['(212) 555-0101,Grace,Hopper,grace@example.com', `${phoneAt(0)},Ada,King,`, 'bad,No,Number,'],
    ],
    [
      ['apply', 'undo'],
      ['+12125550102,Undone,Row,', `${phoneAt(9)},Changed,Back,`],
    ],
    [[], ['+12125550103,Only,Planned,']],
  ] as const) {
    const { id } = await upload([...rows]);
    await settled(id);
    for (const each of action) {
      await owner.send('POST', `/imports/${id}/${each}`);
      await settled(id);
    }
  }
};
