import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeCertificate } from '../../../test/kit/http/certificate.ts';
import { fingerprintOf, servedCertificate } from '../../../test/kit/http/tls-client.ts';
import { watchTlsFiles } from './tls-files.ts';

const EVERY_MS = 20;
/** Enough for several checks. */
const SETTLED_MS = 200;

describe('TLS file watcher', () => {
  it('A changed pair is loaded, and an incomplete one is rejected once', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'roster-tls-'));
    const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
    const logged: string[] = [];
    const log = {
      info: (message: string) => logged.push(message),
      error: (message: string, fields?: object) => logged.push(`${message}: ${Object.values(fields ?? {})}`),
    };
    const [first, second, third] = [makeCertificate(), makeCertificate(), makeCertificate()];
    const write = (name: 'cert' | 'key', text: string) => writeFileSync(files[name], text);
    write('cert', first.cert);
    write('key', first.key);
    const loaded = { cert: Buffer.from(first.cert), key: Buffer.from(first.key) };
    const server = createServer(loaded);
    const watcher = watchTlsFiles(server, { files, loaded, log }, EVERY_MS);
    const isSuccessful = () => watcher.metrics()[1]?.samples[0]?.[1];
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const untilLogged = async () => {
      for (let tries = 0; logged.length === 0 && tries < 200; tries++) await sleep(EVERY_MS);
    };
    const assertServes = async ({ cert }: { cert: string }) => {
      await sleep(SETTLED_MS);
      assert.equal(await servedCertificate(url), fingerprintOf(cert));
    };
    const assertLogged = (pattern: RegExp) => {
      assert.equal(logged.length, 1, logged.join('\n'));
      assert.match(logged.pop() ?? '', pattern);
    };
    try {
      await assertServes(first);
      assert.deepEqual(logged, []);
      write('cert', second.cert);
      await untilLogged();
      await assertServes(first);
      assertLogged(/^TLS files rejected.*: .*key values mismatch/);
      assert.equal(isSuccessful(), 0);
      writeFileSync(`${files.key}.new`, second.key);
      renameSync(`${files.key}.new`, files.key);
      await untilLogged();
      await assertServes(second);
      assertLogged(/^TLS files loaded$/);
      assert.equal(isSuccessful(), 1);
      for (const broken of ['', third.cert.slice(0, 200)]) {
        write('cert', broken);
        await untilLogged();
        await assertServes(second);
        assertLogged(/^TLS files rejected.*: ./);
      }
      rmSync(files.cert);
      await untilLogged();
      await assertServes(second);
      assertLogged(/^TLS files rejected.*ENOENT/);
      write('cert', second.cert);
      await untilLogged();
      await assertServes(second);
      assertLogged(/^TLS files loaded$/);
      write('key', third.key);
      write('cert', third.cert);
      await untilLogged();
      await assertServes(third);
      assert.match(logged.at(-1) ?? '', /^TLS files loaded$/);
    } finally {
      server.close();
      rmSync(folder, { recursive: true });
    }
  });
});
