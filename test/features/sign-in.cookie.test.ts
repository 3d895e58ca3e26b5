import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { readConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/lib/log.ts';
import { type Service, startService } from '../../src/wiring/service.ts';
import { repeatLastFailure } from '../kit/dashboard/sign-in-failures.ts';
import { addDashboardUser, createSessionCookie, PASSWORD } from '../kit/dashboard/users.ts';
import { makeCertificate } from '../kit/http/certificate.ts';
import { onSqlite, type TestService } from '../kit/service/test-service.ts';

const EMAIL = 'ada@example.com';
const PLAIN = /^roster_session=rs_[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1209600$/;
/** The second one removes the cookie of older versions. */
const SECURE =
  /^__Host-roster_session=rs_[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1209600; Secure, roster_session=; [^,]*Max-Age=0; Secure$/;

/** Starts the service again on the same database with a different configuration. */
const another = (
  { database }: TestService,
  options: { trustProxy?: number; tls?: { cert: string; key: string } },
): Promise<Service> =>
  startService(
    {
      port: 0,
      host: '127.0.0.1',
      serveThreads: 1,
      database: database.database,
      dataDir: '',
      secretKeys: [Buffer.alloc(32, 1)],
      apiKey: 'rk_test_0123456789abcdefghijklmnop',
      admin: undefined,
      tls: options.tls,
      drainMs: 0,
      logLevel: 'error',
      logClientAddress: false,
      trustProxy: options.trustProxy ?? 0,
      auditDays: 365,
      importQuota: 1_000_000,
      eventDays: 30,
      moveTo: undefined,
      tracing: undefined,
      rateLimit: undefined,
      failureLimit: { quota: 60, windowMs: 60_000 },
      webhooks: readConfig({}).webhooks,
      backup: readConfig({}).backup,
    },
    createLog({ level: 'error', pretty: false, write: () => {} }),
  );

const send = (url: string, method: string, headers: Record<string, string>, body?: object) =>
  fetch(`${url}/dashboard/api/session`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });

const signInTo = (url: string, headers: Record<string, string> = {}, password = PASSWORD) =>
  send(url, 'POST', headers, { email: EMAIL, password });

onSqlite('Session cookie', (service) => {
  let behindProxy: Service;
  before(async () => {
    await addDashboardUser(service, EMAIL);
    behindProxy = await another(service, { trustProxy: 1 });
  });
  after(() => behindProxy?.stop());

  test('The session cookie is HttpOnly and SameSite, and not Secure over plain HTTP', async () => {
    const reply = await signInTo(service.url);
    assert.match(reply.headers.get('set-cookie') ?? '', PLAIN);
  });

  test('X-Forwarded-Proto from an untrusted client does not make the session cookie Secure', async () => {
    const reply = await signInTo(service.url, {
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'roster.example',
    });
    assert.match(reply.headers.get('set-cookie') ?? '', PLAIN);
  });

  test('The session cookie is Secure only behind a trusted proxy that uses HTTPS', async () => {
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'roster.example' };
    const reply = await signInTo(behindProxy.url, forwarded);
    assert.match(reply.headers.get('set-cookie') ?? '', SECURE);
    const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? '';
    const signOut = (headers: Record<string, string>) =>
      send(behindProxy.url, 'DELETE', { cookie, ...forwarded, ...headers });
    assert.equal((await signOut({ origin: behindProxy.url })).status, 403, 'the address behind the proxy');
    const wrongScheme = await signOut({ origin: 'http://roster.example' });
    assert.equal(wrongScheme.status, 403);
    assert.match(
      ((await wrongScheme.json()) as { error: { message: string } }).error.message,
      /the proxy must send X-Forwarded-Proto: http, and Roster must trust it \(TRUST_PROXY\)\.$/,
    );
    const left = await signOut({ origin: 'https://roster.example' });
    assert.equal(left.status, 200);
    assert.match(
      left.headers.get('set-cookie') ?? '',
      /^__Host-roster_session=;[^,]* Max-Age=0; Secure, roster_session=;[^,]* Max-Age=0; Secure$/,
    );

    const plain = await signInTo(behindProxy.url, { 'x-forwarded-proto': 'http' });
    assert.match(plain.headers.get('set-cookie') ?? '', PLAIN);
    assert.match((await signInTo(behindProxy.url)).headers.get('set-cookie') ?? '', PLAIN);
  });

  test('Behind HTTPS both cookie names open the session, and the __Host- name takes precedence', async () => {
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'roster.example' };
    const token = (await createSessionCookie(service.database, EMAIL)).split('=')[1];
    const currentUser = async (cookie: string) =>
      (await send(behindProxy.url, 'GET', { ...forwarded, cookie })).status;
    assert.equal(await currentUser(`roster_session=${token}`), 200, 'opened before the upgrade');
    assert.equal(await currentUser(`__Host-roster_session=${token}`), 200);
    assert.equal(await currentUser(`roster_session=planted; __Host-roster_session=${token}`), 200);
    assert.equal(await currentUser(`roster_session=${token}; __Host-roster_session=ended`), 401);
  });

  test('The session cookie is Secure over TLS', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'roster-test-'));
    const { cert, key } = makeCertificate();
    const tls = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
    writeFileSync(tls.cert, cert);
    writeFileSync(tls.key, key);
    const overTls = await another(service, { tls });
    try {
      const callWithHeaders = (method: string, headers: Record<string, string>, body?: object) =>
        new Promise<{ status: number | undefined; cookie: string }>((resolve, reject) => {
          const sent = request(
            `${overTls.url}/dashboard/api/session`,
            {
              method,
              ca: cert,
              agent: false,
              headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
            },
            (response) => {
              response.resume();
              const cookie = response.headers['set-cookie']?.join(', ') ?? '';
              resolve({ status: response.statusCode, cookie });
            },
          );
          sent.on('error', reject).end(body && JSON.stringify(body));
        });
      const { status, cookie } = await callWithHeaders('POST', {}, { email: EMAIL, password: PASSWORD });
      assert.equal(status, 200);
      assert.match(cookie, SECURE);
      const mine = { cookie: cookie.split(';')[0] as string };
      const plain = overTls.url.replace('https:', 'http:');
      assert.equal((await callWithHeaders('DELETE', { ...mine, origin: plain })).status, 403);
      assert.equal((await callWithHeaders('DELETE', { ...mine, origin: overTls.url })).status, 200);
    } finally {
      await overTls.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('Another address can sign in while one is locked out', async () => {
    const from = (address: string, password: string) =>
      signInTo(behindProxy.url, { 'x-forwarded-for': `10.9.9.9, ${address}` }, password);
    assert.equal((await from('192.0.2.1', 'not the password')).status, 401);
    await repeatLastFailure(service, 9);
    assert.equal((await from('192.0.2.1', PASSWORD)).status, 429);
    assert.equal((await from('192.0.2.2', PASSWORD)).status, 200);
  });
});
