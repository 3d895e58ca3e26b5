import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../kit/database/postgres-server.ts';
import { STARTUP_LINE } from '../kit/process/program.ts';
import { assertFirstRequest, has, release, skipReason } from './artifacts.ts';

const NEEDED = ['buildah', 'podman', 'runc', 'mmdebstrap'];
const missing =
  process.getuid?.() !== 0 || !has(...NEEDED)
    ? skipReason(`needs root and the Debian packages ${NEEDED.join(', ')}`)
    : false;

const folder = mkdtempSync(join(tmpdir(), 'roster-container-'));
const storage = [
  '--root',
  join(folder, 'storage'),
  '--runroot',
  join(folder, 'run'),
  '--storage-driver',
  'vfs',
];
const env = {
  ...process.env,
  BUILDAH_ISOLATION: 'chroot',
  CONTAINERS_CONF: join(folder, 'containers.conf'),
};
const run = (program: string, ...parameters: string[]) =>
  execFileSync(program, parameters, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
const buildah = (...parameters: string[]) => run('buildah', ...storage, ...parameters);
const podman = (...parameters: string[]) =>
  run('podman', ...storage, '--runtime', 'runc', '--cgroup-manager', 'cgroupfs', ...parameters);

const BASE = 'localhost/base';
const IMAGE = 'localhost/roster:test';

/** An empty Debian system as the base image, because a test has no container registry. */
const makeBase = () => {
  const archive = join(folder, 'base.tar');
  execFileSync(
    'mmdebstrap',
    ['--variant=minbase', '--include=libatomic1,libstdc++6,postgresql-client', 'bookworm', archive],
    {
      stdio: 'ignore',
    },
  );
  const container = buildah('from', 'scratch');
  buildah('add', '--quiet', container, archive, '/');
  buildah('commit', '--quiet', container, BASE);
  buildah('rm', container);
};

/** A container with a read-only file system, without capabilities and with its data in a volume. */
const FLAGS = [
  '--network=host',
  '--ulimit=host',
  '--read-only',
  '--read-only-tmpfs=false',
  '--cap-drop=all',
  '--security-opt=no-new-privileges',
  '--no-healthcheck',
  `--volume=${join(folder, 'data')}:/data`,
];

const readyOutput = async (name: string): Promise<string> => {
  for (let tries = 0; tries < 100; tries++) {
    const output = podman('logs', name);
    if (STARTUP_LINE.test(output)) return output;
    await pause(100);
  }
  return assert.fail(podman('logs', name));
};

describe('Container image', { skip: missing }, () => {
  before(() => {
    // The limits of the test's own process may be below the defaults of podman.
    writeFileSync(env.CONTAINERS_CONF, '[containers]\ndefault_ulimits = []\n');
    mkdirSync(join(folder, 'data'));
    spawnSync('chown', ['10001:10001', join(folder, 'data')]);
    release();
    makeBase();
    const bases = [`--build-arg=BASE=${BASE}`, `--build-arg=POSTGRES=${BASE}`];
    buildah('build', '--format=docker', ...bases, `--tag=${IMAGE}`, '.');
  });
  after(() => {
    podman('rm', '--all', '--force');
    rmSync(folder, { recursive: true, force: true });
  });

  it('The image has less than 200 MB, its own user, a volume, a health check and no shell', () => {
    const [image] = JSON.parse(podman('image', 'inspect', IMAGE));
    assert.ok(image.Size < 200e6, `${image.Size}`);
    assert.equal(image.User, '10001:10001');
    assert.deepEqual(Object.keys(image.Config.Volumes), ['/data']);
    assert.deepEqual(image.Healthcheck.Test, ['CMD', '/usr/bin/roster', 'health']);
    assert.throws(() => podman('run', '--rm', ...FLAGS, '--entrypoint=/bin/sh', IMAGE, '-c', 'true'));
  });

  it('The image has the tools for backups of PostgreSQL', () => {
    for (const tool of ['pg_dump', 'pg_restore'])
      assert.match(
        podman('run', '--rm', ...FLAGS, `--entrypoint=/usr/bin/${tool}`, IMAGE, '--version'),
        new RegExp(`^${tool} \\(PostgreSQL\\) \\d+`),
      );
  });

  it('The image serves read-only as its own user, reports its health, and stops on SIGTERM', async () => {
    const PORT = `--env=PORT=${await freePort()}`;
    podman('run', '--detach', '--name=first', ...FLAGS, PORT, '--env=DRAIN_SECONDS=0', IMAGE);
    await assertFirstRequest(await readyOutput('first'));
    assert.match(podman('exec', 'first', '/usr/bin/roster', 'health'), /^The service is ready/);
    assert.match(podman('exec', 'first', '/usr/bin/roster', 'doctor'), /All \d+ checks passed|0 problems/);
    assert.equal(podman('top', 'first', 'user').split('\n')[1], 'roster');
    podman('stop', '--time=20', 'first');
    assert.equal(podman('inspect', '--format={{.State.ExitCode}}', 'first'), '0');
  });

  it('The data of a removed container is in its volume', () => {
    podman('rm', 'first');
    assert.match(podman('run', '--rm', ...FLAGS, IMAGE, 'verify'), /checks passed: 1 contact/);
    writeFileSync(join(folder, 'data', 'people.csv'), 'Name,Phone\nGrace,+14155550102\n');
    assert.match(podman('run', '--rm', ...FLAGS, IMAGE, 'import', '/data/people.csv'), /applied, 1 row/);
  });
});

describe('Compose files', {
  skip: has('docker-compose') ? false : skipReason('needs the Debian package docker-compose'),
}, () => {
  const compose = (file: string, environment: Record<string, string>) =>
    spawnSync('docker-compose', ['--file', `deploy/compose/${file}`, 'config'], {
      env: { PATH: process.env.PATH ?? '', ...environment },
      encoding: 'utf8',
    });

  it('The compose file for SQLite is valid', () => {
    const { status, stdout, stderr } = compose('compose.yaml', {});
    assert.equal(status, 0, stderr);
    assert.match(stdout, /read_only: true/);
  });

  it('The compose file for PostgreSQL is valid and requires both secrets', () => {
    const secrets = { POSTGRES_PASSWORD: 'abc123', ROSTER_SECRET_KEY: 'c2VjcmV0' };
    const { status, stdout, stderr } = compose('compose.postgres.yaml', secrets);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /postgres:\/\/roster:abc123@postgres\/roster/);
    for (const name of Object.keys(secrets)) {
      const without = compose('compose.postgres.yaml', { ...secrets, [name]: '' });
      assert.notEqual(without.status, 0);
      assert.match(without.stderr, new RegExp(`Set ${name}`));
    }
  });
});
