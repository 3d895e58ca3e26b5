import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertError } from '../kit/http/assertions.ts';
import { RawConnection, requestBytes } from '../kit/http/raw-connection.ts';
import {
  HTML,
  INDEX,
  SCRIPT,
  STYLE,
  type StaticService,
  startStaticService,
} from '../kit/service/static-files.ts';
import type { Reply } from '../kit/service/test-service.ts';

describe('Static files of the dashboard', () => {
  let pages: StaticService;
  const request: StaticService['request'] = (...args) => pages.request(...args);
  const header = (reply: Reply, name: string) => reply.headers.get(name);
  before(async () => {
    pages = await startStaticService();
  });
  after(() => pages?.stop());

  test('Static files have their content types, and hashed names are cached permanently', async () => {
    const forever = 'public, max-age=31536000, immutable';
    for (const [path, type, caching, text] of [
      ['/assets/app-Ab12.js', 'text/javascript; charset=utf-8', forever, SCRIPT],
      ['/assets/app-Cd34.css', 'text/css; charset=utf-8', forever, STYLE],
      ['/assets/sans-Ef56.woff2', 'font/woff2', forever, 'a font'],
      [
        '/favicon.svg',
        'image/svg+xml; charset=utf-8',
        'no-cache',
        '<svg xmlns="http://www.w3.org/2000/svg"/>',
      ],
    ] as const) {
      const reply = await request(path);
      assert.equal(reply.status, 200);
      assert.equal(header(reply, 'content-type'), type);
      assert.equal(header(reply, 'cache-control'), caching);
      assert.equal(header(reply, 'vary'), 'Accept-Encoding');
      assert.equal(reply.text, text);
      const wrong = await request(path, {}, 'POST');
      assertError(wrong, 405, 'METHOD_NOT_ALLOWED');
      assert.equal(header(wrong, 'allow'), 'GET, HEAD');
    }
  });

  test('Static files are sent in the smallest encoding that the browser accepts', async () => {
    const get = (path: string, encoding?: string) =>
      fetch(pages.url + path, { headers: { 'accept-encoding': encoding ?? 'identity' } });
    for (const [encoding, expected] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip', 'gzip'],
      ['gzip;q=1.0, br;q=0', 'gzip'],
      ['BR', 'br'],
      ['br;q=0.000, gzip;q=0', null],
      ['deflate, zstd', null],
      ['identity', null],
      ['brx, xgzip', null],
    ] as const) {
      for (const [path, text] of [
        ['/assets/app-Ab12.js', SCRIPT],
        ['/assets/large-Gh78.js', SCRIPT],
        ['/', INDEX],
      ] as const) {
        const reply = await get(path, encoding);
        assert.equal(reply.headers.get('content-encoding'), expected, `${encoding} for ${path}`);
        const length = Number(reply.headers.get('content-length'));
        assert.ok(expected ? length < text.length : length === text.length);
        assert.equal(await reply.text(), text);
      }
    }
    const plain = await get('/assets/app-Cd34.css', 'br, gzip');
    assert.equal(plain.headers.get('content-encoding'), null);
    assert.equal(await plain.text(), STYLE);
  });

  test('Each encoding of a static file has its own ETag, and a match returns 304', async () => {
    const tags = new Set<string>();
    for (const path of ['/', '/assets/app-Ab12.js', '/assets/large-Gh78.js']) {
      for (const encoding of ['br', 'gzip', 'identity']) {
        const headers = { 'accept-encoding': encoding };
        const first = await fetch(pages.url + path, { headers });
        const etag = first.headers.get('etag') ?? '';
        assert.match(etag, /^"[\w-]{22}(?:;plain)?"$/);
        tags.add(etag);
        for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
          const reply = await request(path, { ...headers, 'if-none-match': known });
          assert.equal(reply.status, 304);
          assert.equal(reply.text, '');
          for (const name of ['etag', 'cache-control', 'vary', 'content-security-policy']) {
            assert.equal(header(reply, name), first.headers.get(name), name);
          }
          assert.equal(header(reply, 'content-encoding'), null);
        }
        const other = await fetch(pages.url + path, { headers: { ...headers, 'if-none-match': '"other"' } });
        assert.equal(other.status, 200);
      }
    }
    assert.equal(tags.size, 7, 'the two scripts have the same content, but one has no plain file');
  });

  test('HEAD on a static file returns the headers of GET without a body', async () => {
    for (const path of ['/', '/contacts', '/assets/app-Ab12.js']) {
      const connection = await RawConnection.open(pages.url);
      const headers = { authorization: null, accept: HTML };
      connection.write(requestBytes('HEAD', path, { headers }));
      const head = await connection.nextResponse({ toHead: true });
      connection.write(requestBytes('GET', path, { headers }));
      const get = await connection.nextResponse();
      connection.destroy();
      assert.equal(head?.status, 200);
      for (const name of ['content-length', 'content-type', 'etag', 'cache-control', 'vary']) {
        assert.equal(head?.headers.get(name), get?.headers.get(name), name);
      }
    }
  });
});
