import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { SCHEMA_VERSION } from '../../src/db/migrations/index.ts';
import { startS3 } from '../kit/backups/s3-server.ts';
import { startOtlpReceiver } from '../kit/service/otlp-receiver.ts';
import { fixtureNames, readFixture } from '../upgrade/fixture.ts';
import {
  artifact,
  assertFirstRequest,
  has,
  release,
  releaseEarlierVersion,
  removeEarlierVersion,
  skipReason,
} from './artifacts.ts';

const folder = mkdtempSync(join(tmpdir(), 'roster-release-test-'));
/** Starts a service, passes its startup message to `use`, and stops it. */
const whileRunning = async (
  [program = '', ...parameters]: readonly string[],
  environment: Record<string, string>,
  use: (startupMessage: string) => Promise<void>,
): Promise<void> => {
  const child = spawn(program, parameters, {
    env: { PORT: '0', DRAIN_SECONDS: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const chunk of child.stdout) {
    output += chunk;
    if (/"message":"ready".*\n/.test(output)) break;
  }
  await use(output);
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  assert.equal(code, 0);
};

/** Sends the first request of the README, of which the service exports a trace. */
const assertServes = async (command: readonly string[], environment: Record<string, string>) => {
  const receiver = await startOtlpReceiver();
  const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url };
  await whileRunning(command, { ...tracing, ...environment }, assertFirstRequest);
  receiver.stop();
  assert.ok(receiver.spans.some(({ name }) => name === 'POST /v1/contacts'));
};

/** Starts a service on existing data, for which no key is printed. */
const assertStarts = (command: readonly string[], environment: Record<string, string>) =>
  whileRunning(command, environment, async (startupMessage) => assert.match(startupMessage, /ready/));

const missing =
  process.getuid?.() === 0 && has('mmdebstrap') ? undefined : 'needs root and the Debian package mmdebstrap';

/** A minimal Debian 12, made once, with the libraries that Node needs. */
const makeEmptySystem = () => {
  const root = join(folder, 'root');
  mkdirSync(root);
  const include = 'adduser,libatomic1';
  execFileSync('mmdebstrap', ['--variant=minbase', `--include=${include}`, 'bookworm', root], {
    stdio: 'ignore',
  });
  const inRoot = (...command: string[]) =>
    execFileSync('chroot', [root, ...command], { env: { PATH: process.env.PATH }, encoding: 'utf8' });
  inRoot('mount', '-t', 'proc', 'proc', '/proc');
  return { root, inRoot };
};
let system: ReturnType<typeof makeEmptySystem> | undefined;
const emptySystem = () => {
  system ??= makeEmptySystem();
  return system;
};

describe('Release', () => {
  before(release);
  after(() => {
    system?.inRoot('umount', '/proc');
    rmSync(folder, { recursive: true, force: true });
  });

  it('The same commit gives the same bytes', () => {
    const first = readFileSync('release/SHA256SUMS', 'utf8');
    release();
    assert.equal(readFileSync('release/SHA256SUMS', 'utf8'), first);
    assert.match(execFileSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: 'release', encoding: 'utf8' }), /OK/);
  });

  it('A fixture of this version with its schema exists for later upgrades', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    assert.ok(fixtureNames().includes(version), `run node test/upgrade/make-fixture.ts ${version}`);
    assert.equal(readFixture(version, 'sqlite').schema, SCHEMA_VERSION);
  });

  it('The SBOM lists the packages of the bundles with their licenses', () => {
    const { components } = JSON.parse(readFileSync(artifact('.sbom.cdx.json'), 'utf8'));
    const names = components.map(({ name }: { name: string }) => name);
    for (const name of ['pg', 'libphonenumber-js', 'react', 'recharts', 'node'])
      assert.ok(names.includes(name), name);
    for (const { licenses } of components) assert.ok(licenses[0].expression);
    // Node contains V8, whose license must accompany it.
    assert.match(readFileSync(artifact('.licenses.txt'), 'utf8'), /V8 project authors/);
  });

  it('The npm package installs without other packages and serves', async () => {
    const prefix = join(folder, 'npm');
    execFileSync('npm', ['install', '--global', '--prefix', prefix, artifact('.tgz')], { stdio: 'ignore' });
    const program = join(prefix, 'bin/roster');
    const PATH = `${dirname(process.execPath)}:/usr/bin:/bin`;
    await assertServes([program, 'start'], { PATH, ROSTER_DATA_DIR: join(folder, 'npm-data') });
    const listed = execFileSync('tar', ['tzf', artifact('.tgz')], { encoding: 'utf8' });
    for (const file of ['LICENSE', 'THIRD-PARTY-LICENSES.txt', 'sbom.cdx.json', 'dashboard/dist/index.html'])
      assert.ok(listed.includes(`package/${file}\n`), file);
    assert.doesNotMatch(listed, /node_modules|\.ts\n/);
  });

  it('The package of the SDK installs in an empty project', () => {
    const project = join(folder, 'sdk');
    mkdirSync(project);
    const [file] = globSync('release/roster-client-*.tgz').map((path) => resolve(path));
    assert.ok(file);
    execFileSync('npm', ['install', '--offline', '--prefix', project, file], { stdio: 'ignore' });
    const script = `import { Roster, VERSION } from '@roster/client'; console.log(typeof Roster, VERSION);`;
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: project,
    });
    assert.equal(`${output}`, `function ${JSON.parse(readFileSync('package.json', 'utf8')).version}\n`);
  });

  it('The npm package says in one sentence that an older Node is too old', (test) => {
    const old = ['/usr/bin/node', '/usr/local/bin/node'].find((path) =>
      /^v(?:1\d|2[0-5])\./.test(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout ?? ''),
    );
    if (!old) return test.skip(skipReason('no Node before version 26 is installed'));
    const run = spawnSync(old, [join(folder, 'npm/bin/roster'), 'start'], { encoding: 'utf8' });
    assert.equal(run.status, 1);
    assert.match(run.stderr, /^Roster needs Node 26 or later\. This is Node [\d.]+\.\n$/);
  });

  it('The executable serves, imports, verifies and makes a backup', async () => {
    const program = join(folder, 'roster');
    cpSync(artifact(`-${process.platform}-${process.arch}`), program);
    const env = { ROSTER_DATA_DIR: join(folder, 'executable-data') };
    await assertServes([program, 'start'], env);
    const run = (...args: string[]) => execFileSync(program, args, { env, encoding: 'utf8', cwd: folder });
    writeFileSync(join(folder, 'people.csv'), 'Name,Phone\nGrace,+14155550102\n');
    assert.match(run('import', 'people.csv'), /people\.csv: applied, 1 row\.[\s\S]*roster import undo/);
    assert.match(run('verify'), /checks passed: 2 contacts/);
    assert.match(run('backup', 'copy.db'), /Copied and verified/);
  });

  it('The executable stores encrypted backups in a bucket, on command and on schedule, and restores them', async () => {
    const program = artifact(`-${process.platform}-${process.arch}`);
    const server = await startS3();
    const secret = await generateX25519Identity();
    const identity = join(folder, 'backup.key');
    writeFileSync(identity, `${secret}\n`);
    const env = {
      ROSTER_DATA_DIR: join(folder, 'backup-data'),
      BACKUP_TO: 's3://backups/release',
      BACKUP_ENCRYPT_TO: await identityToRecipient(secret),
      ...server.environment,
    };
    const run = async (...args: string[]) => (await promisify(execFile)(program, args, { env })).stdout;
    await run('demo');
    assert.match(await run('backup'), /s3:\/\/backups\/release\/roster-.*\.db\.age .*encrypted\.$/m);
    assert.match(
      await run('restore', '--from', env.BACKUP_TO, '--identity', identity, '--force'),
      /Restored 500 contacts/,
    );
    const scheduled = { ...env, BACKUP_TO: 's3://backups/scheduled', BACKUP_SCHEDULE: '0 0 1 1 *' };
    await whileRunning([program, 'start'], scheduled, async () => {
      while (!server.requests.some((each) => /^HEAD .*scheduled.*\.json$/.test(each)))
        await new Promise((resolve) => setTimeout(resolve, 100));
    });
    await server.stop();
  });

  it('The executable and the npm package serve in an empty Debian system', async (test) => {
    if (missing) return test.skip(skipReason(missing));
    const { root } = emptySystem();
    cpSync(artifact(`-${process.platform}-${process.arch}`), join(root, 'opt/roster'));
    cpSync(process.execPath, join(root, 'usr/local/bin/node'), { dereference: true });
    cpSync(join(folder, 'npm/lib/node_modules/roster'), join(root, 'opt/package'), { recursive: true });
    const PATH = '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
    for (const program of ['/opt/roster', '/opt/package/roster.cjs'])
      await assertServes(['chroot', root, program, 'start'], {
        PATH,
        ROSTER_DATA_DIR: `/var/tmp/${basename(program)}`,
      });
  });

  it('The Debian package upgrades an earlier one with data, serves as its own user, and leaves the data', async (test) => {
    if (missing) return test.skip(skipReason(missing));
    const earlier = join(folder, 'earlier');
    if (!releaseEarlierVersion(earlier)) return test.skip(skipReason('needs the history of this checkout'));
    const { root, inRoot } = emptySystem();
    cpSync(artifact('.deb', earlier), join(root, 'root/earlier.deb'));
    cpSync(artifact('.deb'), join(root, 'root/roster.deb'));
    const start = ['chroot', '--userspec=roster', root, '/usr/lib/roster/roster', 'start'];
    const environment = { PATH: process.env.PATH ?? '', ROSTER_DATA_DIR: '/var/lib/roster' };
    inRoot('dpkg', '-i', '/root/earlier.deb');
    try {
      // The earlier version exports no traces.
      await whileRunning(start, environment, assertFirstRequest);
      const changed = [
        '# Changed by an operator',
        'AUDIT_DAYS=30',
        'BACKUP_SCHEDULE=30 3 * * *',
        'BACKUP_TO=/var/lib/roster/$(touch /root/executed)&touch /root/executed;',
        'ROSTER_DATA_DIR="/var/lib/roster"\n',
      ].join('\n');
      writeFileSync(join(root, 'etc/roster/roster.env'), changed);
      inRoot('dpkg', '-i', '--force-confdef', '/root/roster.deb');
      const version = JSON.parse(readFileSync('package.json', 'utf8')).version;
      assert.equal(inRoot('roster', '--version'), `${version}\n`);
      assert.equal(readFileSync(join(root, 'etc/roster/roster.env'), 'utf8'), changed);
      assert.match(inRoot('roster', 'verify'), /checks passed: 1 contact/);
      assert.doesNotMatch(inRoot('ls', '/root'), /executed/);
      await assertStarts(start, environment);
      assert.match(inRoot('roster', 'verify'), /checks passed: 1 contact/);
      assert.match(inRoot('dpkg', '--purge', 'roster'), /still in \/var\/lib\/roster/);
      assert.match(inRoot('ls', '/var/lib/roster'), /roster\.db/);
    } finally {
      removeEarlierVersion(earlier);
    }
  });

  it('The systemd unit is valid and its exposure is below 2.0', (test) => {
    if (!has('systemd-analyze')) return test.skip(skipReason('needs systemd-analyze'));
    const unit = 'deploy/debian/roster.service';
    const report = execFileSync('systemd-analyze', ['security', '--offline=true', unit], {
      encoding: 'utf8',
    });
    const [, exposure] = /exposure level for roster\.service: ([\d.]+)/.exec(report) ?? [];
    assert.ok(Number(exposure) < 2, `${exposure}`);
    const { stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    // The program and its man page are not installed here.
    assert.doesNotMatch(stderr, /Unknown|Failed to parse|Invalid/);
  });
});
