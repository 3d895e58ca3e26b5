import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Random } from '../../kit/random.ts';
import { logLines } from '../../kit/service/health.ts';
import { type Json, onEveryEngine } from '../../kit/service/test-service.ts';
import { type Caller, makeCaller, makeOtherCaller, type RequestParts } from '../kit/caller.ts';
import { type Client, clientOf } from '../kit/client.ts';
import {
  brokenBody,
  headerText,
  mutatedBody,
  oddHeaders,
  oddQuery,
  unexpectedValue,
} from '../kit/mutations.ts';
import { everyNaughty } from '../kit/naughty-strings.ts';
import { documentedOperations, nameOf, type Operation, pathValue, recordKind } from '../kit/operations.ts';
import { Counter, report } from '../kit/report.ts';
import { validValue } from '../kit/valid-values.ts';

const IN_FLIGHT = 6;
/** New records are created after this many requests, because many of the old ones are deleted by then. */
const REQUESTS_PER_RECORD_SET = 10_000;
/** Operations that hash a password or export the whole workspace: only one of this many is sent. */
const EXPENSIVE_EVERY = 40;
const isExpensive = ({ template, body }: Operation) =>
  /\/session(\/|$)|\/export$/.test(template) || 'password' in (body?.properties ?? {});

/** Kinds of records that contain the caller's credentials: only others of their kind are deleted. */
const CREDENTIALS = new Set(['key', 'integration', 'channel']);

export interface FuzzOptions {
  readonly requests: number;
  readonly seed: string;
}

/** Sends generated valid and invalid requests to each engine. The same seed gives the same requests, apart from ids. */
export const fuzz = ({ requests, seed }: FuzzOptions): void => {
  onEveryEngine(`${requests} requests generated from the OpenAPI documents (seed ${seed})`, (service) => {
    let client: Client;
    let operations: Operation[];
    let caller: Caller;
    let otherCaller: Caller;
    const made = new Map<string, string[]>();
    const statuses = new Counter();
    const findings: string[] = [];

    before(async () => {
      client = clientOf(service.url, IN_FLIGHT);
      operations = await documentedOperations(client);
      otherCaller = await makeOtherCaller(service, client);
      caller = await makeCaller(service, client);
    });
    after(() => client.close());

    const idOf = (kind: string, random: Random): string => {
      const own = caller.records[kind as keyof typeof caller.records].id;
      const recent = made.get(kind) ?? [];
      const share = CREDENTIALS.has(kind) ? 1 : 0.6;
      return recent.length > 0 && random.chance(share) ? random.pick(recent) : own;
    };

    const paramsOf = (operation: Operation, random: Random): Record<string, string> =>
      Object.fromEntries(
        operation.slots.map((slot) => {
          const kind = recordKind(operation, slot);
          const isOwnCredential = operation.method === 'DELETE' && CREDENTIALS.has(kind) && !made.has(kind);
          if (operation.source === 'hooks' || slot === 'phone')
            return [slot, pathValue(caller.records, operation, slot)];
          if (!isOwnCredential && random.chance(0.8)) return [slot, idOf(kind, random)];
          const text = random.pick(everyNaughty).toWellFormed().slice(0, 200);
          return [slot, random.chance(0.3) ? otherCaller.records[kind].id : text || 'x'];
        }),
      );

    const queryOf = ({ query }: Operation, random: Random): string | undefined => {
      const ids = (kind: string) => idOf(kind, random);
      const pairs = query
        .filter(() => random.chance(0.3))
        .map(
          ({ name, schema }) =>
            `${name}=${encodeURIComponent(String(validValue(name, schema, random, ids)))}`,
        );
      if (random.chance(0.2)) return oddQuery(pairs, random);
      return pairs.length > 0 ? pairs.join('&') : undefined;
    };

    const bodyOf = (operation: Operation, random: Random): Pick<RequestParts, 'body' | 'raw'> => {
      const { body, media, method } = operation;
      if (!body) {
        if (media)
          return {
            raw: random.chance(0.5)
              ? `Phone,Name\n${JSON.stringify(unexpectedValue(random))},x\n`
              : brokenBody({}, random),
          };
        return random.chance(0.03) && method !== 'GET' ? { raw: brokenBody({}, random) } : {};
      }
      const required: string[] = body.required ?? [];
      const names = Object.keys(body.properties).filter(
        (name) => required.includes(name) || random.chance(0.35),
      );
      const ids = (kind: string) => idOf(kind, random);
      const validBody: Json = Object.fromEntries(
        names.map((name) => [name, validValue(name, body.properties[name], random, ids)]),
      );
      const which = random.next();
      if (which < 0.4) return { body: validBody };
      if (which < 0.8) return { body: mutatedBody(validBody, random) };
      return which < 0.98 ? { raw: brokenBody(validBody, random) } : {};
    };

    const headersOf = ({ headers }: Operation, random: Random): Record<string, string> => {
      const values = ['*', '"x"', random.letters(20), 'again', headerText(random.pick(everyNaughty))];
      const some = headers.filter(() => random.chance(0.2));
      return Object.fromEntries(some.map(({ name }) => [name, random.pick(values)]));
    };

    /** The problem with a request, if there is one. */
    const sendRandom = async (random: Random): Promise<string | undefined> => {
      let operation = random.pick(operations);
      while (isExpensive(operation) && !random.chance(1 / EXPENSIVE_EVERY))
        operation = random.pick(operations);
      const given = {
        params: paramsOf(operation, random),
        query: queryOf(operation, random),
        headers: { ...headersOf(operation, random), ...(random.chance(0.15) && oddHeaders(random)) },
        ...bodyOf(operation, random),
        ...(operation.method === 'GET' && random.chance(0.05) && { method: 'HEAD' }),
      } as RequestParts;
      const sent = caller.request(operation, given);
      const story = () =>
        `${sent.method} ${sent.path} ${JSON.stringify(sent.headers)} ${String(sent.body).slice(0, 500)}`;
      try {
        const reply = await client.send(sent);
        statuses.add(reply.status);
        if (reply.status >= 500) return `${reply.status} to ${story()}: ${reply.text}`;
        if (sent.method !== 'HEAD') operation.check(reply);
        // A replayed response is that of the first request.
        const isReplayed = reply.headers.has('idempotent-replayed');
        if (reply.status >= 400 && sent.method !== 'HEAD' && !isReplayed)
          assert.equal(reply.body.error.request_id, reply.headers.get('x-request-id'));
        const id = reply.status === 201 && reply.body.data.id;
        if (id) rememberCreated(operation, id);
        if (nameOf(operation) === 'DELETE /dashboard/api/session' && reply.status === 200)
          await renewRecords();
      } catch (error) {
        return `${(error as Error).message} after ${story()}`;
      }
    };

    const rememberCreated = ({ template }: Operation, id: string) => {
      const kind = recordKind(
        { source: 'api', template: `${template.replace('/by-phone/{phone}', '')}/{id}` },
        'id',
      );
      made.set(kind, [id, ...(made.get(kind) ?? [])].slice(0, 20));
    };

    /** All clients wait until the new records exist. */
    let ready = Promise.resolve();
    const renewRecords = () => {
      ready = ready.then(async () => {
        caller = await makeCaller(service, client);
        made.clear();
      });
      return ready;
    };

    test('Every generated request gets a documented response and no server error', async () => {
      let next = 0;
      const worker = async () => {
        while (next < requests) {
          await ready;
          const at = next++;
          if (at % REQUESTS_PER_RECORD_SET === REQUESTS_PER_RECORD_SET - 1) await renewRecords();
          const finding = await sendRandom(new Random(`${seed} ${at}`));
          if (finding) findings.push(`request ${at}: ${finding}`);
          if (findings.length >= 20) return;
          if (at % 1_000 === 999) assertQuietLog();
        }
      };
      await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
      assertQuietLog();
      const { engine } = service.database.database;
      report(`fuzz.${engine}`, {
        seed,
        requests: next,
        findings: findings.length,
        turned_away: client.shed,
        statuses: statuses.counts,
      });
      assert.deepEqual(findings, []);
    });

    /** Asserts that the log contains no error, and drops the checked lines. */
    const assertQuietLog = () => {
      const faults = logLines(service).filter(({ level }) => level === 'error');
      service.log.length = 0;
      assert.deepEqual(faults, []);
    };
  });
};
