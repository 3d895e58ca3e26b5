import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { userPath } from '../kit/dashboard/user-path.ts';
import { engines } from '../kit/database/engines.ts';
import { fetchWithKey, type Program, withPrograms } from '../kit/process/program.ts';
import { type ReceivedSpan, startOtlpReceiver } from '../kit/service/otlp-receiver.ts';
import { KEY } from '../kit/service/test-service.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

/** Every attribute that a span may have. */
const ATTRIBUTES = new Set([
  'http.request.method',
  'http.route',
  'http.response.status_code',
  'url.scheme',
  'error.type',
  'db.system.name',
  'db.operation.name',
  'roster.operation.kind',
]);

const PERSON = {
  phone_number: '+14155550143',
  first_name: 'Canaryfirst',
  last_name: 'Canarylast',
  email: 'canary@example.com',
  notes: 'canary-note',
  tags: ['canary-tag'],
};
const CANARIES = [/canary/i, /4155550143/, /4155550144/, /192\.0\.2\.7/, new RegExp(KEY)];

const settings = (url: string) => ({
  ROSTER_API_KEY: KEY,
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_BSP_SCHEDULE_DELAY: '50',
});

/** Signs in with the link of the startup message. */
const signIn = async (url: string, link = '') => {
  const response = await fetch(`${url}/dashboard/api/session/link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: link.split('#')[1] }),
  });
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
  return async (method: string, path: string, body?: string, type = 'application/json') => {
    const headers = { cookie, origin: url, 'content-type': type };
    const reply = await fetch(url + userPath(method, path), { method, headers, ...(body && { body }) });
    return (await reply.json()) as { data: { id: string; state: string } };
  };
};

/** Uses many features with values that must not leave the machine. */
const useEverything = async (program: Program): Promise<string> => {
  const { url, signIn: link } = await program.ready();
  const call = (path: string, init: RequestInit = {}) => fetchWithKey(`${url}${path}`, KEY, init);
  const made = await call('/v1/contacts', { method: 'POST', body: JSON.stringify(PERSON) });
  const { data } = (await made.json()) as { data: { id: string } };
  await call('/v1/contacts', { method: 'POST', body: JSON.stringify(PERSON) });
  await call('/v1/contacts', { method: 'POST', body: '{"canary' });
  await call('/v1/contacts?search=canary&tag=canary-tag');
  await call('/canary/4155550143?canary=4155550143');
  await call(`/v1/contacts/${data.id}`, { method: 'PATCH', body: JSON.stringify({ notes: 'canary' }) });
  await fetch(`${url}/v1/agents`, {
    headers: {
      authorization: 'Bearer canary',
      'user-agent': 'canary',
      'x-forwarded-for': '192.0.2.7',
      tracestate: 'canary=canary',
      baggage: 'canary=canary',
      traceparent: 'canary',
    },
  });
  const dashboard = await signIn(url, link);
  const file = 'phone_number,first_name\n+14155550144,Canaryimport\n';
  const { data: imported } = await dashboard('POST', '/imports', file, 'text/csv');
  await dashboard('POST', `/imports/${imported.id}/apply`, '{}');
  for (let tries = 0; ; tries++) {
    if ((await dashboard('GET', `/imports/${imported.id}`)).data.state === 'applied') break;
    assert.ok(tries < 100, 'the import was not applied');
    await sleep(50);
  }
  const headers = { authorization: `Bearer ${KEY}`, traceparent: `00-${TRACE}-${PARENT}-01` };
  assert.equal((await fetch(`${url}/v1/contacts/${data.id}`, { headers })).status, 200);
  return data.id;
};

describe('Tracing', () => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    it(`Requests, operations and jobs have spans without personal data, on ${engine}`, async () => {
      const receiver = await startOtlpReceiver();
      const database = await engines[engine]();
      try {
        await withPrograms(async (start) => {
          const program = start({ ...settings(receiver.url), DATABASE_URL: database.url });
          const id = await useEverything(program);
          await fetch(`${(await program.ready()).url}/healthz`);
          assert.equal(await program.stop(), 0);
          assertSpans(receiver.spans, engine === 'sqlite' ? 'sqlite' : 'postgresql');
          assert.match(program.stdout, new RegExp(`"trace_id":"${TRACE}"`));
          for (const { body } of receiver.requests)
            for (const secret of [...CANARIES, new RegExp(id)])
              assert.doesNotMatch(body.toString('latin1'), secret);
        });
      } finally {
        receiver.stop();
        await database.drop();
      }
    });
  }

  it('The standard variables set endpoint, headers, service name and sampler', async () => {
    const receiver = await startOtlpReceiver();
    try {
      await withPrograms(async (start) => {
        const program = start({
          ...settings('http://127.0.0.1:9'),
          OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${receiver.url}/custom`,
          OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=abc,x-other=d',
          OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
          OTEL_SERVICE_NAME: 'contacts',
          OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
          OTEL_TRACES_SAMPLER: 'parentbased_always_off',
        });
        const { url } = await program.ready();
        const get = (headers: Record<string, string>) => fetch(`${url}/v1/agents`, { headers });
        await get({});
        await get({ traceparent: `00-${TRACE}-${PARENT}-00` });
        await get({ traceparent: `00-${TRACE}-${PARENT}-01` });
        assert.equal(await program.stop(), 0);
      });
      assert.deepEqual(
        receiver.spans.map(({ name, traceId, parentId }) => [name, traceId, parentId]),
        [['GET /v1/agents', TRACE, PARENT]],
      );
      const [request] = receiver.requests;
      assert.equal(request?.path, '/custom');
      assert.equal(request?.headers['content-type'], 'application/x-protobuf');
      assert.equal(request?.headers['x-api-key'], 'abc');
      const { resource } = receiver.spans[0] as ReceivedSpan;
      assert.equal(resource['service.name'], 'contacts');
      assert.equal(resource['deployment.environment.name'], 'test');
      assert.equal(resource['telemetry.sdk.name'], 'opentelemetry');
    } finally {
      receiver.stop();
    }
  });

  it('A collector that fails or does not answer affects neither requests nor the stop', async () => {
    const failing = await startOtlpReceiver(500);
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    try {
      await withPrograms(async (start, folder) => {
        const programs = [failing.url, silentUrl].map((url, at) =>
          start({
            ...settings(url),
            ROSTER_DATA_DIR: `${folder}/${at}`,
            // A stop that waited for an answer would not end before the test's own limit.
            OTEL_EXPORTER_OTLP_TIMEOUT: '600000',
          }),
        );
        await Promise.all(
          programs.map(async (program) => {
            const { url } = await program.ready();
            for (let times = 0; times < 20; times++)
              assert.equal((await fetchWithKey(`${url}/v1/agents`, KEY)).status, 200);
            await sleep(100);
            assert.equal(await program.stop(), 0);
          }),
        );
        assert.match(programs[0]?.stdout ?? '', /"message":"trace export failed"/);
      });
    } finally {
      failing.stop();
      silent.close();
    }
  });

  it('OTEL_SDK_DISABLED turns tracing off', async () => {
    const receiver = await startOtlpReceiver();
    try {
      await withPrograms(async (start) => {
        const program = start({ ...settings(receiver.url), OTEL_SDK_DISABLED: 'true' });
        const { url } = await program.ready();
        await fetchWithKey(`${url}/v1/agents`, KEY);
        await program.stop();
        assert.doesNotMatch(program.stdout, /trace_id/);
      });
      assert.deepEqual(receiver.requests, []);
    } finally {
      receiver.stop();
    }
  });

  it('The build loads the SDK only with a dynamic import', () => {
    const files = readdirSync('dist').filter((file) => file.endsWith('.js'));
    assert.ok(files.includes('opentelemetry.js'));
    const texts = files.map((file) => [file, readFileSync(`dist/${file}`, 'utf8')] as const);
    const matching = (pattern: RegExp) =>
      texts.filter(([, text]) => pattern.test(text)).map(([file]) => file);
    assert.deepEqual(matching(/(?:from|import) ?["']\.\/opentelemetry\.js["']/), []);
    assert.equal(matching(/import\(["']\.\/opentelemetry\.js["']\)/).length, 1);
    assert.deepEqual(matching(/node_modules\/@opentelemetry/), ['opentelemetry.js']);
  });
});

const assertSpans = (spans: readonly ReceivedSpan[], system: string) => {
  const named = (name: string) => spans.filter((span) => span.name === name);
  const [traced] = spans.filter(({ parentId }) => parentId === PARENT);
  assert.deepEqual(traced && { ...traced, spanId: '', resource: {} }, {
    traceId: TRACE,
    spanId: '',
    parentId: PARENT,
    name: 'GET /v1/contacts/:id',
    kind: 2,
    status: 0,
    attributes: {
      'http.request.method': 'GET',
      'url.scheme': 'http',
      'http.route': '/v1/contacts/:id',
      'http.response.status_code': 200,
    },
    resource: {},
  });
  const children = spans.filter(({ parentId }) => parentId === traced?.spanId);
  assert.deepEqual(
    children.map(({ name, kind, attributes }) => [name, kind, attributes]),
    [
      [
        'getContact',
        system === 'sqlite' ? 1 : 3,
        { 'db.system.name': system, 'db.operation.name': 'getContact', 'roster.operation.kind': 'read' },
      ],
    ],
  );
  const statuses = named('POST /v1/contacts').map(
    ({ attributes }) => attributes['http.response.status_code'],
  );
  // Each serving thread sends its own spans.
  assert.deepEqual(statuses.sort(), [201, 400, 409]);
  assert.deepEqual(
    named('GET').map(({ attributes }) => attributes['http.response.status_code']),
    [404],
    'a request without a route',
  );
  const [job] = named('job import.applying');
  assert.ok(job && job.parentId === '');
  assert.ok(spans.some(({ name, parentId }) => name === 'applyStep' && parentId === job.spanId));
  assert.ok(named('task audit_expiry').length > 0);
  assert.deepEqual(named('isJobDue'), [], 'polling has no spans');
  assert.deepEqual(named('GET /healthz'), [], 'probes have no spans');
  assert.ok(spans.every(({ status }) => status !== 2));
  for (const { attributes, resource } of spans) {
    assert.deepEqual([...new Set(Object.keys(attributes)).difference(ATTRIBUTES)], []);
    assert.equal(resource['service.name'], 'roster');
  }
};
