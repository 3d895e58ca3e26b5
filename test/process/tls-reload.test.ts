import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeCertificate } from '../kit/http/certificate.ts';
import { requestBytes } from '../kit/http/raw-connection.ts';
import { connectSecurely, fingerprintOf, servedCertificate } from '../kit/http/tls-client.ts';
import { withPrograms } from '../kit/process/program.ts';

/** Writes a pair into a new folder and points the symbolic link `..data` to it, as Kubernetes does for a secret. */
const publish = (folder: string, version: string, pair: { cert: string; key: string }) => {
  mkdirSync(join(folder, version));
  writeFileSync(join(folder, version, 'tls.crt'), pair.cert);
  writeFileSync(join(folder, version, 'tls.key'), pair.key);
  symlinkSync(version, join(folder, '..data_tmp'));
  renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
};

const untilServed = async (url: string, cert: string, withinMs: number) => {
  const began = performance.now();
  while ((await servedCertificate(url)) !== fingerprintOf(cert)) {
    assert.ok(performance.now() - began < withinMs, 'the new certificate is not served');
    await sleep(50);
  }
};

describe('TLS reload', () => {
  it('New connections use a replaced certificate, also on SIGHUP, and open connections continue', async () =>
    withPrograms(async (start, folder) => {
      const [first, second, third] = [makeCertificate(), makeCertificate(), makeCertificate()];
      const files = join(folder, 'tls');
      mkdirSync(files);
      publish(files, 'v1', first);
      for (const name of ['tls.crt', 'tls.key']) symlinkSync(join('..data', name), join(files, name));
      const program = start({ TLS_CERT: join(files, 'tls.crt'), TLS_KEY: join(files, 'tls.key') });
      const { url } = await program.ready();
      assert.equal(await servedCertificate(url), fingerprintOf(first.cert));
      const open = await connectSecurely(url);

      publish(files, 'v2', second);
      await untilServed(url, second.cert, 10_000);

      // The files are also loaded if they are unchanged, which checks do not do.
      const loads = () => program.stdout.split('TLS files loaded').length - 1;
      assert.equal(loads(), 1);
      program.kill('SIGHUP');
      while (loads() < 2) await sleep(20);
      publish(files, 'v3', third);
      program.kill('SIGHUP');
      await untilServed(url, third.cert, 10_000);

      // A certificate without its key is rejected.
      publish(files, 'v4', { cert: makeCertificate().cert, key: third.key });
      program.kill('SIGHUP');
      while (!program.stdout.includes('TLS files rejected')) await sleep(20);
      assert.equal(await servedCertificate(url), fingerprintOf(third.cert));

      open.write(requestBytes('GET', '/healthz'));
      const [answer] = await once(open, 'data');
      assert.match(String(answer), /^HTTP\/1\.1 200 /);
      open.destroy();
      assert.match(program.stdout, /"message":"TLS files loaded","serial_number":"\w+","valid_to":"\d{4}-/);
      assert.equal(await program.stop(), 0);
    }));

  it('SIGHUP does not stop a service without TLS', async () =>
    withPrograms(async (start) => {
      const program = start();
      const { url } = await program.ready();
      program.kill('SIGHUP');
      await sleep(100);
      assert.equal((await fetch(`${url}/healthz`)).status, 200);
      assert.equal(await program.stop(), 0);
    }));
});
