import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Data, Event, EventData, EventType, List, Schemas } from '../../sdk/src/index.ts';
import { Roster } from '../../sdk/src/index.ts';
import { keyScopes } from '../../src/lib/scopes.ts';
import type { eventTypes } from '../../src/records/actions.ts';
import { makeRecordSet } from '../kit/dashboard/operations.ts';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { createAjv } from '../kit/http/openapi.ts';
import { type Json, onSqlite } from '../kit/service/test-service.ts';

/* The compiler checks the types of this file. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
const holds = <_ extends true>() => {};

/** Only a comparison with `type` is needed to read the record. */
const nameOf = (event: Event): string | null => {
  if (event.data === null) return null;
  switch (event.type) {
    case 'contact.created':
    case 'contact.updated':
      return event.data.crm_ids.hubspot ?? event.data.phone_number;
    case 'agent.created':
    case 'agent.updated':
    case 'campaign.created':
    case 'campaign.updated':
    case 'channel.created':
    case 'channel.updated':
      return event.data.name;
    case 'version.created':
      return event.data.agent_id + event.data.instructions;
    case 'agent.deployed':
      return event.data.version_label;
    case 'call.recorded':
    case 'call.updated':
      return event.data.provider_id;
    case 'enrollment.created':
    case 'enrollment.updated':
      return event.data.campaign_id;
    case 'import.created':
    case 'import.updated':
      return event.data.state;
    case 'webhook.disabled':
      return event.data.url;
    case 'contact.merged':
    case 'contact.unmerged':
      return event.data.merge_id + event.data.other_ids.join();
    case 'webhook.test':
      return event.data.message;
    default:
      // A delete has no data, and no type is missing above.
      return event satisfies never;
  }
};

/** The published schemas that the types of the data are made of, by the type of the event or its first word. */
const SCHEMAS: Record<string, string> = {
  contact: 'ContactWithCrmIds',
  agent: 'WrittenAgent',
  'agent.deployed': 'Deploy',
  version: 'Version',
  channel: 'Channel',
  call: 'Call',
  campaign: 'Campaign',
  enrollment: 'Enrollment',
  import: 'Import',
  webhook: 'Webhook',
};
/** The types of events whose data is a part of a record. */
const PARTS: Record<string, readonly string[]> = {
  version: [
    'id',
    'version_label',
    'deployment_status',
    'created_at',
    'instructions',
    'note',
    'config_sha256',
    'config',
  ],
  'agent.deployed': [
    'version_id',
    'version_label',
    'previous_version_id',
    'deployed_at',
    'deployed_by',
    'note',
  ],
};

const MERGED = {
  type: 'object',
  additionalProperties: false,
  required: ['merge_id', 'other_ids'],
  properties: { merge_id: { type: 'string' }, other_ids: { type: 'array', items: { type: 'string' } } },
};

/** The schema of an event's data. */
const schemaOf = (type: string, { schemas }: Json): Json => {
  if (type === 'contact.merged' || type === 'contact.unmerged') return MERGED;
  const kind = type === 'agent.deployed' ? type : (type.split('.')[0] as string);
  const { properties, required, ...rest } = schemas[SCHEMAS[kind] as string];
  // Events never have the variables of an enrollment.
  const names = PARTS[kind] ?? Object.keys(properties).filter((name) => name !== 'variables');
  const belongsToAgent = kind === 'agent.deployed' || kind === 'version';
  return {
    ...rest,
    properties: {
      ...Object.fromEntries(names.map((name) => [name, properties[name]])),
      ...(belongsToAgent && { agent_id: { type: 'string', pattern: '^[0-9a-f-]{36}$' } }),
    },
    required: [
      ...required.filter((name: string) => names.includes(name)),
      ...(belongsToAgent ? ['agent_id'] : []),
    ],
  };
};

onSqlite('Types of events in the SDK', (service) => {
  test('The data of an event is typed by the type of the event', () => {
    holds<Same<EventData<'contact.updated'>, Schemas['ContactWithCrmIds']>>();
    holds<Same<EventData<'call.recorded'>, Schemas['Call']>>();
    holds<Same<Event<'contact.deleted'>['data'], null>>();
    holds<Same<Data<'getEvent'>, Event>>();
    holds<Same<Data<'listEvents'>['events'], Event[]>>();
    holds<
      Same<ReturnType<Roster['events']['list']>, List<Event, { after: string | null; has_more: boolean }>>
    >();
    holds<Same<EventType, (typeof eventTypes)[number]>>();
    holds<
      Same<
        Data<'listContactConflicts'>[number]['repair'],
        { phone_number: string | null; confirm_phone_change: true }
      >
    >();
  });

  test('The data of every event in the feed has the type that the SDK declares', async () => {
    const owner = await signedInOwner(service);
    await makeRecordSet(service, owner);
    const { key } = await owner.request('POST', '/keys', { name: 'All', scopes: keyScopes }, 201);
    const roster = new Roster({ baseUrl: service.url, apiKey: key });
    const document: Json = (await service.get('/openapi.json')).body;
    const seen = new Set<string>();
    for await (const event of roster.events.list({ limit: 7 })) {
      if (event.data === null) continue;
      assert.equal(typeof nameOf(event), 'string', event.type);
      seen.add(event.type);
      const ajv = createAjv({ strict: false });
      const validate = ajv.compile({
        ...schemaOf(event.type, document.components),
        components: document.components,
      });
      assert.ok(validate(event.data), `${event.type}: ${ajv.errorsText(validate.errors)}`);
    }
    for (const type of [
      'contact.created',
      'agent.created',
      'agent.deployed',
      'version.created',
      'channel.created',
      'call.recorded',
      'campaign.created',
      'enrollment.created',
      'import.created',
    ])
      assert.ok(seen.has(type), `${type} was checked`);
  });
});
