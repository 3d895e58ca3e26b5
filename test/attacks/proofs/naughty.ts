import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { countCharacters, isStorable } from '../../../src/lib/text.ts';
import { newPhone } from '../../kit/fixtures/factories.ts';
import { Random } from '../../kit/random.ts';
import { type Json, onEveryEngine, type Reply } from '../../kit/service/test-service.ts';
import { type Caller, makeCaller } from '../kit/caller.ts';
import { type Client, clientOf } from '../kit/client.ts';
import { everyNaughty } from '../kit/naughty-strings.ts';
import { documentedOperations, nameOf, type Operation, referencedKind } from '../kit/operations.ts';
import { report } from '../kit/report.ts';
import { storedValues } from '../kit/stored-values.ts';
import { validValue } from '../kit/valid-values.ts';

/** Fields that are never returned: secrets, search terms and a position. */
const UNREADABLE = new Set(['platform_secret', 'api_key', 'search', 'tag', 'remove', 'until']);
/** Each hashes a password, which the fuzzer sends, or names a server that events are then sent to. */
const EXCLUDED_FIELDS = /^(?:current_|new_)?password$|^token$|^url$/;
/** The field accepts the id or the label of a version. */
const namesVersion = ({ pattern }: Json) => `${pattern}`.startsWith('^(v[1-9]');

const isText = ({ type, enum: words }: Json) => [type].flat()[0] === 'string' && !words;

/** The fields of a body that accept any text, each with a function that inserts it. */
const textFields = ({ body, template }: Operation): [string, (text: string) => Json, Json][] =>
  /\/session/.test(template)
    ? []
    : Object.entries<Json>(body?.properties ?? {}).flatMap(
        ([name, schema]): [string, (text: string) => Json, Json][] => {
          if (referencedKind(name) || namesVersion(schema) || EXCLUDED_FIELDS.test(name)) return [];
          if (isText(schema)) return [[name, (text) => text, schema]];
          if (schema.type === 'array' && isText(schema.items))
            return [[name, (text) => [text], schema.items]];
          if (name === 'crm_ids')
            return [[name, (text) => ({ [text]: text, plain: text }), { maxLength: 64, minLength: 1 }]];
          if (name === 'config') return [[name, (text) => ({ [text]: text, plain: [text] }), {}]];
          return [];
        },
      );

/** Whether the document allows the service to reject a text. */
const mayReject = (text: string, schema: Json): boolean => {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format } = schema;
  const length = countCharacters(text);
  const fits = format === undefined && new RegExp(pattern ?? '', 'u').test(text);
  return !isStorable(text) || length < minLength || length > maxLength || !fits;
};

/** Fields with a format that their schema does not describe. */
const FORMATTED_FIELDS = new Set([
  'phone_number',
  'email',
  'address',
  'number',
  'country',
  'default_country',
  'time_zone',
  'remove',
  'from',
  // Differs from the tag that it replaces.
  'to',
  // Parameters of a list.
  'query',
  // The id of a notice.
  'until',
  // Only an enum has them.
  'options',
  // One of the channel.
  'session_id',
  // One of the call settings.
  'disposition',
  // Of a field, which never changes.
  'key',
  // Paths of the API.
  'paths',
  // Contacts of a merge, and what its plan issued.
  'survivor_id',
  'other_ids',
  'choices',
  'plan_token',
  // Only of a message.
  'text',
  'recording_url',
]);

/** Each is deleted again: there can be 100 of them, or only one with the same email. The operation that creates it, and the
 *  one that deletes it. */
const TEMPORARY_RECORDS = new Map([
  ['addIdentity', 'removeIdentity'],
  ['createField', 'deleteField'],
  ['createSegment', 'deleteSegment'],
  ['createUser', 'deleteUser'],
  ['createView', 'deleteView'],
  ['createWebhook', 'deleteWebhook'],
]);

const rejectedFields = ({ body }: Reply): string[] =>
  (Array.isArray(body?.error.details) ? body.error.details : []).map(
    ({ field }: Json) => /^\w+/.exec(field)?.[0] ?? '',
  );

/** Sends every `stride`-th text in every text field of every write, in every query and in every path parameter. */
export const naughtyTexts = (stride: number): void => {
  onEveryEngine('Naughty strings', (service) => {
    const random = new Random('naughty');
    const counts = {
      texts: everyNaughty.length,
      requests: 0,
      stored_identical: 0,
      refused_400: 0,
      answers_5xx: 0,
    };
    let client: Client;
    let operations: Operation[];
    let caller: Caller;
    const ids = (kind: string) => caller.records[kind as keyof typeof caller.records].id;
    const plainValue = (name: string, schema: Json) =>
      name === 'phone_number' ? newPhone() : validValue(name, schema, random, ids);
    const shareOf = (at: number) => everyNaughty.filter((_, index) => index % stride === at % stride);
    before(async () => {
      client = clientOf(service.url);
      // A chat stores nothing.
      operations = (await documentedOperations(client)).filter(
        ({ operationId }) => operationId !== 'chatWithVersion',
      );
      caller = await makeCaller(service, client);
    });
    after(() => client.close());

    const sendChecked = async (operation: Operation, given: Parameters<Caller['send']>[1]) => {
      const reply = await caller.send(operation, given);
      counts.requests++;
      if (reply.status >= 500) counts.answers_5xx++;
      assert.ok(reply.status < 500, `${nameOf(operation)} ${JSON.stringify(given)}: ${reply.text}`);
      operation.check(reply);
      return reply;
    };

    /** Deploying the deployed version writes nothing, so each deploy has a new version. A rollback needs two deploys. */
    const freshParams = async ({ template }: Operation): Promise<Record<string, string>> => {
      if (!/\/(deploy|rollback)$/.test(template)) return {};
      const change = operations.find((each) => nameOf(each) === 'PATCH /v1/agents/{id}') as Operation;
      await sendChecked(change, { body: { instructions: 'Other words.' } });
      const versions = await caller.get(`/v1/agents/${caller.records.agent.id}/versions?limit=1`);
      const version = versions.body.data[0].id;
      if (template.endsWith('/deploy')) return { version };
      const deploy = operations.find(({ operationId }) => operationId === 'deployVersion') as Operation;
      await sendChecked(deploy, { body: {}, params: { version } });
      return {};
    };

    const newContact = async (): Promise<string> => {
      const create = operations.find((each) => nameOf(each) === 'POST /v1/contacts') as Operation;
      return (await sendChecked(create, { body: { phone_number: newPhone() } })).body.data.id;
    };

    const deleteTemporary = async ({ operationId }: Operation, { body }: Reply) => {
      const deletes = TEMPORARY_RECORDS.get(operationId);
      if (!deletes) return;
      const remove = operations.find((each) => each.operationId === deletes) as Operation;
      const { id, key } = body.data;
      await sendChecked(remove, {
        params: remove.slots.includes('identity_id') ? { identity_id: id } : { id, key },
      });
    };

    /** Sends a text in these fields. Fields that reject it for a documented reason are removed, and the rest is sent
     *  again. */
    const write = async (
      operation: Operation,
      text: string,
      fields: ReturnType<typeof textFields>,
    ): Promise<void> => {
      const { properties, required = [] } = operation.body;
      const sentTexts = new Map(fields.map(([name, put]) => [name, put(text)]));
      for (let round = 0; round < 6; round++) {
        const plainFields = required.map((name: string) => [name, plainValue(name, properties[name])]);
        const body = { ...Object.fromEntries(plainFields), ...Object.fromEntries(sentTexts) };
        if ('ids' in body) body.ids = [await newContact()];
        const reply = await sendChecked(operation, { body, params: await freshParams(operation) });
        if (reply.status < 300) {
          const copies = await storedValues(operation, reply, caller.get);
          for (const [name, sent] of sentTexts) {
            const found = copies.filter((copy) => name in copy).map((copy) => copy[name]);
            assert.ok(found.length > 0 || UNREADABLE.has(name), `${nameOf(operation)}: where is ${name}?`);
            for (const value of found) assert.deepEqual(value, sent, `${nameOf(operation)} ${name}`);
            counts.stored_identical += found.length > 0 ? 1 : 0;
          }
          await deleteTemporary(operation, reply);
          return;
        }
        const rejected = rejectedFields(reply).filter((name) => sentTexts.has(name));
        if (rejected.length === 0 && fields.length > 1) {
          for (const field of fields) await write(operation, text, [field]);
          return;
        }
        // A hook accepts smaller bodies.
        if (operation.source === 'hooks' && reply.status === 413) return;
        assert.equal(reply.status, 400, `${nameOf(operation)} ${JSON.stringify(text)}: ${reply.text}`);
        if (rejected.length === 0) return;
        for (const name of rejected) {
          const schema = fields.find(([each]) => each === name)?.[2];
          const reason = FORMATTED_FIELDS.has(name) || mayReject(text, schema);
          assert.ok(reason, `${nameOf(operation)} refused ${JSON.stringify(text)} in ${name}: ${reply.text}`);
          counts.refused_400++;
          sentTexts.delete(name);
        }
        if (sentTexts.size === 0) return;
      }
      assert.fail(`${nameOf(operation)} refuses ${JSON.stringify(text)} over and over`);
    };

    test('Naughty strings are returned unchanged from every text field or rejected with a reason', async () => {
      for (const [at, operation] of operations.entries()) {
        const fields = textFields(operation);
        if (fields.length === 0) continue;
        for (const text of shareOf(at)) await write(operation, text, fields);
      }
    });

    test('Naughty strings in any query or path parameter get a valid response', async () => {
      for (const [at, operation] of operations.entries()) {
        const { query, slots, method } = operation;
        for (const text of shareOf(at + 1).filter(
          (each) => each.isWellFormed() && each.length < 1_000 && each !== '',
        )) {
          const encoded = encodeURIComponent(text);
          for (const { name } of method === 'GET' ? query : [])
            await sendChecked(operation, { query: `${name}=${encoded}` });
          for (const slot of slots) await sendChecked(operation, { params: { [slot]: text } });
        }
      }
    });

    test('The service stays healthy after naughty strings, and its counts are correct', () => {
      assert.ok(counts.stored_identical > 0 && counts.refused_400 > 0);
      report(`naughty.${service.database.database.engine}`, counts);
    });
  });
};
