import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describePackage } from '../../build/release/bundled-packages.ts';
import { LICENSES, packagesIn, STANDALONE } from './standalone.ts';

/** Downloads the packages that Scalar's bundle contains and writes their licenses to `licenses.json`. To be run after each
 *  upgrade of Scalar; the build fails if a package is missing. */
const scripts = [STANDALONE, ...globSync(`${dirname(STANDALONE)}/chunks/*.js`)];
const ids = [...new Set(scripts.flatMap(packagesIn))].sort();
const folder = mkdtempSync(join(tmpdir(), 'roster-licenses-'));
try {
  const output = execFileSync('npm', ['pack', '--json', '--pack-destination', folder, ...ids], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 100_000_000,
  });
  const packed = Object.values(JSON.parse(output) as Record<string, { id: string; filename: string }>);
  const packages = packed.map(({ id, filename }) => {
    const target = join(folder, id);
    mkdirSync(target, { recursive: true });
    execFileSync('tar', ['-xzf', join(folder, filename), '-C', target, '--strip-components=1']);
    return describePackage(target);
  });
  writeFileSync(LICENSES, `${JSON.stringify(packages, undefined, 1)}\n`);
  console.log(`Wrote the licenses of ${packages.length} packages.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
