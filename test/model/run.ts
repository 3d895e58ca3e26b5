import assert from 'node:assert/strict';
import type { Json, Reply, TestService } from '../kit/service/test-service.ts';
import { type Command, UNKNOWN_IDS } from './commands.ts';
import type { Expected, Model, ModelVersion } from './model.ts';
import { uuidOf } from './rules.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const CODES: Record<number, string> = { 400: 'VALIDATION_ERROR', 404: 'NOT_FOUND', 409: 'CONFLICT' };

/** The path segment of a command's target in this state. */
const idOf = ({ resource, target: { kind, place } }: Command, model: Model): string => {
  const records = model[resource];
  const unknownId = UNKNOWN_IDS[place % UNKNOWN_IDS.length] as string;
  if (kind === 'unknown') return unknownId;
  if (kind === 'deleted') return model.deletedIds[place % model.deletedIds.length] ?? unknownId;
  const id = records[place % records.length]?.id;
  if (id === undefined) return unknownId;
  if (kind === 'token') return id;
  const uuid = resource === 'contacts' ? uuidOf(id) : id;
  return kind === 'UUID' ? uuid.toUpperCase() : uuid;
};

const isRefused = (expected: Expected): expected is Exclude<Expected, { status: 200 | 201 }> =>
  expected.status >= 400;

const assertRejected = (reply: Reply, expected: Expected) => {
  const { success, error } = reply.body;
  assert.equal(success, false);
  assert.equal(error.code, CODES[reply.status]);
  assert.equal(error.request_id, reply.headers.get('x-request-id'));
  if (expected.status === 409) assert.deepEqual(error.details, { existing_contact_id: expected.existing });
  else if (expected.status === 400) {
    assert.deepEqual(error.details.map(({ field }: Json) => field).sort(), expected.fields.toSorted());
  } else assert.equal('details' in error, false);
};

/** Checks a field that only the service knows, and returns it so that the rest can be compared as a whole. */
const own = (data: Json, field: string, pattern: RegExp) => {
  assert.match(data[field], pattern);
  return { [field]: data[field] };
};

/** A new record: the expected fields, and a unique id and time. */
const assertCreated = (model: Model, command: Command, reply: Reply, expected: Json) => {
  const { data } = reply.body;
  const id = command.resource === 'contacts' ? /^contact_[0-7][0-9a-hjkmnp-tv-z]{25}$/ : UUID_V7;
  const made = { ...own(data, 'id', id), ...own(data, 'created_at', TIME), updated_at: data.created_at };
  assert.deepEqual(reply.body, { success: true, data: { ...expected, ...made } });
  if (command.resource === 'contacts') assert.match(uuidOf(data.id), UUID_V7);
  assert.equal(reply.headers.get('location'), `${command.prefix}/${command.resource}/${data.id}`);
  const knownIds = [...model.contacts, ...model.agents].map((record) => record.id);
  assert.ok(![...knownIds, ...model.deletedIds].includes(data.id));
};

const assertUpdated = (reply: Reply, before: string, expected: Json) => {
  const { data } = reply.body;
  assert.deepEqual(reply.body, { success: true, data: { ...expected, ...own(data, 'updated_at', TIME) } });
  assert.ok(data.updated_at > before, `updated_at ${data.updated_at} is not after ${before}`);
};

/** The expected versions of an agent: one for each set of instructions, newest first, and known ones unchanged. */
const assertVersions = (model: Model, agent: string, versions: ModelVersion[]) => {
  const count = model.versionCounts.get(agent) as number;
  const labels = Array.from({ length: count }, (_, at) => `v${count - at}`);
  assert.deepEqual(
    versions.map((version) => version.version_label),
    labels,
  );
  const seen = model.versions.get(agent) as ModelVersion[];
  assert.deepEqual(versions.slice(count - seen.length), seen);
  assert.equal(new Set(versions.map(({ id }) => id)).size, count);
  for (const version of versions) {
    const known = { ...own(version, 'id', UUID_V7), ...own(version, 'created_at', TIME) };
    assert.deepEqual(version, { ...known, version_label: version.version_label, deployment_status: 'draft' });
  }
  model.versions.set(agent, versions);
};

const create = async (service: TestService, model: Model, command: Command, key: string) => {
  const { resource, prefix, body } = command;
  const expected = resource === 'contacts' ? model.createContact(body) : model.createAgent(body);
  const reply = await service.post(`${prefix}/${resource}`, body, { key });
  assert.equal(reply.status, expected.status, reply.text);
  if (isRefused(expected)) return assertRejected(reply, expected);
  assertCreated(model, command, reply, expected.data);
  if (resource === 'contacts') model.contactCreated(reply.body.data);
  else model.agentCreated(reply.body.data);
};

const update = async (service: TestService, model: Model, command: Command, key: string) => {
  const { resource, prefix } = command;
  const id = idOf(command, model);
  const record = resource === 'contacts' ? model.contact(id) : model.agent(id);
  const known = resource === 'contacts' ? model.getContact(id) : model.getAgent(id);
  // The record as it was read, sent back with or without a change.
  const read = command.call === 'echo' && 'data' in known ? (known.data as object) : {};
  const body = { ...read, ...command.body };
  const expected = resource === 'contacts' ? model.updateContact(id, body) : model.updateAgent(id, body);
  const reply = await service.patch(`${prefix}/${resource}/${id}`, body, { key });
  assert.equal(reply.status, expected.status, reply.text);
  if (isRefused(expected)) return assertRejected(reply, expected);
  assertUpdated(reply, record?.updated_at as string, expected.data);
  if (resource === 'contacts') model.contactUpdated(reply.body.data);
  else model.agentUpdated(reply.body.data, 'instructions' in body);
};

const readBack = async (service: TestService, model: Model, command: Command, key: string) => {
  const { resource, prefix } = command;
  const id = idOf(command, model);
  const reply = await service.get(`${prefix}/${resource}/${id}`, { key });
  const agent = model.agent(id);
  if (resource === 'agents' && agent && reply.status === 200) {
    assertVersions(model, agent.id, reply.body.data.versions);
  }
  const expected = resource === 'contacts' ? model.getContact(id) : model.getAgent(id);
  assert.equal(reply.status, expected.status, reply.text);
  if (isRefused(expected)) assertRejected(reply, expected);
  else assert.deepEqual(reply.body, { success: true, data: expected.data });
};

const remove = async (service: TestService, model: Model, command: Command, key: string) => {
  const { resource, prefix } = command;
  const id = idOf(command, model);
  const expected = resource === 'contacts' ? model.deleteContact(id) : model.deleteAgent(id);
  const reply = await service.delete(`${prefix}/${resource}/${id}`, { key });
  assert.equal(reply.status, expected.status, reply.text);
  if (isRefused(expected)) assertRejected(reply, expected);
  else assert.deepEqual(reply.body, { success: true, data: expected.data });
};

const list = async (
  service: TestService,
  model: Model,
  { resource, prefix, query }: Command,
  key: string,
) => {
  const expected = resource === 'contacts' ? model.listContacts(query) : model.listAgents(query);
  const reply = await service.get(`${prefix}/${resource}?${new URLSearchParams(query)}`, { key });
  assert.equal(reply.status, expected.status, reply.text);
  if (isRefused(expected)) assertRejected(reply, expected);
  else assert.deepEqual(reply.body, { success: true, data: expected.data, pagination: expected.pagination });
};

const calls = { create, get: readBack, update, echo: update, delete: remove, list };

/** Makes one call to the service and to the model, and compares the results. */
export const runCommand = (
  service: TestService,
  model: Model,
  command: Command,
  key: string,
): Promise<void> => calls[command.call](service, model, command, key);
