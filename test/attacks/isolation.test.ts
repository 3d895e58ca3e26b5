import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { typeId } from '../../src/lib/ids.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { comparableReply } from '../kit/http/assertions.ts';
import { Random } from '../kit/random.ts';
import { type Json, onEveryEngine, type Reply } from '../kit/service/test-service.ts';
import { type Caller, makeCaller, makeOtherCaller, type RequestParts } from './kit/caller.ts';
import { type Client, clientOf } from './kit/client.ts';
import { documentedOperations, nameOf, type Operation, pathValue, referencedKind } from './kit/operations.ts';
import { report } from './kit/report.ts';
import { bodiesOf } from './kit/valid-values.ts';

/** An unknown id of the same kind. */
const unknownIdLike = (id: string): string => {
  if (id.startsWith('+')) return newPhone();
  const prefix = /^([a-z]+)_/.exec(id)?.[1];
  return prefix ? typeId(prefix).create() : randomUUID();
};

/** Every subset of the slots. */
const choicesOf = ([slot, ...others]: readonly string[]): string[][] => {
  if (slot === undefined) return [];
  const without = choicesOf(others);
  return [[slot], ...without, ...without.map((each) => [slot, ...each])];
};

/** Whether a response has no records: an empty list, statistics of no calls, or a CSV file with its header alone. */
const isEmpty = ({ body, text }: Reply): boolean => {
  if (!body) return text.trimEnd().split('\r\n').length === 1;
  const { data, pagination } = body;
  // The activity of contacts has an entry for each id in the request.
  if (Array.isArray(data) && !pagination) return data.every(({ last_at }) => last_at === null);
  return (pagination?.total ?? data.calls ?? (data.duplicates ?? data.versions).length) === 0;
};

/** Headers that change a response. Every request has a new idempotency key. */
const FRESH = 'fresh';
const valuesOf = (header: string) => (header === 'Idempotency-Key' ? [FRESH] : ['*', '"other"']);
const withNewKeys = (headers: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value === FRESH ? randomUUID() : value]),
  );

onEveryEngine('Isolation of workspaces in every API', (service) => {
  const random = new Random('isolation');
  let client: Client;
  let operations: Operation[];
  let caller: Caller;
  let otherCaller: Caller;
  before(async () => {
    client = clientOf(service.url);
    operations = await documentedOperations(client);
    caller = await makeCaller(service, client);
    otherCaller = await makeOtherCaller(service, client);
  });
  after(() => client.close());

  /** The records of the other workspace, as its owner reads them. */
  const readOtherRecords = async () => {
    const seen = [];
    for (const operation of operations.filter(({ method }) => method === 'GET')) {
      const { status, text } = await otherCaller.send(operation);
      // Reading updates the last use of the key. A request with a wrong secret is an error of the integration.
      const unchanged = text
        .replace(/"last_used_at":[^,}]+|"request_id":"[^"]+"/g, '')
        // Background work compares contacts.
        .replace(/"status":"(?:current|updating)"/, '')
        .replace(/\{"at":[^{}]+"code":"UNAUTHORIZED"[^{}]+\}/, '');
      seen.push([nameOf(operation), status, unchanged]);
    }
    return seen;
  };

  /** Compares the responses for another workspace's ids and for unknown ids, without the ids themselves. */
  const compare = async (operation: Operation, given: (ids: (id: string) => string) => RequestParts) => {
    const sendWith = async (
      choose: (id: string) => string,
    ): Promise<[ReturnType<typeof comparableReply>, Reply]> => {
      const chosen: string[] = [];
      const note = (id: string) => {
        chosen.push(choose(id));
        return chosen.at(-1) as string;
      };
      const reply = await caller.send(operation, given(note));
      const plain = comparableReply(reply);
      return [{ ...plain, text: chosen.reduce((text, id) => text.replaceAll(id, 'ID'), plain.text) }, reply];
    };
    const [[foreign, reply], [nothing]] = [await sendWith((id) => id), await sendWith(unknownIdLike)];
    assert.deepEqual(foreign, nothing, nameOf(operation));
    return reply;
  };

  test('A foreign id in any path parameter gets the same answer as an unknown one', async () => {
    const before = await readOtherRecords();
    let [slots, answers] = [0, 0];
    const ids = (kind: string) => caller.records[kind as keyof typeof caller.records].id;
    // A phone number is no id: a PUT creates a contact with the number of another workspace.
    for (const operation of operations.filter(({ operationId }) => operationId !== 'upsertContact')) {
      const { source, method, template, headers } = operation;
      const prefixed = source === 'api' ? [template, `/api${template}`] : [template];
      const conditions = [
        {},
        ...headers.flatMap(({ name }) => valuesOf(name).map((value) => ({ [name]: value }))),
      ];
      // The kind of an identity names no record.
      for (const chosen of choicesOf(operation.slots.filter((slot) => slot !== 'kind'))) {
        const statuses = new Set<number>();
        slots++;
        const bodies = [...bodiesOf(operation, random, ids), { unknown: 1 }];
        for (const [index, body] of (method === 'GET' ? [undefined] : bodies).entries()) {
          for (const condition of conditions) {
            // The second prefix is removed before the route is found, so it is sent with one body only.
            for (const path of index === 0 ? prefixed : [template]) {
              for (const verb of method === 'GET' ? ['GET', 'HEAD'] : [method]) {
                const reply = await compare({ ...operation, template: path }, (put) => ({
                  method: verb,
                  headers: withNewKeys(condition),
                  ...(body !== undefined && { body }),
                  params: Object.fromEntries(
                    chosen.map((slot) => [slot, put(pathValue(otherCaller.records, operation, slot))]),
                  ),
                }));
                statuses.add(reply.status);
                answers++;
              }
            }
          }
        }
        const expected = source === 'hooks' ? 401 : 404;
        assert.ok(statuses.delete(expected), `${nameOf(operation)} with ${chosen}: ${[...statuses]}`);
        // An invalid body is rejected before the record is looked up.
        assert.deepEqual(
          [...statuses],
          statuses.size > 0 ? [400] : [],
          `${nameOf(operation)} with ${chosen}`,
        );
      }
    }
    assert.deepEqual(await readOtherRecords(), before);
    report(`isolation.${service.database.database.engine}`, {
      operations: operations.length,
      slots,
      answers_compared: answers,
      differences: 0,
    });
  });

  test('A foreign id in any field or query gets the same answer as an unknown one', async () => {
    const before = await readOtherRecords();
    let fields = 0;
    const ids = (kind: string) => caller.records[kind as keyof typeof caller.records].id;
    for (const operation of operations) {
      const { body, query } = operation;
      for (const { name } of query) {
        const kind = referencedKind(name);
        if (!kind) continue;
        fields++;
        const reply = await compare(operation, (put) => ({
          query: `${name}=${put(otherCaller.records[kind].id)}`,
        }));
        assert.ok(reply.status === 404 || isEmpty(reply), `${nameOf(operation)} ${name}: ${reply.text}`);
      }
      for (const [name, schema] of Object.entries<Json>(body?.properties ?? {})) {
        const kind = referencedKind(name);
        if (!kind) continue;
        fields++;
        const filled = bodiesOf(operation, random, ids).find((each) => name in each);
        const foreign = otherCaller.records[kind].id;
        await compare(operation, (put) => ({
          body: { ...filled, [name]: schema.type === 'array' ? [put(foreign)] : put(foreign) },
        }));
      }
    }
    assert.ok(fields > 5, `${fields} fields`);
    assert.deepEqual(await readOtherRecords(), before);
  });
});
