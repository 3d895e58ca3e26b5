import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { engines } from '../kit/database/engines.ts';
import { assertError } from '../kit/http/assertions.ts';
import { connectHalfOpen, writeTlsFiles } from '../kit/http/half-open-client.ts';
import { requestBytes, sendBytes } from '../kit/http/raw-connection.ts';
import { startTestService } from '../kit/service/test-service.ts';

const HSTS = 'max-age=31536000';

/** The first chunk of a response over TLS. */
const sendOverTls = async (url: string, bytes: string | Uint8Array): Promise<string> => {
  const socket = await connectHalfOpen(url, { isTls: true });
  try {
    socket.write(bytes);
    const [answer] = await once(socket, 'data');
    return String(answer);
  } finally {
    socket.destroy();
  }
};

describe('Strict-Transport-Security', () => {
  it('Strict-Transport-Security is on every TLS response, also to invalid requests', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'roster-https-'));
    const { TLS_CERT: cert, TLS_KEY: key } = writeTlsFiles(folder);
    const service = await startTestService(await engines.sqlite(), { tls: { cert, key } });
    try {
      for (const bytes of [
        requestBytes('GET', '/v1/contacts'),
        requestBytes('GET', '/v1/contacts', { headers: { authorization: null } }),
        requestBytes('GET', '/nowhere'),
        requestBytes('GET', '/docs'),
        requestBytes('GET', '/healthz'),
        requestBytes('POST', '/v1/contacts', { body: '{' }),
        'GARBAGE\r\n\r\n',
      ]) {
        const answer = await sendOverTls(service.url, bytes);
        assert.match(answer, new RegExp(`^HTTP/1.1 \\d+ [^]*\r\nStrict-Transport-Security: ${HSTS}\r\n`));
      }
    } finally {
      await service.stop();
      await service.database.drop();
      rmSync(folder, { recursive: true });
    }
  });

  it('Strict-Transport-Security is sent behind a trusted HTTPS proxy, and not otherwise', async () => {
    for (const [trustProxy, scheme, expected] of [
      [1, 'https', HSTS],
      [1, 'http', null],
      [1, null, null],
      [0, 'https', null],
      [0, null, null],
    ] as const) {
      const service = await startTestService(await engines.sqlite(), { trustProxy });
      try {
        const headers = { 'x-forwarded-proto': scheme, 'x-forwarded-for': scheme && '192.0.2.1' };
        for (const path of ['/v1/contacts', '/nowhere', '/healthz']) {
          const reply = await service.get(path, { headers });
          assert.equal(reply.headers.get('strict-transport-security'), expected);
        }
      } finally {
        await service.stop();
        await service.database.drop();
      }
    }
  });
});

describe('Requests with several Host headers', () => {
  it('A request with more than one Host header returns 400', async () => {
    const service = await startTestService(await engines.sqlite());
    try {
      for (const second of ['host: roster.test', 'Host: other.test', 'HOST:']) {
        const bytes = `GET /v1/contacts HTTP/1.1\r\nhost: roster.test\r\n${second}\r\n\r\n`;
        const error = assertError(await sendBytes(service.url, bytes), 400, 'VALIDATION_ERROR');
        assert.equal(error.message, 'The request has more than one Host header. Send one.');
      }
    } finally {
      await service.stop();
      await service.database.drop();
    }
  });
});
