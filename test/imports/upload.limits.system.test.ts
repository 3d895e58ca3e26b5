import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { planFile } from '../../src/features/imports/plan-file.ts';
import { readStream } from '../../src/http/pipeline/request-input.ts';
import { ApiError } from '../../src/lib/errors.ts';
import { makeWorkspace } from '../kit/database/workspaces.ts';
import { numberedRows } from '../kit/imports/imports.ts';
import { withPrograms } from '../kit/process/program.ts';
import { databaseFor, storageFor } from '../kit/service/scoped-resources.ts';

const TIMEOUT_MS = 200;

/** Sends chunks to a server, each after a pause. Returns what it read, or why it stopped. */
const send = async (
  test: TestContext,
  chunks: readonly (readonly [pauseMs: number, text: string])[],
  { readingMs = 0, ends = true, timeoutMs = TIMEOUT_MS } = {},
): Promise<string> => {
  const server = createServer(async (request, response) => {
    let text = '';
    try {
      for await (const chunk of readStream(request, response, timeoutMs)) {
        text += chunk;
        await pause(readingMs);
      }
      response.end(text);
    } catch (error) {
      assert.ok(error instanceof ApiError);
      response.end(`${error.code}: ${error.message}`);
    }
  }).listen(0, '127.0.0.1');
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sending = request({ port, host: '127.0.0.1', method: 'POST' });
  sending.on('error', () => {});
  const answered = once(sending, 'response');
  for (const [ms, text] of chunks) {
    await pause(ms);
    sending.write(text);
  }
  if (ends) sending.end();
  const [response] = await answered;
  let answer = '';
  for await (const chunk of response) answer += chunk;
  return answer;
};

describe('Upload timeout', () => {
  it('The upload timeout ends an upload that sends no more data', async (test) => {
    const began = performance.now();
    const answer = await send(test, [[0, 'a']], { ends: false });
    assert.match(answer, /^VALIDATION_ERROR: No data was received for 30 seconds\. Send the file again\.$/);
    assert.ok(performance.now() - began >= TIMEOUT_MS);
  });

  it('The upload timeout does not end an upload that still sends data', async (test) => {
    const timeoutMs = 2_000;
    const chunks = Array.from({ length: 5 }, (_, at) => [timeoutMs / 4, `${at}`] as const);
    assert.equal(await send(test, chunks, { timeoutMs }), '01234');
  });

  it('The upload timeout does not run while the service itself is slow', async (test) => {
    const chunks = Array.from({ length: 3 }, (_, at) => [10, `${at}`] as const);
    assert.equal(await send(test, chunks, { readingMs: 2 * TIMEOUT_MS }), '012');
  });
});

describe('Size limit of a chunked upload', () => {
  const rows = numberedRows(2_000, 'x'.repeat(50));
  const file = `Phone,First Name,Notes\n${rows.join('')}`;
  async function* inChunks(): AsyncGenerator<Buffer> {
    for (let at = 0; at < file.length; at += 1_000) yield Buffer.from(file.slice(at, at + 1_000));
  }
  const plan = async (test: TestContext, maxBytes: number) => {
    const database = await databaseFor(test, 'sqlite');
    const storage = await storageFor(test, database);
    const { principal } = await makeWorkspace(storage);
    const options = {
      country: null,
      legacy: false,
      on_existing: 'fill',
      tags: 'merge',
      on_invalid: 'omit_field',
    } as const;
    const planned = planFile(storage, principal, { name: 'x', options, bytes: inChunks(), maxBytes });
    const outcome = await planned.catch((error: unknown) => error);
    const states = await database.query('select state from imports');
    return { outcome, states: states.map(({ state }) => state) };
  };

  it('A chunked upload of exactly the maximum size is accepted', async (test) => {
    const { states } = await plan(test, file.length);
    assert.deepEqual(states, ['planned']);
  });

  it('A chunked upload above the maximum is rejected with its line, and its plan is removed', async (test) => {
    const { outcome, states } = await plan(test, file.length - 1);
    assert.ok(outcome instanceof ApiError);
    assert.equal(outcome.code, 'PAYLOAD_TOO_LARGE');
    const [, line, reason] = /^Line (\d+): (.*)$/.exec(outcome.message) ?? [];
    assert.match(reason ?? '', /^exceeds 0\.1\d* MiB\. Split the file here and send the parts\.$/);
    // The limit is exceeded by the last chunk, of at most a thousand bytes.
    assert.ok(Number(line) > rows.length - 20 && Number(line) <= rows.length + 1, outcome.message);
    assert.deepEqual(states, ['deleting']);
  });
});

const MIB = 1_048_576;

describe('Memory use of an upload', () => {
  it('Memory use is bounded for a single line of 512 MiB', async () => {
    await withPrograms(async (start) => {
      const { url, signIn } = await start().ready();
      const session = await fetch(`${url}/dashboard/api/session/link`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token: signIn?.split('#')[1] }),
      });
      const cookie = session.headers.get('set-cookie')?.split(';')[0] ?? '';
      const memory = async () => {
        const text = await (await fetch(`${url}/metrics`)).text();
        return Number(/^process_resident_memory_bytes (\d+)$/m.exec(text)?.[1]);
      };
      const before = await memory();
      const { hostname, port } = new URL(url);
      const headers = { cookie, origin: url, 'content-type': 'text/csv' };
      const sending = request({ hostname, port, method: 'POST', path: '/v1/imports', headers });
      sending.on('error', () => {});
      const closed = once(sending, 'close');
      const answered = once(sending, 'response').then(([response]) => response.resume());
      const chunk = Buffer.alloc(MIB, 'x');
      let most = before;
      for (let sent = 0; sent < 512 && !sending.destroyed; sent++) {
        if (!sending.write(chunk)) await Promise.race([once(sending, 'drain'), closed]);
        if (sent % 16 === 0) most = Math.max(most, await memory());
      }
      sending.end();
      assert.equal((await answered).statusCode, 400);
      assert.ok(most - before < 64 * MIB, `${most - before} bytes`);
    });
  });
});
