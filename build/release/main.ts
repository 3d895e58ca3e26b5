import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isFresh } from '../../src/entry/built.js';
import { nodePackage, readPackages } from './bundled-packages.ts';
import { buildDebianPackage, debianArchitecture } from './debian.ts';
import { buildExecutable } from './executable.ts';
import { licensesText, sbomOf } from './notices.ts';
import { buildPackage } from './package.ts';
import { buildSdkPackage } from './sdk.ts';

/** Makes the release of this checkout in `release/`. The same commit gives the same bytes. */
const root = fileURLToPath(new URL('../..', import.meta.url));
const release = join(root, 'release');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

/** The time of the commit, or of SOURCE_DATE_EPOCH outside of a checkout. */
const commitTime = (): Date => {
  const epoch =
    process.env.SOURCE_DATE_EPOCH ??
    execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' });
  return new Date(Number(epoch) * 1000);
};

const run = (script: string) =>
  execFileSync(process.execPath, [join(root, script)], { stdio: ['ignore', 'ignore', 'inherit'] });

const hasProgram = (name: string) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0;

const step = async (title: string, work: () => unknown) => {
  const started = performance.now();
  await work();
  console.log(`${title} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
};

const workFolder = mkdtempSync(join(tmpdir(), 'roster-release-'));
try {
  rmSync(release, { recursive: true, force: true });
  mkdirSync(release);
  if (!isFresh('dashboard')) await step('Built the dashboard', () => run('dashboard/build.ts'));
  if (!isFresh('service')) await step('Built the service', () => run('build/service.ts'));
  const time = commitTime();
  const packages = readPackages([
    join(root, 'dist/packages.json'),
    join(root, 'dashboard/dist/.vite/packages.json'),
    join(root, 'dashboard/dist/.vite/reference-packages.json'),
  ]);
  const describe = (contained: typeof packages) => ({
    root,
    version,
    time,
    licenses: licensesText(contained),
    sbom: sbomOf(version, time, contained),
  });
  const files = describe([...packages, nodePackage(root)]);
  const named = (suffix: string) => join(release, `roster-${version}${suffix}`);
  writeFileSync(named('.sbom.cdx.json'), files.sbom);
  writeFileSync(named('.licenses.txt'), files.licenses);
  await step('Made the npm package', () => buildPackage(describe(packages), named('.tgz'), workFolder));
  await step('Made the package of the SDK', () =>
    buildSdkPackage({ root, time }, join(release, `roster-client-${version}.tgz`), workFolder),
  );
  const executable = named(`-${process.platform}-${process.arch}`);
  await step('Made the executable', () => buildExecutable(executable, join(workFolder, 'executable')));
  if (hasProgram('dpkg-deb'))
    await step('Made the Debian package', () =>
      buildDebianPackage(files, executable, named(`_${debianArchitecture()}.deb`), workFolder),
    );
  else console.log('Made no Debian package: dpkg-deb is not installed.');
  const names = readdirSync(release).sort();
  const sums = names.map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(release, name)))
        .digest('hex')}  ${name}\n`,
  );
  writeFileSync(join(release, 'SHA256SUMS'), sums.join(''));
  for (const name of names)
    console.log(`  release/${name}  ${(statSync(join(release, name)).size / 1e6).toFixed(1)} MB`);
} finally {
  rmSync(workFolder, { recursive: true, force: true });
}
