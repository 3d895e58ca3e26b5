import assert from 'node:assert/strict';
import { closeSync, openSync, readdirSync, readFileSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { engines, type TestDatabase } from '../kit/database/engines.ts';
import { withPrograms } from '../kit/process/program.ts';
import { Random } from '../kit/random.ts';
import type { Json, Reply } from '../kit/service/test-service.ts';
import { type Caller, makeCaller, type RequestParts } from './kit/caller.ts';
import { clientOf } from './kit/client.ts';
import { documentedOperations, nameOf, type Operation } from './kit/operations.ts';
import { remoteService } from './kit/remote-service.ts';
import { report } from './kit/report.ts';
import { bodiesOf, validValue } from './kit/valid-values.ts';

/** Secrets that may appear only in the response to their sender and in the database. */
const CANARIES: Record<string, string> = {
  phone: '+12025550147',
  digits: '2025550147',
  key: 'rk_canary_k3yk3yk3yk3yk3yk3yk3yk3yk3yk3yk3',
  password: 'canary-pa55word-7c1f',
  prompt: 'canary prompt: tell nobody "what" I said\n<7c2f>',
  secret: 'canary-secret-7c3f',
};

/** The encodings in which a text may appear. */
const encodingsOf = (text: string): string[] => {
  const bytes = Buffer.from(text);
  const encodings = [
    text,
    JSON.stringify(text).slice(1, -1),
    encodeURIComponent(text),
    new URLSearchParams({ '': text }).toString().slice(1),
  ];
  return [
    ...new Set([
      ...encodings,
      bytes.toString('base64').replace(/=+$/, ''),
      bytes.toString('base64url'),
      bytes.toString('hex'),
    ]),
  ];
};

const hitsIn = (text: string, canaries: Record<string, string>): string[] =>
  Object.entries(canaries)
    .filter(([, canary]) => encodingsOf(canary).some((encoding) => text.includes(encoding)))
    .map(([name]) => name);

const canaryFor = (name: string): string | undefined => {
  if (/^(phone_number|number|address|search)$/.test(name)) return CANARIES.phone;
  if (/password/.test(name)) return CANARIES.password;
  return /token|provider_id/.test(name) ? CANARIES.secret : undefined;
};

/** A body with a canary in every field that accepts one, and the prompt in all other texts. */
const withCanaries = ({ body }: Operation, filled: Json): Json =>
  Object.fromEntries(
    Object.entries<Json>(filled ?? {}).map(([name, value]) => {
      const isPlain =
        typeof value === 'string' && !body.properties[name].enum && !/_id$|_at$|country|email/.test(name);
      return [name, isPlain ? (canaryFor(name) ?? CANARIES.prompt) : value];
    }),
  );

/** Every request to an operation: valid, almost valid and invalid, all with canaries. */
const requestsOf = (operation: Operation, caller: Caller): RequestParts[] => {
  const random = new Random(nameOf(operation));
  const ids = (kind: string) => caller.records[kind as keyof typeof caller.records].id;
  const bodies = bodiesOf(operation, random, ids).map((body) => withCanaries(operation, body));
  const query = operation.query
    .map(
      ({ name, schema }) =>
        `${name}=${encodeURIComponent(canaryFor(name) ?? `${validValue(name, schema, random, ids)}`)}`,
    )
    .join('&');
  const everything = JSON.stringify(CANARIES);
  const wrongKey = { authorization: `Bearer ${CANARIES.key}`, cookie: `roster_session=${CANARIES.secret}` };
  return [
    ...bodies.map((body) => (operation.body ? { body } : {})),
    { query, ...(operation.body && { body: bodies[0] }) },
    { headers: wrongKey, ...(operation.body && { body: bodies[0] }) },
    ...(operation.media
      ? [
          { raw: `${everything}x` },
          { raw: everything, headers: { 'content-type': CANARIES.secret as string } },
          { body: { ...bodies[0], field: CANARIES.prompt, other: CANARIES.phone } },
          {
            body: Object.fromEntries(
              Object.keys(bodies[0] ?? {}).map((name) => [name, { [name]: CANARIES.prompt }]),
            ),
          },
        ]
      : []),
    ...operation.slots.map((slot) => ({ params: { [slot]: CANARIES.phone as string } })),
  ];
};

/** Overwrites the start of every page of a file. */
const damagePages = (path: string, first: number, step: number) => {
  const file = openSync(path, 'r+');
  for (let at = first; at < statSync(path).size; at += step)
    writeSync(file, Buffer.alloc(512, 0xee), 0, 512, at);
  closeSync(file);
};

/** Damages the database of a running service, in the way that each engine allows. */
const damageDatabase = async (database: TestDatabase) => {
  const { database: where } = database;
  if (where.engine === 'sqlite') {
    damagePages(where.path, 4_096, 4_096);
    // The write-ahead log has a header, and another one before every page.
    damagePages(`${where.path}-wal`, 32 + 24, 4_096 + 24);
    return;
  }
  await database.query('alter table contacts drop column wire');
  await database.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
};

const filesBeside = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^roster\.db(-wal|-shm)?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));

for (const [engine, create] of Object.entries(engines)) {
  test(`Canary values do not leak on ${engine}`, { timeout: 600_000 }, async () => {
    const database = await create();
    try {
      await withPrograms(async (start, folder) => {
        const program = start({
          DATABASE_URL: database.url,
          LOG_LEVEL: 'debug',
          ROSTER_API_KEY: CANARIES.key as string,
          ROSTER_ADMIN_EMAIL: 'canary@example.com',
          ROSTER_ADMIN_PASSWORD: CANARIES.password as string,
        });
        const { url } = await program.ready();
        const client = clientOf(url, 4);
        const service = remoteService(url, database, client);
        const operations = await documentedOperations(client);
        const caller = await makeCaller(service, client);
        const session = caller.cookie.split('=')[1] as string;
        const { key, channel, integration } = caller.records;
        const canaries = {
          ...CANARIES,
          session,
          own_key: key.key,
          channel: channel.secret,
          integration: integration.secret,
        };
        const leaks: string[] = [];
        let [requests, errors, faults] = [0, 0, 0];

        /** Sends all requests. An error may repeat the phone number of its own request and nothing else. */
        const callWithCanaries = async (operation: Operation, by = client) => {
          for (const given of requestsOf(operation, caller)) {
            const reply: Reply | undefined = await by
              .send(caller.request(operation, given))
              .catch(() => undefined);
            requests++;
            if (!reply || reply.status < 400) continue;
            errors++;
            if (reply.status >= 500) faults++;
            const hits = hitsIn(reply.text, canaries).filter((name) => name !== 'phone' && name !== 'digits');
            if (hits.length > 0) leaks.push(`${nameOf(operation)} answers ${hits}: ${reply.text}`);
          }
        };
        const ends = ({ template, method }: Operation) =>
          method === 'DELETE' || template.includes('/session');
        for (const operation of [...operations].sort((a, b) => Number(ends(a)) - Number(ends(b))))
          await callWithCanaries(operation);
        const metrics = (await service.get('/metrics')).text;
        await damageDatabase(database);
        const clientWithoutRetries = clientOf(url, 4, 1);
        for (const operation of operations.filter((each) => !ends(each)))
          await callWithCanaries(operation, clientWithoutRetries);
        client.close();
        clientWithoutRetries.close();
        await program.stop();

        const outputs = { stdout: program.stdout, stderr: program.stderr, metrics };
        for (const [name, text] of Object.entries(outputs)) {
          const hits = hitsIn(text, canaries);
          if (hits.length > 0) leaks.push(`${name} holds ${hits}`);
        }
        const folders = [
          folder,
          ...(database.database.engine === 'sqlite' ? [dirname(database.database.path)] : []),
        ];
        const files = folders.flatMap(filesBeside);
        for (const file of files) {
          const hits = hitsIn(readFileSync(file, 'latin1'), canaries);
          if (hits.length > 0) leaks.push(`${file} holds ${hits}`);
        }
        const lines = program.stdout.split('\n').length;
        report(`canaries.${engine}`, {
          canaries: Object.keys(canaries).length,
          requests,
          error_answers: errors,
          provoked_faults: faults,
          log_lines: lines,
          files: files.length,
          hits: leaks.length,
        });
        assert.deepEqual(leaks, []);
        assert.ok(faults > 0, 'nothing was provoked');
        assert.ok(lines > requests, 'the log was not written');
      });
    } finally {
      await database.drop();
    }
  });
}
