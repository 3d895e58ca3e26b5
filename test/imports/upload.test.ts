import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { DashboardUser } from '../kit/dashboard/users.ts';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { RawConnection, requestBytes } from '../kit/http/raw-connection.ts';
import { assertNothingStored, numberedRows, uploadCsv } from '../kit/imports/imports.ts';
import { untilIdle } from '../kit/service/health.ts';
import { type Json, onSqlite, type Reply } from '../kit/service/test-service.ts';

const GIB = 1_073_741_824;
const HEADER = 'Phone,First Name,Notes\n';
const TOO_LARGE = 'The file exceeds 1,024 MiB. Split it and send the parts.';
const LONG_CELL = 'has a cell longer than 32,768 characters.';

const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

onSqlite('Uploads in progress', (service) => {
  let owner: DashboardUser;
  before(async () => {
    owner = await signedInOwner(service);
  });

  /** Starts to send a file on a new connection. */
  const startUpload = async (
    headers: Record<string, string>,
    query = 'country=US',
  ): Promise<RawConnection> => {
    const connection = await RawConnection.open(service.url);
    const own = { authorization: null, cookie: owner.cookie, origin: 'http://roster.test' };
    connection.write(
      requestBytes('POST', `/v1/imports?${query}`, {
        headers: { ...own, 'content-type': 'text/csv', ...headers },
      }),
    );
    return connection;
  };

  const CHUNKED = { 'transfer-encoding': 'chunked' };

  /** Sends a start and then the same text repeatedly, as fast as it is read, until a response arrives. */
  const sendEndless = async (start: string, text: string): Promise<{ reply: Reply; sent: number }> => {
    const connection = await startUpload(CHUNKED);
    const answer = connection.nextResponse();
    let answered = false;
    answer.finally(() => {
      answered = true;
    });
    connection.write(chunk(start));
    let sent = 0;
    for (const part = chunk(text); !answered && sent < 64 * 1_048_576; await pause(1)) {
      if (connection.unsent > 0) continue;
      connection.write(part);
      sent += text.length;
    }
    const reply = await answer;
    assert.ok(reply, 'there is an answer');
    assert.equal(reply.headers.get('connection'), 'close');
    connection.destroy();
    return { reply, sent };
  };

  test('An upload with a Content-Length above the limit is rejected before its body is sent', async () => {
    for (const length of [GIB + 1, 5_000_000_000]) {
      const connection = await startUpload({ 'content-length': `${length}`, expect: '100-continue' });
      const reply = await connection.nextResponse();
      assert.ok(reply);
      assert.equal(assertError(reply, 413, 'PAYLOAD_TOO_LARGE').message, TOO_LARGE);
      assert.equal(reply.headers.get('connection'), 'close');
      connection.destroy();
    }
    await assertNothingStored(service, owner);
  });

  test('100 Continue is sent only when the length and the query of an upload are valid', async () => {
    const largest = { 'content-length': `${GIB}`, expect: '100-continue' };
    const accepted = await startUpload(largest);
    assert.equal((await accepted.nextResponse())?.status, 100);
    accepted.destroy();
    const wrong = await startUpload(largest, 'country=usa');
    const reply = await wrong.nextResponse();
    assert.ok(reply);
    assertInvalid(reply, 'country');
    wrong.destroy();
    await untilIdle(service);
    await assertNothingStored(service, owner);
  });

  const endless: [title: string, start: string, piece: string, message: string][] = [
    ['line', 'x', 'x', `Line 1: ${LONG_CELL}`],
    ['line after good ones', HEADER + numberedRows(20).join(''), 'x', `Line 22: ${LONG_CELL}`],
    [
      'quoted cell',
      `${HEADER}${numberedRows(1)}+12025550199,"`,
      'x,\n',
      'Line 3: has a quote that is not closed within 65,536 characters.',
    ],
    ['row of cells', HEADER, 'x,', 'Line 2: has more than 200 columns.'],
  ];
  for (const [title, start, unit, message] of endless) {
    test(`An upload with an endless ${title} is rejected early`, async () => {
      const { reply, sent } = await sendEndless(start, unit.repeat(65_536 / unit.length));
      assert.equal(assertError(reply, 400, 'VALIDATION_ERROR').message, message);
      assert.ok(sent <= 8 * 1_048_576, `${sent} bytes were sent before the answer`);
      await untilIdle(service);
      await assertNothingStored(service, owner);
    });
  }

  test('A rejected upload is answered without waiting for the rest of its body', async () => {
    const connection = await startUpload({ 'content-length': '10000000' });
    connection.write('x'.repeat(1_500_000));
    const reply = await connection.nextResponse();
    assert.ok(reply);
    assert.equal(assertError(reply, 400, 'VALIDATION_ERROR').message, `Line 1: ${LONG_CELL}`);
    await connection.closed();
  });

  test('A client that sends its whole body first still receives the rejection', async () => {
    const line = await uploadCsv(owner, 'x'.repeat(16 * 1_048_576));
    assert.equal(assertError(line, 400, 'VALIDATION_ERROR').message, `Line 1: ${LONG_CELL}`);
    const row = `Ada,ada@example.com,${'x'.repeat(1_000)}\n`;
    const file = `First Name,Email,Notes\n${row.repeat((16 * 1_048_576) / row.length)}`;
    assertInvalid(await uploadCsv(owner, file), 'columns');
    await assertNothingStored(service, owner);
  });

  test('An upload in progress can be read but not changed, and disappears when its client disconnects', async () => {
    const connection = await startUpload(CHUNKED);
    connection.write(chunk(HEADER + numberedRows(1_000, 'x'.repeat(1_200)).join('')));
    let coming: Json;
    for (let tries = 0; !(coming?.progress > 0); tries++) {
      assert.ok(tries < 200, 'the import is planned while it comes');
      await pause(20);
      [coming] = (await owner.call('GET', '/imports')).body.data;
    }
    assert.equal(coming.state, 'planning');
    const at = `/imports/${coming.id}`;
    for (const [method, path, body] of [
      ['POST', `${at}/apply`],
      ['POST', `${at}/undo`],
      ['PATCH', at, { legacy: true }],
      ['DELETE', at],
    ] as const) {
      const { message } = assertError(await owner.call(method, path, body), 409, 'CONFLICT');
      assert.match(message, /^An import that is planning cannot be /);
    }
    connection.destroy();
    await untilIdle(service);
    assertError(await owner.call('GET', at), 404, 'NOT_FOUND');
    await assertNothingStored(service, owner);
  });

  test('An upload whose client disconnects before the first row leaves nothing behind', async () => {
    for (const start of ['', HEADER, `${HEADER}+12025550100,"A`]) {
      const connection = await startUpload({ 'content-length': '100000' });
      connection.write(start);
      await pause(20);
      connection.destroy();
    }
    await untilIdle(service);
    await assertNothingStored(service, owner);
  });
});
