import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { assertError } from '../kit/http/assertions.ts';
import {
  HTML,
  INDEX,
  REFERENCE,
  SCRIPT,
  SECRET,
  type StaticService,
  startStaticService,
} from '../kit/service/static-files.ts';
import type { Reply } from '../kit/service/test-service.ts';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

describe('URLs of the dashboard', () => {
  let pages: StaticService;
  const request: StaticService['request'] = (...args) => pages.request(...args);
  const header = (reply: Reply, name: string) => reply.headers.get(name);
  before(async () => {
    pages = await startStaticService();
  });
  after(() => pages?.stop());

  const assertPage = (reply: Reply) => {
    assert.equal(reply.status, 200, reply.text);
    assert.equal(header(reply, 'content-type'), 'text/html; charset=utf-8');
    assert.equal(header(reply, 'cache-control'), 'no-cache');
    assert.equal(header(reply, 'vary'), 'Accept, Accept-Encoding');
    assert.equal(reply.text, INDEX);
  };

  test('The page at / is public', async () => {
    assertPage(await request('/'));
    assertPage(await request('/', { accept: HTML }));
    assertPage(await request('/?from=mail', { accept: 'application/json' }));
  });

  test('Every unknown URL that a browser opens returns the page', async () => {
    for (const path of [
      '/welcome',
      '/contacts',
      '/contacts/contact_01m7ejqt4fe0ptmvnqzq5gaa14?tab=calls',
      '/agents/01890a5d-ac96-774b-bcce-b302099a8057/versions',
      '/settings/',
      '/V1/contacts',
      '/v11',
      '/apiary',
      '/dashboard',
      '/dashboard/apis',
      '/index.html',
      '//evil.example',
      '/%2e%2e/secret.txt',
    ]) {
      assertPage(await request(path, { accept: HTML }));
    }
  });

  test('Unknown URLs of other clients get a 404 error in JSON', async () => {
    for (const accept of ['', '*/*', 'application/json', 'text/*', 'text/html;q=0', 'text/htmlx']) {
      for (const path of ['/contacts', '/welcome', '/nowhere']) {
        assertError(await request(path, accept ? { accept } : {}), 404, 'NOT_FOUND');
      }
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      assertError(await request('/contacts', { accept: HTML }, method), 404, 'NOT_FOUND');
    }
  });

  test('Unknown URLs below the APIs and the static files do not return the page', async () => {
    for (const path of [
      '/v1',
      '/v1/',
      '/v1/nothing',
      '/v1/contacts/',
      '/api',
      '/api/v2/contacts',
      '/api/v1/nothing',
      '/dashboard/api',
      '/dashboard/api/nothing',
      '/hooks',
      '/hooks/nothing',
      '/docs/nothing',
      '/healthz/',
      '/readyz/now',
      '/metrics/',
      '/assets',
      '/assets/',
      '/assets/app-Old0.js',
    ]) {
      assertError(await request(path, { accept: HTML }), 404, 'NOT_FOUND');
    }
    assertError(await request('/v1/contacts', { accept: HTML }), 401, 'UNAUTHORIZED');
    assertError(await request('/dashboard/api/contacts', { accept: HTML }), 401, 'UNAUTHORIZED');
    assert.equal((await request('/docs', { accept: HTML })).text, REFERENCE);
    assertError(await request('/reference.html'), 404, 'NOT_FOUND');
    assert.equal((await request('/docs/', { accept: HTML })).text, (await request('/docs')).text);
    assert.equal((await request('/healthz', { accept: HTML })).text, '{"status":"ok"}');
  });

  test('The page loads nothing from other origins and cannot be framed', async () => {
    for (const path of ['/', '/contacts', '/assets/app-Ab12.js', '/favicon.svg']) {
      const reply = await request(path, { accept: HTML });
      assert.equal(header(reply, 'content-security-policy'), POLICY);
      assert.equal(header(reply, 'x-content-type-options'), 'nosniff');
      assert.equal(header(reply, 'referrer-policy'), 'same-origin');
      assert.equal(header(reply, 'cross-origin-opener-policy'), 'same-origin');
      assert.match(header(reply, 'permissions-policy') ?? '', /camera=\(\).*microphone=\(\)/);
      assert.match(header(reply, 'x-request-id') ?? '', /^req_/);
      assert.equal(header(reply, 'set-cookie'), null);
    }
  });

  test('Only files of the build are served, however a path is written', async () => {
    for (const path of [
      '/../secret.txt',
      '/assets/../../secret.txt',
      '/assets/..%2f..%2fsecret.txt',
      '/assets/%2e%2e/%2e%2e/secret.txt',
      '/assets/..\\..\\secret.txt',
      '/assets//app-Ab12.js',
      '/assets/./app-Ab12.js',
      '/assets/app-Ab12.js/',
      '/assets/app-Ab12.js%00',
      '/assets/app-Ab12.js%00.html',
      '/assets/app-Ab12%2ejs',
      '/assets/app-Ab12.js.br',
      '/assets/app-Ab12.js.gz',
      '/assets/APP-AB12.JS',
      '/index.html.br',
      '/.vite/manifest.json',
      '/.env',
      '/linked.txt',
      '/assets/__proto__',
      '/constructor',
      '/etc/passwd',
      `${pages.folder}/secret.txt`,
      `file://${pages.folder}/secret.txt`,
    ]) {
      for (const headers of [{}, { accept: HTML }] as Record<string, string>[]) {
        const reply = await request(path, headers);
        assert.equal(reply.text.includes(SECRET), false, path);
        assert.equal(reply.text.includes(SCRIPT), false, path);
        assert.ok(reply.status === 404 || reply.text === INDEX, `${path}: ${reply.status}`);
      }
    }
  });

  test('Static requests are counted and logged under a few names, without their URLs', async () => {
    await request('/welcome?token=hush', { accept: HTML });
    await request('/assets/app-Ab12.js');
    const routes = new Set(
      pages.log
        .join('')
        .split('\n')
        .filter((line) => line.includes('"request"'))
        .map((line) => JSON.parse(line).route),
    );
    for (const route of ['/', '/:page', '/assets/:file', 'unknown']) assert.ok(routes.has(route), route);
    assert.ok(routes.size < 20, [...routes].join(' '));
    assert.equal(pages.log.join('').includes('hush'), false);
  });

  test('Static files are read once and survive the removal of the build', async () => {
    rmSync(pages.folder, { recursive: true, force: true });
    assert.equal((await request('/assets/app-Ab12.js')).text, SCRIPT);
    assertPage(await request('/contacts', { accept: HTML }));
  });

  test('Without a build the page says what to do', async () => {
    const unbuilt = await startStaticService(join(pages.folder, 'nowhere'));
    for (const path of ['/', '/contacts']) {
      const reply = await unbuilt.request(path, { accept: HTML });
      assert.equal(reply.status, 200);
      assert.match(reply.text, /Run npm run build in the folder of Roster/);
      assert.equal(header(reply, 'content-security-policy'), POLICY);
    }
    assertError(await unbuilt.request('/assets/app-Ab12.js', { accept: HTML }), 404, 'NOT_FOUND');
    await unbuilt.stop();
  });
});
