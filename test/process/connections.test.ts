import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { startArguments, startEnvironment } from '../../build/start.ts';
import { connectionLimits } from '../../src/http/connections.ts';
import { assertError } from '../kit/expect.ts';
import { requestBytes, sendBytes, Wire } from '../kit/wire.ts';

const FILES = 300;
const key = 'a-key-of-my-own-0123456789';
const headers = { authorization: `Bearer ${key}` };

it('a service with few files tells those above its limit to come again, and keeps its database', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-connections-'));
  const child = spawn(
    'sh',
    ['-c', `ulimit -n ${FILES}; exec "$0" "$@"`, process.execPath, ...startArguments],
    {
      env: {
        ...startEnvironment,
        PATH: process.env.PATH ?? '',
        PORT: '0',
        ROSTER_DATA_DIR: folder,
        ROSTER_API_KEY: key,
        LOG_LEVEL: 'error',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const wires: Wire[] = [];
  try {
    let text = '';
    while (!/^ +API +(\S+)\/v1$/m.test(text)) text += (await once(child.stdout, 'data'))[0];
    const url = /^ +API +(\S+)\/v1$/m.exec(text)?.[1] as string;
    const { served, told } = connectionLimits(FILES);
    for (let count = 0; count < served; count++) {
      wires.push(await Wire.open(url));
    }
    const above = await sendBytes(url, requestBytes('GET', '/v1/contacts', { headers }));
    assertError(above, 503, 'UNAVAILABLE');
    assert.equal(above.headers.get('connection'), 'close');
    assert.equal(above.headers.get('retry-after'), '1');
    assert.equal((await sendBytes(url, requestBytes('GET', '/healthz'))).status, 200);
    const { text: metrics } = await sendBytes(url, requestBytes('GET', '/metrics'));
    assert.match(metrics, /^roster_requests_shed_total\{door="connections"\} 1$/m);
    const first = wires[0] as Wire;
    first.write(requestBytes('POST', '/v1/agents', { headers, body: '{"name":"A","instructions":""}' }));
    assert.equal((await first.answer())?.status, 201, 'those within it go on, also to write');
    for (let count = 0; count < told + 20; count++) wires.push(await Wire.open(url));
    first.write(requestBytes('GET', '/v1/contacts', { headers }));
    assert.equal((await first.answer())?.status, 200);
    for (const wire of wires) wire.destroy();
    for (let tries = 0; ; tries++) {
      // Until the service has heard that the others are gone, it may not even take the connection.
      const reply = await sendBytes(url, requestBytes('GET', '/v1/contacts', { headers })).catch(
        () => undefined,
      );
      if (reply?.status === 200) break;
      assert.ok(tries < 100);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  } finally {
    for (const wire of wires) wire.destroy();
    child.kill('SIGKILL');
    await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  }
});
