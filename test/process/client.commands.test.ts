import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { newPhone } from '../kit/fixtures/factories.ts';
import { CLI, runRoster } from '../kit/process/cli.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onSqlite } from '../kit/service/test-service.ts';

onSqlite('Commands that use the API', (service) => {
  let environment: Record<string, string>;
  before(async () => {
    const scopes = [
      ...(['contacts:read', 'contacts:write', 'agents:read', 'agents:write', 'agents:deploy'] as const),
      ...(['campaigns:read', 'campaigns:write', 'calls:read'] as const),
    ];
    const key = await createScopedKey(service.database, ...scopes);
    environment = { ROSTER_URL: service.url, ROSTER_KEY: key };
  });
  const roster = (...args: string[]) => runRoster(environment, ...args);
  const succeed = async (...args: string[]) => {
    const { status, stdout, stderr } = await roster(...args);
    assert.deepEqual([status, stderr], [0, ''], stdout);
    return stdout;
  };
  const json = async (...args: string[]): Promise<Json> => JSON.parse(await succeed(...args, '--json'));

  it('Contacts are created, shown, edited and listed', async () => {
    const phone = newPhone();
    const created = await json(
      ...['contacts', 'create', '--set', `phone_number=${phone}`],
      ...['--set', 'first_name=12=0', '--set', 'tags:=["a","b"]', '--set', 'notes=\u001b[31m\nx'],
    );
    const { body } = await service.get(`/v1/contacts/${created.id}`);
    assert.deepEqual([created.first_name, created.tags], ['12=0', ['a', 'b']]);
    assert.deepEqual(await json('contacts', 'get', phone), body.data);
    assert.deepEqual(await json('contacts', 'get', created.id), body.data);
    const shown = await succeed('contacts', 'get', created.id);
    assert.match(shown, /^FIELD {2,}VALUE\n/);
    assert.match(shown, /^tags +a, b$/m);
    assert.match(shown, /^notes +\\u001b\[31m\\u000ax$/m);
    const edited = await succeed(
      'contacts',
      'edit',
      created.id,
      '--set',
      'last_name=Null',
      '--set',
      'tags:=[]',
    );
    assert.match(edited, /^last_name +Null$/m);
    assert.deepEqual((await json('contacts', 'get', created.id)).tags, []);
    const list = await succeed('contacts', 'list', '--query', 'search=12=0');
    assert.match(
      list,
      /^ID +PHONE NUMBER +FIRST NAME +LAST NAME +EMAIL +TAGS\ncontact_\w+ +\+\d+ +12=0 +Null\n$/,
    );
  });

  it('A list reads as many pages as the limit takes, by offsets and by cursors', async () => {
    const newContact = () => ({ op: 'create', phone_number: newPhone(), tags: ['many'] });
    const operations = Array.from({ length: 210 }, newContact);
    assert.equal((await service.post('/v1/contacts/batch', { operations })).body.data.created, 210);
    const tag = ['contacts', 'list', '--query', 'tag=many'];
    const first = await roster(...tag, '--json');
    assert.equal(JSON.parse(first.stdout).length, 100);
    assert.equal(first.stderr, '100 of 210. To list more: --limit N, or --limit all\n');
    const all: Json[] = await json(...tag, '--limit', 'all');
    assert.equal(new Set(all.map(({ id }) => id)).size, 210);
    const sorted = await roster(...tag, '--query', 'sort=created_at', '--limit', '205', '--json');
    const ids = JSON.parse(sorted.stdout).map(({ id }: Json) => id);
    assert.deepEqual([new Set(ids).size, sorted.stderr.split('.')[0]], [205, '205 of 210']);
    assert.equal((await roster(...tag, '--limit', '3')).stdout.split('\n').length, 5);
  });

  it('A list waits when the service limits requests', async () => {
    const principal = { DATABASE_URL: service.database.url };
    const scope = ['--scope', 'contacts:read', '--rate-limit', '2/1s'];
    const key = JSON.parse(
      (await runRoster(principal, 'key', 'create', '--name', 'x', ...scope, '--json')).stdout,
    );
    const args = ['contacts', 'list', '--query', 'tag=many', '--limit', 'all', '--json'];
    const { status, stdout, stderr } = await runRoster({ ...environment, ROSTER_KEY: key.key }, ...args);
    assert.deepEqual([status, JSON.parse(stdout).length], [0, 210], stderr);
    assert.match(stderr, /^The service limits requests\. Continuing in 1 second\.\n/);
  });

  it('A list does not wait longer than a minute', async (test) => {
    const server = createServer((_, response) => response.writeHead(429, { 'retry-after': '61' }).end('{}'));
    test.after(() => server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { status, stderr } = await roster('contacts', 'list', '--url', url);
    assert.deepEqual([status, stderr], [1, `The service at ${url} answered 429.\n`]);
  });

  it('Agents are deployed, compared and rendered', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'roster-client-'));
    const file = join(folder, 'agent.json');
    try {
      writeFileSync(
        file,
        `\ufeff${JSON.stringify({ name: 'Desk', instructions: 'Hello {{first_name|there}}.\nBye.' })}`,
      );
      const { id } = await json('agents', 'create', '--file', file, '--set', 'description=Orders');
      await succeed('agents', 'edit', id, '--set', 'instructions=Hello {{first_name|there}}.\nGoodbye.');
      const { body } = await service.get(`/v1/agents/${id}`);
      assert.equal(body.data.description, 'Orders');
      assert.match(await succeed('agents', 'deploy', id, 'v2', '--note', 'Live'), /^version_label +v2$/m);
      const listed = await succeed('agents', 'list');
      assert.match(listed, /^ID +NAME +DEPLOYED VERSION +UPDATED AT\n/);
      assert.match(listed, new RegExp(`^${id} +Desk +v2 +\\d{4}-`, 'm'));
      const diff = await succeed('agents', 'diff', id, 'v1', 'v2');
      assert.match(diff, /^--- v1\n\+\+\+ v2\n@@ -1,2 \+1,2 @@\n Hello .*\n-Bye\.\n/m);
      assert.match(diff, /^\+Goodbye\.$/m);
      const contact = ['--set', 'contact.phone_number=+14155550123', '--set', 'contact.first_name=Ada'];
      assert.equal(await succeed('agents', 'render', id, 'v2', ...contact), 'Hello Ada.\nGoodbye.');
      const tab = '\tOne.\u0085';
      await succeed('agents', 'edit', id, '--set', `instructions=${tab}`);
      assert.equal(await succeed('agents', 'render', id, 'v3', ...contact), tab);
      assert.match(await succeed('agents', 'diff', id, 'v2', 'v3'), /^\+\tOne\.\\u0085$/m);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('Segments, campaigns and calls have the same commands', async () => {
    const filter = '{"attribute": "tag", "op": "eq", "value": "gold"}';
    const segment = await json('segments', 'create', '--set', 'name=Gold', '--set', `filter:=${filter}`);
    assert.deepEqual((await json('segments', 'get', segment.id)).filter, JSON.parse(filter));
    await succeed('segments', 'edit', segment.id, '--set', 'name=Golden');
    assert.match(await succeed('segments', 'list'), new RegExp(`^${segment.id} +Golden `, 'm'));
    const agent = await json('agents', 'create', '--set', 'name=Caller', '--set', 'instructions=Hi');
    // The standard input is a file as well.
    const input = JSON.stringify({ name: 'Spring', agent_id: agent.id });
    const script = `printf '%s' '${input}' | "$0" "$1" campaigns create --file - --json`;
    const env = { PATH: process.env.PATH, ...environment };
    const { stdout } = await promisify(execFile)('sh', ['-c', script, process.execPath, CLI], { env });
    const campaign = JSON.parse(stdout);
    assert.equal(campaign.name, 'Spring');
    const drafts = await succeed('campaigns', 'list', '--query', 'status=draft');
    assert.match(drafts, new RegExp(`^${campaign.id} +Spring +draft +Caller +`, 'm'));
    assert.deepEqual(await json('calls', 'list', '--query', 'direction=inbound'), []);
  });

  it("A refusal prints the API's message and details, and exits with 1", async () => {
    const phone = newPhone();
    const { id } = await json('contacts', 'create', '--set', `phone_number=${phone}`);
    const limited = await createScopedKey(service.database, 'contacts:read');
    const cases: [string[], RegExp, Record<string, string>?][] = [
      [
        ['contacts', 'create', '--set', `phone_number=${phone}`],
        new RegExp(`^.*\\.\nexisting_contact_id: ${id}\n$`),
      ],
      [
        ['contacts', 'create', '--set', 'phone_number=1', '--set', 'email=x', '--set', 'nick=y'],
        /\nphone_number: .*\n(?:.*\n)*email: .*/,
      ],
      [['contacts', 'get', 'contact_01h455vb4pex5vsknk084sn02q'], /^No such contact in this workspace\.\n$/],
      [['contacts', 'list', '--query', 'colour=red'], /colour/],
      [['contacts', 'edit', id, '--set', 'notes=x'], /contacts:write/, { ROSTER_KEY: limited }],
      [
        ['contacts', 'list'],
        /^The service does not accept the API key in ROSTER_KEY \(401\)\./,
        { ROSTER_KEY: 'rk' },
      ],
      [
        ['contacts', 'list'],
        /^Set ROSTER_KEY to an API key with the scope contacts:read\./,
        { ROSTER_KEY: '' },
      ],
      [
        ['segments', 'list', '--url', 'http://127.0.0.1:2'],
        /does not answer: no program listens on this port\.\n$/,
      ],
      [
        ['agents', 'list', '--url', `${service.url}/v1`],
        /\(status 404\)\. Check that this is its URL, without \/v1\.\n$/,
      ],
    ];
    for (const [args, message, more] of cases) {
      const { status, stdout, stderr } = await runRoster({ ...environment, ...more }, ...args);
      assert.match(stderr, message);
      assert.deepEqual([status, stdout], [1, ''], args.join(' '));
    }
  });
});

describe('The arguments of commands that use the API', () => {
  for (const [args, message, exit = 2] of [
    [['contacts'], /^Usage:\n {2}roster contacts list /],
    [['contacts', 'create'], /^Say what to send with --set or --file\.\nUsage:/],
    [
      ['contacts', 'edit', 'x', '--set', 'notes'],
      /^--set must have the form name=text or name:=JSON, not notes\.\n$/,
    ],
    [['contacts', 'edit', 'x', '--set', 'tags:=[a]'], /^Cannot read --set tags:=\[a\] as JSON: .*\.\n$/],
    [['contacts', 'edit', 'x', '--set', '__proto__.a=1'], /^--set must have the form/],
    [
      ['contacts', 'edit', '+14155550123', '--set', 'notes=x'],
      /^Name the contact by its ID, .* get \+14155550123\n$/,
    ],
    [
      ['contacts', 'list', '--url', 'https://me:secret@x.example.com'],
      /, not https:\/\/…@x\.example\.com\.\n$/,
    ],
    [
      ['key', 'create', '--name', 'x', '--scope', 'all,admin'],
      /^--scope all means every scope\. Write it alone/,
    ],
    [['contacts', 'edit', 'x', '--file', '/nowhere'], /^Cannot read \/nowhere\./],
    [['contacts', 'list', '--limit', '0'], /^--limit must be a number from 1, or all, not 0\.\n$/],
    [['contacts', 'list', '--query', 'limit=5'], /^--query limit is not possible\. Use --limit/],
    [['contacts', 'list', '--query', 'tag'], /^--query must have the form name=value, not tag\.\n$/],
    [['calls', 'create'], /^Usage:\n {2}roster calls list /],
    [['agents', 'list', '--query', 'a=b'], /^Unknown option '--query'/, 64],
    [['agents', 'render', 'x', 'v1'], /^Say what to send/, 64],
  ] as const) {
    it(`roster ${args.join(' ')} is refused with a message`, () => {
      const env = { PATH: process.env.PATH, ROSTER_URL: 'http://127.0.0.1:2', ROSTER_KEY: 'rk_1' };
      const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
        encoding: 'utf8',
        env,
      });
      assert.match(stderr, message);
      assert.deepEqual([status, stdout], [exit, '']);
    });
  }
});
