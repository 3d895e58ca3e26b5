import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { version } from '../../src/lib/version.ts';
import { newWebhookSecret } from '../../src/lib/webhook-signature.ts';
import { eventIdExample } from '../../src/records/event.id.ts';
import { engines, type TestDatabase } from '../kit/database/engines.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { type RunningRoster, runRoster, startRoster, startRosterWithHead } from '../kit/process/cli.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onSqlite, startTestService, type TestService } from '../kit/service/test-service.ts';
import { answer, type ReceivedWebhook, startReceiver } from '../kit/webhooks/receiver.ts';

const createContact = async ({ post }: Pick<TestService, 'post'>, fields: Json = {}): Promise<Json> => {
  const { status, body } = await post('/v1/contacts', { phone_number: newPhone(), ...fields });
  assert.equal(status, 201);
  return body.data;
};

const hasStarted = ({ stderr }: RunningRoster) => /Press Ctrl\+C to stop\.\n/.test(stderr());
const secretOf = ({ stderr }: RunningRoster) => /export WEBHOOK_SECRET=(\S+)\n/.exec(stderr())?.[1] ?? '';

const verify = (secret: string, { body, headers }: ReceivedWebhook) =>
  new Webhook(secret).verify(body, { ...headers });

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`The commands that follow events on ${engine}`, () => {
    it('events tail and webhooks listen miss and repeat no event when the service restarts', async (t) => {
      const database: TestDatabase = await engines[engine]();
      let service = await startTestService(database);
      const port = Number(new URL(service.url).port);
      await createContact(service);
      const key = await createScopedKey(database, 'events:read');
      const receiver = await startReceiver(t, answer(200));
      const tail = startRoster({ PORT: `${port}`, ROSTER_KEY: key }, 'events', 'tail', '--json');
      const listen = startRoster(
        { ROSTER_URL: service.url, ROSTER_KEY: key },
        ...['webhooks', 'listen', '--forward', `http://localhost:${receiver.port}/hooks?a=1`],
      );
      const both = [tail, listen];
      try {
        await Promise.all(both.map((each) => each.until(() => hasStarted(each))));
        const created = [await createContact(service, { first_name: 'Ada ☎ "}]\u001b[31m' })];
        await Promise.all(both.map((each) => each.until(() => each.lines().length === 1)));
        await service.stop();
        await Promise.all(
          both.map((each) => each.until(() => /Retrying until it answers/.test(each.stderr()))),
        );
        const other = await startTestService(database);
        created.push(await createContact(other), await createContact(other));
        await other.stop();
        service = await startTestService(database, { port });
        await Promise.all(both.map((each) => each.until(() => /Connected again\.\n/.test(each.stderr()))));
        created.push(await createContact(service));
        await Promise.all(both.map((each) => each.until(() => each.lines().length === created.length)));

        const page = await service.get('/v1/events?types=contact.created', { key });
        const [, ...events] = page.body.data.events;
        assert.deepEqual(
          tail.lines().map((line) => JSON.parse(line)),
          events,
        );
        assert.deepEqual(
          events.map(({ subject_id }: Json) => subject_id),
          created.map(({ id }) => id),
        );
        const { requests } = receiver;
        for (const request of requests)
          assert.equal((verify(secretOf(listen), request) as Json).id, request.headers['webhook-id']);
        assert.ok(requests.every(({ path }) => path === '/hooks?a=1'));
        assert.deepEqual(
          requests.map(({ body }) => body),
          events.map((event: Json) => JSON.stringify(event)),
        );
        for (const { headers } of requests)
          assert.deepEqual(
            [headers['content-type'], headers['user-agent']],
            ['application/json', `Roster/${version}`],
          );
        assert.equal(await tail.stop(), 130);
        assert.equal(await listen.stop('SIGTERM'), 130);
        assert.match(
          listen.stderr(),
          new RegExp(
            `\\nDelivered 4 events, skipped 0\\. To continue after the last one: --after ${events.at(-1).id}\\n$`,
          ),
        );
      } finally {
        for (const each of both) await each.stop('SIGKILL');
        await service.stop();
        await database.drop();
      }
    });
  });
}

onSqlite('The commands that follow events', (service) => {
  let key: string;
  let environment: Record<string, string>;
  let contact: Json;
  before(async () => {
    key = await createScopedKey(service.database, 'events:read');
    environment = { ROSTER_URL: `${service.url}/`, ROSTER_KEY: key };
    contact = await createContact(service);
    await service.patch(`/v1/contacts/${contact.id}`, { first_name: 'Ada', company: 'Analytical' });
  });

  it('events tail prints a line with time, type, subject, changed fields and actor', async () => {
    const run = (more: Record<string, string>, ...args: string[]) =>
      runRoster({ ...environment, ...more }, 'events', 'tail', '--once', ...args);
    const [plain, updated, colored, nothing] = await Promise.all([
      run({}, '--after', 'oldest'),
      run({}, '--after', 'oldest', '--types', 'contact.updated,contact.deleted'),
      run({ FORCE_COLOR: '1' }, '--after', 'oldest', '--types', 'contact.created'),
      run({}),
    ]);
    const [first = '', second = ''] = plain.stdout.split('\n');
    assert.match(first, /^\d{4}-\d\d-\d\dT[\d:.]+Z {2}contact\.created {5}contact_\w+ {2}by environment$/);
    assert.ok(first.includes(contact.id), first);
    assert.match(second, /contact\.updated +contact_\w+ {2}first_name,company {2}by environment$/);
    assert.deepEqual([plain.status, plain.stderr, plain.stdout.split('\n').length], [0, '', 3]);
    assert.equal(updated.stdout, `${second}\n`);
    assert.match(colored.stdout, /^\S+ {2}\S+\[32mcontact\.created/);
    assert.deepEqual([nothing.status, nothing.stdout], [0, '']);
  });

  it('events tail ends without an error when the reader of its pipe ends', async () => {
    const tail = startRosterWithHead(environment, 1, 'events', 'tail', '--after', 'oldest');
    await tail.until(() => tail.lines().length === 1);
    for (const deadline = Date.now() + 30_000; !tail.hasEnded() && Date.now() < deadline; await pause(50))
      await createContact(service);
    assert.equal(await tail.stop(), 0);
    assert.match(tail.stdout(), /^\S+ {2}contact\.created .*\n$/);
    assert.match(
      tail.stderr(),
      /^Following the events of \S+, (?:from now on \(--after oldest [a-z ]+\)|from the first stored event|after \S+)\. Press Ctrl\+C to stop\.\n$/,
    );
  });

  it('webhooks listen retries a failed delivery, skips it after four attempts, and continues', async (t) => {
    const secret = newWebhookSecret();
    await createContact(service);
    const { body } = await service.get('/v1/events?limit=2&payload=thin', { key });
    const [refused, gone] = body.data.events;
    const receiver = await startReceiver(t, (socket, request) => {
      const id = request.headers['webhook-id'];
      answer(id === refused.id ? 500 : id === gone.id ? 410 : 204, {}, '')(socket, request);
    });
    const listen = startRoster(
      { ...environment, WEBHOOK_SECRET: secret },
      ...['webhooks', 'listen', '--forward', `http://127.0.0.1:${receiver.port}`],
      ...['--after', 'oldest', '--types', 'contact.created,contact.updated', '--payload', 'thin'],
    );
    try {
      await listen.until(() => listen.lines().length > 5);
      const ids = receiver.requests.map(({ headers }) => headers['webhook-id']);
      assert.deepEqual(ids.slice(0, 5), [...Array(4).fill(refused.id), gone.id]);
      for (const request of receiver.requests) verify(secret, request);
      assert.deepEqual(JSON.parse(receiver.requests[0]?.body ?? ''), refused);
      assert.equal(refused.data, null);
      const lines = listen.lines();
      assert.match(
        lines[0] ?? '',
        /^contact\.created +event_\w+ {2}500 {2}\d+ ms {2}The receiver answered 500\. .* Retrying in 0\.5 seconds\.$/,
      );
      assert.match(lines[3] ?? '', / Skipped after 4 attempts\.$/);
      assert.match(lines[4] ?? '', / 410 .* Skipped: the service would disable the endpoint\.$/);
      assert.match(lines[5] ?? '', /^contact\.created +event_\w+ {2}204 {2}\d+ ms$/);
      assert.doesNotMatch(listen.stderr() + listen.stdout(), /whsec_/);
      assert.equal(await listen.stop(), 130);
      assert.match(
        listen.stderr(),
        /\nDelivered \d+ events?, skipped 2\. To continue after the last one: --after event_\w+\n$/,
      );
    } finally {
      await listen.stop('SIGKILL');
    }
  });

  it('A service that refuses or does not have the feed is described, with exit status 1', async (t) => {
    const readWrite = await createScopedKey(service.database, 'contacts:read');
    const other = await startReceiver(t, answer(200, {}, '<html>'));
    const moved = await startReceiver(t, answer(301, { Location: 'https://roster.example.com/' }));
    const cases: [Record<string, string>, string[], RegExp][] = [
      [
        { ROSTER_KEY: '' },
        [],
        /^Set ROSTER_KEY to an API key with the scope events:read\. Create .*key create/,
      ],
      [
        { ROSTER_KEY: 'rk_unknown_0123456789' },
        [],
        /^The service does not accept .*\(401\)\. .*--scope events:read\n$/,
      ],
      [{ ROSTER_KEY: 'a b' }, [], /^ROSTER_KEY must be an API key/],
      [
        { ROSTER_KEY: readWrite },
        [],
        /does not have the scope events:read \(403\)\. .*--scope events:read\n$/,
      ],
      [{}, ['--after', eventIdExample], /no longer has the event event_\w+ .*\(410\).*--after latest\.\n$/],
      [
        {},
        ['--url', 'http://127.0.0.1:2'],
        /^The service at http:\/\/127\.0\.0\.1:2 does not answer: no program listens on this port\.\n$/,
      ],
      [{}, ['--url', `http://127.0.0.1:${other.port}`], /^Roster does not answer at .* \(status 200\)\./],
      [
        {},
        ['--url', `${service.url}/v1`],
        /^Roster does not answer at .* \(status 404\)\. .*without \/v1\.\n$/,
      ],
      [{}, ['--url', `http://127.0.0.1:${moved.port}`], /redirects to https:\/\/roster\.example\.com\/\. /],
      [{ ROSTER_URL: 'roster.example.com' }, [], /^ROSTER_URL must be a URL such as/],
    ];
    await Promise.all(
      cases.map(async ([more, args, message]) => {
        const { status, stdout, stderr } = await runRoster(
          { ...environment, ...more },
          'events',
          'tail',
          ...args,
        );
        assert.match(stderr, message);
        assert.deepEqual([status, stdout], [1, ''], stderr);
      }),
    );
  });
});

describe('The arguments of the commands that follow events', () => {
  const FORWARD = ['--forward', 'http://localhost:3001'];
  for (const [args, message, exit = 2] of [
    [['events'], /^Usage:\n {2}roster events tail /],
    [
      ['events', 'tail', '--after', 'event_1'],
      /^--after must be the id of an event, such as event_\w+, or latest or oldest, not event_1\.\n$/,
    ],
    [
      ['events', 'tail', '--types', 'contact.created,contact.moved'],
      /^--types must be types of events, separated by commas: contact\.created, /,
    ],
    [['events', 'tail', '--url', 'http://me:secret@127.0.0.1'], /^--url must be .*without user name/],
    [['events', 'tail', '--api-key', 'x'], /Set the environment variable ROSTER_KEY instead\./],
    [['webhooks', 'listen'], /^--forward is required\.\nUsage:\n {2}roster webhooks listen /],
    [['webhooks', 'listen', '--forward', 'localhost:3001'], /^--forward is not valid\. Send an absolute URL/],
    [['webhooks', 'listen', ...FORWARD, '--payload', 'fat'], /^--payload must be one of/],
    [['webhooks', 'listen', ...FORWARD], /^WEBHOOK_SECRET must be whsec_/, 1],
  ] as const) {
    it(`roster ${args.join(' ')} is refused with a message`, async () => {
      const environment = { ROSTER_KEY: 'rk_test_0123456789', WEBHOOK_SECRET: 'secret' };
      const { status, stdout, stderr } = await runRoster(environment, ...args);
      assert.match(stderr, message);
      assert.deepEqual([status, stdout], [exit, '']);
    });
  }
});
