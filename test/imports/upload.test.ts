import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { DashboardUser } from '../kit/dashboard/users.ts';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { RawConnection, requestBytes } from '../kit/http/raw-connection.ts';
import { assertNothingStored, numberedRows, uploadCsv } from '../kit/imports/imports.ts';
import { untilIdle } from '../kit/service/health.ts';
import { type Json, onEveryEngine, type Reply } from '../kit/service/test-service.ts';

const GIB = 1_073_741_824;
const HEADER = 'Phone,First Name,Notes\n';
const TOO_LARGE = 'The file exceeds 1,024 MiB. Split it and send the parts.';
const LONG_CELL = 'has a cell longer than 32,768 characters.';

const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

onEveryEngine('Uploads in progress', (service) => {
  let owner: DashboardUser;
  before(async () => {
    owner = await signedInOwner(service);
  });

  /** Begins to send a file on a connection of its own. */
  const begin = async (headers: Record<string, string>, query = 'country=US'): Promise<RawConnection> => {
    const wire = await RawConnection.open(service.url);
    const own = { authorization: null, cookie: owner.cookie, origin: 'http://roster.test' };
    wire.write(
      requestBytes('POST', `/dashboard/api/imports?${query}`, {
        headers: { ...own, 'content-type': 'text/csv', ...headers },
      }),
    );
    return wire;
  };

  const CHUNKED = { 'transfer-encoding': 'chunked' };

  /** Sends a beginning and then the same piece over and over, as fast as it is read, until there is an answer. */
  const sendEndless = async (start: string, piece: string): Promise<{ reply: Reply; sent: number }> => {
    const wire = await begin(CHUNKED);
    const answer = wire.nextResponse();
    let answered = false;
    answer.finally(() => {
      answered = true;
    });
    wire.write(chunk(start));
    let sent = 0;
    for (const text = chunk(piece); !answered && sent < 64 * 1_048_576; await pause(1)) {
      if (wire.unsent > 0) continue;
      wire.write(text);
      sent += piece.length;
    }
    const reply = await answer;
    assert.ok(reply, 'there is an answer');
    assert.equal(reply.headers.get('connection'), 'close');
    wire.destroy();
    return { reply, sent };
  };

  test('An upload with a Content-Length above the limit is rejected before its body is sent', async () => {
    for (const length of [GIB + 1, 5_000_000_000]) {
      const wire = await begin({ 'content-length': `${length}`, expect: '100-continue' });
      const reply = await wire.nextResponse();
      assert.ok(reply);
      assert.equal(assertError(reply, 413, 'PAYLOAD_TOO_LARGE').message, TOO_LARGE);
      assert.equal(reply.headers.get('connection'), 'close');
      wire.destroy();
    }
    await assertNothingStored(service, owner);
  });

  test('100 Continue is sent only when the length and the query of an upload are valid', async () => {
    const most = { 'content-length': `${GIB}`, expect: '100-continue' };
    const fine = await begin(most);
    assert.equal((await fine.nextResponse())?.status, 100);
    fine.destroy();
    const wrong = await begin(most, 'country=usa');
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
  for (const [title, start, piece, message] of endless) {
    test(`An upload with an endless ${title} is rejected early`, async () => {
      const { reply, sent } = await sendEndless(start, piece.repeat(65_536 / piece.length));
      assert.equal(assertError(reply, 400, 'VALIDATION_ERROR').message, message);
      assert.ok(sent <= 8 * 1_048_576, `${sent} bytes were sent before the answer`);
      await untilIdle(service);
      await assertNothingStored(service, owner);
    });
  }

  test('A rejected upload is answered without waiting for the rest of its body', async () => {
    const wire = await begin({ 'content-length': '10000000' });
    wire.write('x'.repeat(500_000));
    const reply = await wire.nextResponse();
    assert.ok(reply);
    assert.equal(assertError(reply, 400, 'VALIDATION_ERROR').message, `Line 1: ${LONG_CELL}`);
    await wire.closed();
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
    const wire = await begin(CHUNKED);
    wire.write(chunk(HEADER + numberedRows(1_000, 'x'.repeat(200)).join('')));
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
    wire.destroy();
    await untilIdle(service);
    assertError(await owner.call('GET', at), 404, 'NOT_FOUND');
    await assertNothingStored(service, owner);
  });

  test('An upload whose client disconnects before the first row leaves nothing behind', async () => {
    for (const start of ['', HEADER, `${HEADER}+12025550100,"A`]) {
      const wire = await begin({ 'content-length': '100000' });
      wire.write(start);
      await pause(20);
      wire.destroy();
    }
    await untilIdle(service);
    await assertNothingStored(service, owner);
  });
});
