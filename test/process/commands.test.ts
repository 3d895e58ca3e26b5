import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { variables } from '../../src/config/config.ts';
import type { Database } from '../../src/db/database.ts';
import { keyScopes } from '../../src/lib/scopes.ts';
import { emptyEngines, type TestDatabase } from '../kit/database/engines.ts';
import { runRoster, runRosterSync } from '../kit/process/cli.ts';
import { startTestService } from '../kit/service/test-service.ts';

const MAIN = new URL('../../src/entry/start.js', import.meta.url).pathname;

const rosterSync = ({ url }: Pick<TestDatabase, 'url'>, ...args: string[]) =>
  runRosterSync({ DATABASE_URL: url }, ...args);

/** Does not block a service of this process. */
const roster = ({ url }: Pick<TestDatabase, 'url'>, ...args: string[]) =>
  runRoster({ DATABASE_URL: url }, ...args);

const json = async (database: TestDatabase, ...args: string[]) => {
  const { status, stdout, stderr } = await roster(database, ...args, '--json');
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
};

describe('roster', () => {
  it('roster starts as the executable file that npx links', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    const path = fileURLToPath(new URL('../../src/cli.js', import.meta.url));
    const { stdout, stderr } = spawnSync(path, ['--version'], { encoding: 'utf8' });
    assert.equal(stdout, `${version}\n`, stderr);
  });

  it('roster help lists every command and every variable', () => {
    const { status, stdout } = rosterSync({ url: '' }, '--help');
    assert.equal(status, 0);
    for (const name of Object.keys(variables)) assert.match(stdout, new RegExp(`^  ${name} `, 'm'));
    for (const command of [
      'workspace create',
      'key create',
      'key revoke',
      'user create',
      'user link',
      'openapi',
      'start',
    ]) {
      assert.match(stdout, new RegExp(`^  roster ${command}`, 'm'));
    }
  });

  it('The help of every command describes each form and each option', () => {
    const { stdout: all } = rosterSync({ url: '' }, '--help');
    const names = new Set([...all.matchAll(/^ {2}roster ([\w-]+)/gm)].map(([, name = '']) => name));
    assert.ok(names.size >= 12);
    for (const name of names) {
      const { status, stdout } = rosterSync({ url: '' }, name, '--help');
      assert.equal(status, 0);
      const forms = [...stdout.matchAll(/^ {2}roster .*\n(?: {12}.*\n)*/gm)].map(([form]) => form);
      for (const form of forms) {
        assert.ok(all.includes(`${form.split('\n')[0]}\n`), form);
        assert.match(stdout.slice(stdout.indexOf(form) + form.length), /^ {6}[A-Z].*\.\n/, form);
      }
      const accepted = new Set(forms.join('').match(/--[a-z-]+/g));
      const described = [...stdout.matchAll(/^ {2}(--[a-z-]+) {2,}\S.*\.$/gm)].map(
        ([, option = '']) => option,
      );
      assert.deepEqual(described.sort(), [...accepted].sort(), name);
    }
  });

  it('Unknown commands and arguments are reported and exit with 2', () => {
    for (const [args, pattern] of [
      [['frobnicate'], /^Unknown command: frobnicate\. To list/],
      [['agnets'], /^Unknown command: agnets\. Did you mean agents\? To list all commands: /],
      [['key', 'lst'], /^Did you mean list\?\nUsage:\n/],
      [['key', 'create', '--nmae', 'x'], /^Unknown option '--nmae'\. Did you mean --name\?\nUsage:/],
      [['key', 'frobnicate'], /^Usage:\n/],
      [['key', 'create'], /--name is required/],
      [
        ['key', 'create', '--name', 'x', '--scope', 'admin,all'],
        /^--scope all means every scope\. Write it alone, without other scopes\.\n$/,
      ],
      [
        ['key', 'create', '--name', 'x', '--scope', 'read,calls:read'],
        /--scope read cannot be combined with other scopes\. Write contacts:read,agents:read instead of read\./,
      ],
      [['key', 'create', '--name', 'x', '--expires', 'soon'], /--expires must be a valid date/],
      [['key', 'create', '--name', 'x', '--expires', '2027-02-31'], /valid date or time.*not 2027-02-31/],
      [
        ['key', 'create', '--name', 'x', '--expires', '2027-01-01T24:00:00Z'],
        /--expires must be a valid date/,
      ],
      [['key', 'revoke'], /roster key revoke ID/],
      [['workspace', 'create'], /roster workspace create NAME/],
      [
        ['workspace', 'create', 'x', '--country', 'Atlantis'],
        /--country must be a two-letter country code.*not Atlantis/,
      ],
      [['user', 'link'], /roster user link EMAIL/],
      [['user', 'create'], /^--email is required\.\nUsage:/],
      [['user', 'create', '--email', 'foo'], /^--email must be an email address, not foo\.\n$/],
      [['user', 'list', 'ada@acme.example'], /roster user link EMAIL/],
      [['key', 'list', '--bogus'], /^Unknown option '--bogus'\.\nUsage:/],
      [
        ['key', 'list', '--data-dir', 'x'],
        /'--data-dir'\. Set the environment variable ROSTER_DATA_DIR instead\.\n/,
      ],
      [
        ['start', '--port', '5'],
        /^Unknown option '--port'\. Set the environment variable PORT instead\.\nUsage:\n {2}roster start\n$/,
      ],
      [['start', 'extra'], /^Usage:\n {2}roster start\n$/],
      [['start', '--json'], /^Unknown option '--json'\.\n/],
      [['openapi', 'x'], /^Usage:\n {2}roster openapi \[--dashboard\]\n$/],
      [['openapi', '--bogus'], /^Unknown option/],
    ] as const) {
      const { status, stderr, stdout } = rosterSync({ url: 'sqlite:/nowhere' }, ...args);
      assert.equal(status, 2, stderr);
      assert.match(stderr, pattern);
      assert.equal(stdout, '');
    }
  });

  it('The start script rejects arguments', () => {
    // Not a local address, so that a service cannot start by mistake.
    const env = { HOST: '192.0.2.1' };
    const { status, stderr } = spawnSync(process.execPath, [MAIN, 'extra'], { encoding: 'utf8', env });
    assert.deepEqual([status, stderr], [2, 'Usage:\n  roster start\n']);
  });

  it('A mistyped database name creates no database', async () => {
    const database = await emptyEngines.sqlite();
    const { status, stderr } = rosterSync(database, 'key', 'list');
    assert.equal(status, 1);
    assert.match(stderr, /^No database found at /);
    assert.equal(existsSync(database.url.slice('sqlite:'.length)), false);
    await database.drop();
  });
});

for (const engine of Object.keys(emptyEngines) as Database['engine'][]) {
  describe(`roster on ${engine}`, () => {
    it('Workspaces, keys and users created by a command work in the running service', async () => {
      const database = await emptyEngines[engine]();
      const service = await startTestService(database);
      assert.equal(
        (await json(database, 'workspace', 'create', 'Acme Corp', '--country', 'gb')).name,
        'Acme Corp',
      );
      const [acme] = await database.query(`select default_country from workspaces where name = 'Acme Corp'`);
      assert.equal(acme?.default_country, 'GB');
      assert.deepEqual(
        (await json(database, 'workspace', 'list')).map((each: { name: string }) => each.name),
        ['default', 'Acme Corp'],
      );
      assert.equal((await roster(database, 'workspace', 'create', 'Acme Corp')).status, 1);
      assert.match(
        (await roster(database, 'key', 'list', '--workspace', 'acme')).stderr,
        /Existing workspaces: default, Acme Corp/,
      );

      const wanted = [
        '--workspace',
        'Acme Corp',
        '--name',
        'ci',
        '--scope',
        'read',
        '--expires',
        '2099-01-01',
        '--rate-limit',
        '600/1m',
      ];
      const made = await json(database, 'key', 'create', ...wanted);
      assert.match(made.key, /^rk_/);
      assert.deepEqual(
        [made.scope, made.expires_at, made.rate_limit],
        ['read', '2099-01-01T00:00:00.000Z', '600/1m'],
      );
      const wrong = await roster(database, 'key', 'create', '--name', 'ci', '--rate-limit', '600');
      assert.equal(wrong.status, 2);
      assert.match(wrong.stderr, /^--rate-limit must be a number .* for example 600\/1m, not 600\.\n/);
      assert.equal((await service.get('/v1/contacts', { key: made.key })).body.pagination.total, 0);
      const listed = await json(database, 'key', 'list', '--workspace', 'Acme Corp');
      assert.deepEqual([listed.length, listed[0].id, 'key' in listed[0]], [1, made.id, false]);
      assert.match(
        (await roster(database, 'key', 'list', '--workspace', 'Acme Corp')).stdout,
        /ci +valid +\S+ +600\/1m +\S+ +read\n/,
      );
      assert.equal(
        (await roster(database, 'key', 'revoke', made.id)).status,
        1,
        'it is of another workspace',
      );
      assert.equal((await roster(database, 'key', 'revoke', made.id, '--workspace', 'Acme Corp')).status, 0);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      assert.equal((await service.get('/v1/contacts', { key: made.key })).status, 401);

      const all = await json(database, 'key', 'create', '--name', 'all', '--scope', 'all');
      assert.deepEqual(all.scopes, [...keyScopes]);
      for (const path of ['/v1/keys', '/v1/audit', '/v1/events', '/v1/calls'])
        assert.equal((await service.get(path, { key: all.key })).status, 200, path);

      const user = await json(
        database,
        'user',
        'create',
        '--email',
        'ada@acme.example',
        '--workspace',
        'Acme Corp',
      );
      assert.equal(user.role, 'owner');
      const { email, password } = user;
      const options = { headers: { authorization: null } };
      assert.equal((await service.post('/dashboard/api/session', { email, password }, options)).status, 200);

      const link = await json(database, 'user', 'link', email.toUpperCase(), '--workspace', 'Acme Corp');
      assert.deepEqual([link.email, link.url], [email, `http://127.0.0.1:3000${link.url_path}`]);
      const token = link.url_path.split('#')[1];
      const used = await service.post('/dashboard/api/session/link', { token }, options);
      assert.deepEqual([used.status, used.body.data.email], [200, email]);
      const printed = (await roster(database, 'user', 'link', email, '--workspace', 'Acme Corp')).stdout;
      assert.match(
        printed,
        /^http:\/\/127\.0\.0\.1:3000\/welcome#rl_\S+\n\nThis sign-in link for ada@acme\.example works once/,
      );
      for (const [unknown, workspace] of [
        [email, 'default'],
        ['nobody@acme.example', 'Acme Corp'],
      ] as const) {
        const refused = await roster(database, 'user', 'link', unknown, '--workspace', workspace);
        assert.equal(refused.status, 1);
        assert.equal(refused.stderr, `There is no user ${unknown} in the workspace ${workspace}.\n`);
      }
      await service.stop();
      await database.drop();
    });
  });
}

describe('Permissions of written files', () => {
  it('Files are readable by their owner only, also in a folder that others can read', async () => {
    const database = await emptyEngines.sqlite();
    assert.equal(rosterSync(database, 'workspace', 'create', 'default').status, 0);
    assert.equal(statSync(database.url.slice('sqlite:'.length)).mode & 0o077, 0);
    await database.drop();
  });
});
