import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newPhone } from '../../kit/fixtures/factories.ts';
import { Random } from '../../kit/random.ts';
import { type Json, onEveryEngine, type Reply } from '../../kit/service/test-service.ts';
import { type Caller, makeCaller, type RequestParts } from '../kit/caller.ts';
import { type Client, clientOf } from '../kit/client.ts';
import {
  documentedOperations,
  nameOf,
  type Operation,
  recordKind,
  referencedKind,
} from '../kit/operations.ts';
import { report } from '../kit/report.ts';
import { injections } from '../kit/sql-injections.ts';
import { validValue } from '../kit/valid-values.ts';

/** The parts that differ in every response: ids, times, tags, secrets and labels of versions. */
const NEW =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[a-z]+_[0-9a-hjkmnp-tv-z]{26}|\d{4}-\d\d-\d\dT[\d:.]+Z|(?:rk|rl|rs)_\w+_[\w-]{32}|(?:rint_|whsec_)[\w+/=-]+|"[\w-]{20,}"|req_\w+|"v\d+"|\+1\d{10}|k\d{8}/g;

/** A response without the text that was sent. A short text can occur by chance and is recognized by its quotes. */
const without = (text: string, sent: string) => {
  const written = JSON.stringify(sent);
  if (sent.length < 4) return text.replaceAll(written, '"SENT"');
  const inner = written.slice(1, -1);
  // Emails are stored in lower case.
  return [inner, inner.toLowerCase(), encodeURIComponent(sent)].reduce(
    (rest, each) => rest.replaceAll(each, 'SENT'),
    text,
  );
};

/** How long a request to another server took. */
const DURATION = /(?<="duration_ms":)\d+/;
/** A response without these parts and without the text that was sent. */
const comparable = ({ status, headers, text }: Reply, sent: string) => {
  const [duration = ''] = text.match(DURATION) ?? [];
  return {
    status,
    type: headers.get('content-type'),
    length: Number(headers.get('content-length')) - duration.length,
    text: without(text.replace(DURATION, ''), sent).replace(NEW, 'NEW'),
  };
};

let count = 0;
const numbered = () => `${++count}`.padStart(8, '0');
/** Unique values of equal length. */
const UNIQUE: Readonly<Record<string, () => string>> = {
  phone_number: newPhone,
  email: () => `u${numbered()}@example.com`,
  provider_id: numbered,
  key: () => `k${numbered()}`,
};

/** A part of a request that accepts a text. */
interface InjectionTarget {
  readonly operation: Operation;
  readonly name: string;
  /** A request with this text appended to a valid value. */
  readonly given: (payload: string, random: Random) => { given: RequestParts; sent: string };
}

/** Writes of single records: two equal requests have equal responses. Of others, such as a batch or the rotation of a secret,
 *  the second response depends on the first. */
const isRepeatable = ({ template }: Operation) =>
  /^\/v1\/(contacts|agents|campaigns|integrations)(\/\{id\})?$/.test(template);

const targetsOf = (operation: Operation, caller: Caller): InjectionTarget[] => {
  const { slots, query, body } = operation;
  const headers = isRepeatable(operation) ? operation.headers : [];
  const ids = (kind: string) => caller.records[kind as keyof typeof caller.records].id;
  const validBody = (random: Random): Json =>
    Object.fromEntries(
      (body?.required ?? []).map((name: string) => [
        name,
        UNIQUE[name]?.() ?? validValue(name, body.properties[name], random, ids),
      ]),
    );
  const put = (value: unknown, payload: string) => `${Array.isArray(value) ? value[0] : value}${payload}`;
  const place = (
    name: string,
    given: (sent: string, random: Random) => RequestParts,
    base: (random: Random) => unknown,
  ): InjectionTarget => ({
    operation,
    name: `${nameOf(operation)} ${name}`,
    given: (payload, random) => {
      const sent = put(base(random), payload);
      return { given: given(sent, random), sent };
    },
  });
  const body_ = (random: Random) => (body ? { body: validBody(random) } : {});
  return [
    ...slots.map((slot) =>
      place(
        slot,
        (sent, random) => ({ params: { [slot]: sent }, ...body_(random) }),
        () => caller.records[recordKind(operation, slot)].id,
      ),
    ),
    ...query.map(({ name, schema }) =>
      place(
        name,
        (sent) => ({ query: `${name}=${encodeURIComponent(sent)}` }),
        (random) => (name === 'tag' ? 'world' : validValue(name, schema, random, ids)),
      ),
    ),
    ...headers.map(({ name }) =>
      place(
        name,
        (sent, random) => ({ headers: { [name]: sent.replace(/[^\x20-\x7e]/g, '') }, ...body_(random) }),
        () => '"x"',
      ),
    ),
    ...Object.entries<Json>(body?.properties ?? {})
      .filter(([, { type, enum: words }]) => /string|array/.test(`${type}`) && !words)
      .filter(([name]) => !/password|token/.test(name))
      .map(([name, schema]) =>
        place(
          name,
          (sent, random) => ({
            body: { ...validBody(random), [name]: schema.type === 'array' ? [sent] : sent },
          }),
          (random) =>
            referencedKind(name)
              ? ids(referencedKind(name) as string)
              : validValue(name, schema, random, ids),
        ),
      ),
  ];
};

/** New records are created after this many pairs, because a contact accepts only a limited number of tags. */
const TARGETS_PER_RECORD_SET = 30;

/** Sends every `stride`-th pair to every target of every operation. Both texts of a pair must get the same response. */
export const injectPairs = (stride: number): void => {
  onEveryEngine('SQL injection', (service) => {
    let client: Client;
    let caller: Caller;
    let operations: Operation[];
    before(async () => {
      client = clientOf(service.url);
      operations = await documentedOperations(client);
      caller = await makeCaller(service, client);
    });
    after(() => client.close());

    test('SQL in any parameter or field is treated as plain text', async () => {
      const currentTargets = () => operations.flatMap((operation) => targetsOf(operation, caller));
      let targets = currentTargets();
      let pairs = 0;
      let longest = 0;
      const send = async ({ operation, given }: InjectionTarget, payload: string, seed: string) => {
        const { given: request, sent } = given(payload, new Random(seed));
        const began = performance.now();
        const reply = await caller.send(operation, request);
        longest = Math.max(longest, performance.now() - began);
        assert.ok(reply.status < 500, `${nameOf(operation)} ${payload}: ${reply.text}`);
        return comparable(reply, sent);
      };
      for (const at of targets.keys()) {
        for (const [index, [one, other]] of injections.entries()) {
          if ((index + at) % stride !== 0) continue;
          if (pairs % TARGETS_PER_RECORD_SET === TARGETS_PER_RECORD_SET - 1) {
            caller = await makeCaller(service, client);
            targets = currentTargets();
          }
          const place = targets[at] as InjectionTarget;
          const seed = `${at} ${index}`;
          assert.deepEqual(
            await send(place, one, seed),
            await send(place, other, seed),
            `${place.name}: ${one}`,
          );
          pairs++;
        }
      }
      const [agents] = await service.database.query('select count(*) as count from agents');
      assert.ok(Number(agents?.count) > 0);
      report(`injection.${service.database.database.engine}`, {
        places: targets.length,
        pairs,
        differences: 0,
        longest_ms: Math.round(longest),
      });
    });
  });
};
