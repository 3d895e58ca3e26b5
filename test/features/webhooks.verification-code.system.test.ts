import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { verificationCode } from '../../dashboard/src/pages/webhooks/verification-code.ts';
import { newWebhookSecret, signWebhook } from '../../src/lib/webhook-signature.ts';

const secret = newWebhookSecret();
const body = JSON.stringify({ id: 'event_1', type: 'contact.updated', data: { first_name: 'Zoë' } });
const headers = signWebhook({ id: 'event_1', body }, [newWebhookSecret(), secret], new Date());
const env = { ...process.env, WEBHOOK_SECRET: secret };

const temporaryFolder = (test: TestContext) => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-verification-'));
  test.after(() => rmSync(folder, { recursive: true }));
  return folder;
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

/** The statuses of a signed request and of one with another body. */
const statuses = async (send: (sent: string) => Promise<Response>) => [
  (await send(body)).status,
  (await send(`${body} `)).status,
];

it('The TypeScript code of the dashboard accepts signed events and rejects others', async (test) => {
  const file = join(temporaryFolder(test), 'receive.ts');
  const client = new URL('../../sdk/src/index.ts', import.meta.url).href;
  writeFileSync(file, verificationCode.typescript.code.replace('@roster/client', client));
  process.env.WEBHOOK_SECRET = secret;
  const { receive } = await import(file);
  delete process.env.WEBHOOK_SECRET;
  const send = (sent: string) =>
    receive(new Request('http://127.0.0.1/', { method: 'POST', headers: { ...headers }, body: sent }));
  assert.deepEqual(await statuses(send), [204, 401]);
});

it('The Node.js code of the dashboard accepts signed events and rejects others', async (test) => {
  const port = await freePort();
  const code = ['--input-type=module', '--eval', verificationCode.node.code];
  const receiver = spawn(process.execPath, code, { env: { ...env, PORT: String(port) }, stdio: 'ignore' });
  test.after(() => receiver.kill());
  const send = async (sent: string): Promise<Response> => {
    for (;;) {
      const request = { method: 'POST', headers: { ...headers }, body: sent };
      const response = await fetch(`http://127.0.0.1:${port}`, request).catch(() => undefined);
      if (response) return response;
      assert.equal(receiver.exitCode, null);
      await pause(50);
    }
  };
  assert.deepEqual(await statuses(send), [204, 401]);
});

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

it('The OpenSSL code of the dashboard prints a signature of the header', {
  skip: hasOpenssl ? false : 'openssl is not installed',
}, (test) => {
  const cwd = temporaryFolder(test);
  writeFileSync(join(cwd, 'body.json'), body);
  const output = execFileSync('sh', ['-c', verificationCode.shell.code], {
    cwd,
    env: { ...env, ID: headers['webhook-id'], TIMESTAMP: headers['webhook-timestamp'] },
    encoding: 'utf8',
  });
  assert.ok(headers['webhook-signature'].split(' ').includes(output.trim()), output);
});
