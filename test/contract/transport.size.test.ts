import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertError } from '../kit/http/assertions.ts';
import { RawConnection, requestBytes, sendBytes } from '../kit/http/raw-connection.ts';
import { assertUnaffected } from '../kit/service/health.ts';
import { onSqlite } from '../kit/service/test-service.ts';

const MIB = 1_048_576;
const VALID_BODY = '{"phone_number":"+12025550100"}';
const CHUNKED = {
  'content-type': 'application/json',
  'transfer-encoding': 'chunked',
  'content-length': null,
};
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

onSqlite('Request body size', (service) => {
  const remove = async (id: string) => assert.equal((await service.delete(`/v1/contacts/${id}`)).status, 200);

  it('A body can have exactly 1 MiB, by length or in chunks', async () => {
    const body = VALID_BODY.padEnd(MIB, ' ');
    const whole = await service.post('/v1/contacts', undefined, { raw: body });
    assert.equal(whole.status, 201, whole.text);
    await remove(whole.body.data.id);
    const head = requestBytes('POST', '/v1/contacts', { headers: CHUNKED });
    const half = MIB / 2;
    const pieces = [chunk(body.slice(0, half)), chunk(body.slice(half)), '0\r\n\r\n'];
    const chunked = await sendBytes(service.url, head, ...pieces);
    assert.equal(chunked.status, 201, chunked.text);
    await remove(chunked.body.data.id);
  });

  it('The body limit counts bytes, not characters', async () => {
    const raw = `{"phone_number":"+12025550100","notes":"${'é'.repeat(MIB / 2)}"}`;
    assert.ok(raw.length < MIB);
    assertError(await service.post('/v1/contacts', undefined, { raw }), 413, 'PAYLOAD_TOO_LARGE');
  });

  it('A body one byte too long is rejected by its Content-Length before it arrives', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': `${MIB + 1}` };
    const connection = await RawConnection.open(service.url);
    connection.write(requestBytes('POST', '/v1/contacts', { headers }));
    const reply = await connection.nextResponse();
    assert.ok(reply);
    assertError(reply, 413, 'PAYLOAD_TOO_LARGE');
    assert.equal(reply.headers.get('connection'), 'close');
    await connection.closed();
  });

  it('A chunked body one byte too long is rejected, and the connection is closed', async () => {
    const connection = await RawConnection.open(service.url);
    connection.write(requestBytes('POST', '/v1/contacts', { headers: CHUNKED }));
    connection.write(chunk(VALID_BODY.padEnd(MIB, ' ')));
    connection.write(chunk(' '));
    const reply = await connection.nextResponse();
    assert.ok(reply);
    assertError(reply, 413, 'PAYLOAD_TOO_LARGE');
    await connection.closed();
  });

  it('A huge body is rejected, and a client that sends all of it gets the error', async () => {
    for (const size of [MIB + 1, 2 * MIB, 8 * MIB]) {
      for (let tries = 0; tries < 3; tries++) {
        const reply = await service.post('/v1/contacts', undefined, { raw: VALID_BODY.padEnd(size, ' ') });
        assertError(reply, 413, 'PAYLOAD_TOO_LARGE');
      }
    }
  });

  it('Every endpoint with a body rejects one that is too large', async () => {
    const id = '01890a5d-ac96-774b-bcce-b302099a8057';
    const raw = VALID_BODY.padEnd(MIB + 1, ' ');
    for (const [method, path] of [
      ['POST', '/v1/agents'],
      ['PATCH', `/v1/contacts/${id}`],
      ['PATCH', `/v1/agents/${id}`],
    ] as const) {
      assertError(await service.call(method, path, undefined, { raw }), 413, 'PAYLOAD_TOO_LARGE');
    }
  });

  for (const [path, limit, text] of [
    ['/dashboard/api/session', 8_192, '8 KiB'],
    ['/dashboard/api/session/link', 8_192, '8 KiB'],
  ] as const) {
    it(`A body can have ${text} at ${path}, which reads it before authentication`, async () => {
      const headers = { 'content-type': 'application/json', authorization: null };
      const send = (size: number) =>
        sendBytes(service.url, requestBytes('POST', path, { headers, body: '{}'.padEnd(size, ' ') }));
      assert.ok([400, 401].includes((await send(limit)).status));
      const { message } = assertError(await send(limit + 1), 413, 'PAYLOAD_TOO_LARGE');
      assert.equal(message, `The body is larger than ${text} (${limit} bytes). Send a smaller one.`);
      const head = requestBytes('POST', path, { headers: { ...CHUNKED, authorization: null } });
      const chunked = await sendBytes(service.url, head, chunk(' '.repeat(limit)), chunk(' '));
      assertError(chunked, 413, 'PAYLOAD_TOO_LARGE');
    });
  }

  it('The connection of an endless body is closed', async () => {
    const connection = await RawConnection.open(service.url);
    connection.write(requestBytes('POST', '/v1/contacts', { headers: CHUNKED }));
    const piece = chunk('x'.repeat(65_536));
    let sent = 0;
    const timer = setInterval(() => {
      sent++;
      connection.write(piece);
    }, 1);
    const reply = await connection.nextResponse();
    await connection.closed().finally(() => clearInterval(timer));
    assert.ok(reply);
    assertError(reply, 413, 'PAYLOAD_TOO_LARGE');
    assert.ok(sent >= 16, `${sent} pieces of 64 KiB`);
  });

  it('The service still works after oversized bodies', () => assertUnaffected(service));
});
