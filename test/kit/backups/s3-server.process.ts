import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// @ts-expect-error the package has no types
import S3rver from '@20minutes/s3rver';

/** Runs s3rver until the parent process disconnects. It needs --openssl-legacy-provider, because it encrypts the tokens of a
 *  list with DES. */
const directory = mkdtempSync(join(tmpdir(), 'roster-s3-'));
const store = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory,
  vhostBuckets: false,
  configureBuckets: [{ name: 'backups' }],
});
const { port } = await store.run();
process.on('disconnect', () => {
  rmSync(directory, { recursive: true, force: true });
  process.exit(0);
});
process.send?.(port);
