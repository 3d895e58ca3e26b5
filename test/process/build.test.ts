import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';

/** Replaces the slow build of the dashboard: writes the same files and prints that it ran. */
const DASHBOARD_BUILD = `
  import { mkdirSync, writeFileSync } from 'node:fs';
  import { stampFile, stampOf } from '../src/entry/built.js';
  mkdirSync(new URL('dist', import.meta.url), { recursive: true });
  writeFileSync(new URL('dist/index.html', import.meta.url), '');
  writeFileSync(stampFile('dashboard'), stampOf('dashboard'));
  console.log('dashboard built');`;

describe('Build output', () => {
  const root = mkdtempSync(join(tmpdir(), 'roster-built-'));
  const at = (path: string) => join(root, path);
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    return stdout;
  };
  const isFresh = (name: 'service' | 'dashboard' = 'service') =>
    run('-e', `import('./src/entry/built.js').then(({ isFresh }) => console.log(isFresh('${name}')))`) ===
    'true\n';

  before(() => {
    for (const path of ['src', 'build', 'package.json', 'package-lock.json', 'dashboard/prepare.js'])
      cpSync(path, at(path), { recursive: true });
    mkdirSync(at('docs'));
    writeFileSync(at('docs/openapi.dashboard.json'), '{}');
    writeFileSync(at('dashboard/build.ts'), DASHBOARD_BUILD);
    symlinkSync(resolve('node_modules'), at('node_modules'));
    run('build/service.ts');
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  it('The build stays fresh after a chmod, a touch, a copy and a changed test', () => {
    assert.equal(isFresh(), true);
    chmodSync(at('src/cli.js'), 0o755);
    utimesSync(at('src/entry/main.ts'), new Date(), new Date());
    cpSync('src/wiring/routes.ts', at('src/wiring/routes.ts'));
    writeFileSync(at('src/added.test.ts'), '');
    const now = statSync(at('src/cli.js')).ctimeMs;
    assert.ok(now > statSync(at('dist/main.js')).ctimeMs, 'a source has a newer change time');
    assert.equal(isFresh(), true);
  });

  it('The build is stale after a source or a package was changed, added or removed', () => {
    for (const path of ['src/lib/ids.ts', 'package-lock.json', 'build/service.ts']) {
      const before = readFileSync(at(path));
      appendFileSync(at(path), '\n');
      assert.equal(isFresh(), false, path);
      writeFileSync(at(path), before);
      assert.equal(isFresh(), true, `${path} as it was`);
    }
    writeFileSync(at('src/added.ts'), '');
    assert.equal(isFresh(), false, 'added');
    rmSync(at('src/added.ts'));
    rmSync(at('src/lib/ids.ts'));
    assert.equal(isFresh(), false, 'removed');
    cpSync('src/lib/ids.ts', at('src/lib/ids.ts'));
    assert.equal(isFresh(), true);
  });

  it('An install does not rebuild when nothing changed', () => {
    const built = () => statSync(at('dist/main.js')).ino;
    const before = built();
    assert.match(run('dashboard/prepare.js'), /dashboard built/);
    assert.equal(built(), before, 'the service was built already');
    assert.equal(run('dashboard/prepare.js'), '');
    appendFileSync(at('src/entry/main.ts'), '\n');
    assert.match(run('dashboard/prepare.js'), /^Built the service/);
    assert.notEqual(built(), before);
  });

  it('The dashboard is stale after a file of the service that it copies was changed', () => {
    run('dashboard/build.ts');
    const copies = globSync('dashboard/src/**/*.gen.ts').flatMap(
      (file) => readFileSync(file, 'utf8').match(/^\/\/ Copied from (\S+)/)?.[1] ?? [],
    );
    assert.ok(copies.includes('src/lib/time-zone.ts'), copies.join());
    for (const path of copies) {
      const before = readFileSync(at(path));
      assert.equal(isFresh('dashboard'), true);
      appendFileSync(at(path), '\n');
      assert.equal(isFresh('dashboard'), false, path);
      writeFileSync(at(path), before);
    }
  });

  it('A start from sources recommends npm run build', async () => {
    appendFileSync(at('src/entry/main.ts'), '\n');
    const child = spawn(process.execPath, ['src/entry/start.js'], {
      cwd: root,
      env: { PATH: process.env.PATH ?? '', PORT: '0', ROSTER_DATA_DIR: at('data') },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(child, 'close');
    const [line] = await once(child.stderr, 'data');
    child.kill('SIGKILL');
    await ended;
    assert.equal(
      String(line),
      'Running from source, which uses more memory and starts more slowly. Run npm run build to build Roster.\n',
    );
  });
});
