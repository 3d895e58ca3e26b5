import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type StreamEnd, streamTo } from './stream.ts';

const CHUNK = 'x'.repeat(131_072);

describe('Streamed response bodies', () => {
  let begin: (response: ServerResponse) => void = () => {};
  const server = createServer((_, response) => begin(response));
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Streams chunks to a client that reads only when the test resumes it. */
  const stream = async (
    chunks: (response: ServerResponse) => AsyncIterable<string>,
    pace?: Parameters<typeof streamTo>[2],
  ) => {
    const ended = new Promise<{ end: StreamEnd; ms: number }>((resolve, reject) => {
      begin = (response) => {
        const began = performance.now();
        streamTo(response, chunks(response), pace).then(
          (end) => resolve({ end, ms: performance.now() - began }),
          reject,
        );
      };
    });
    const { port } = server.address() as AddressInfo;
    const client: Socket = connect({ port, host: '127.0.0.1' });
    client.on('error', () => {});
    client.pause().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    return { client, ended };
  };

  it('A streamed body is produced one chunk at a time, at the pace of the client', async () => {
    let [made, most] = [0, 0];
    const { client, ended } = await stream(async function* (response) {
      for (; made < 200; made++) {
        most = Math.max(most, response.writableLength);
        yield CHUNK;
      }
    });
    while (client.bytesRead === 0 && made < 2) await pause(10);
    await pause(300);
    const before = made;
    await pause(300);
    assert.ok(before < 200, 'the client reads nothing, and not all of it was made');
    assert.equal(made, before, 'nothing is made while nothing is taken');
    client.resume();
    assert.equal((await ended).end, 'complete');
    assert.equal(made, 200);
    assert.ok(most < CHUNK.length, `${most} bytes waited when the next piece was made`);
    client.destroy();
  });

  it('A stream is aborted if the client reads too slowly, and its source is closed', async () => {
    let hasEnded = false;
    const { client, ended } = await stream(
      async function* () {
        try {
          for (;;) yield CHUNK;
        } finally {
          hasEnded = true;
        }
      },
      { portionBytes: 16_777_216, portionMs: 500 },
    );
    const reading = setInterval(() => client.read(1_024), 20);
    const { end, ms } = await ended;
    clearInterval(reading);
    assert.equal(end, 'client too slow');
    assert.ok(ms >= 400, `${ms} ms`);
    assert.equal(hasEnded, true);
    client.destroy();
  });

  it('A stream can be idle for long: only the time that the client takes counts', async () => {
    const { client, ended } = await stream(
      async function* () {
        for (let count = 0; count < 4; count++) {
          await pause(60);
          yield 'event\n';
        }
      },
      { portionBytes: 1_000, portionMs: 50 },
    );
    assert.equal((await ended).end, 'complete');
    client.destroy();
  });

  it('A stream ends without an error when the client disconnects', async () => {
    let hasEnded = false;
    const { client, ended } = await stream(async function* () {
      try {
        for (;;) yield CHUNK;
      } finally {
        hasEnded = true;
      }
    });
    setTimeout(() => client.destroy(), 50);
    assert.equal((await ended).end, 'client left');
    assert.equal(hasEnded, true);
  });
});
