import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { before, it, type TestContext } from 'node:test';
import { runRoster } from '../kit/process/cli.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onSqlite } from '../kit/service/test-service.ts';

const CONFIG = '{"temperature": 1.0, "voice": {"id": "warm", "10": 1, "2": [1e3,{}, "a\\": [1 ,2]"]}}';
const TEXT = 'Say hello.\r\n\r\n  “Grüße” \u{1f600}\nThen wait.';

onSqlite('Agents in a folder', (service) => {
  let environment: Record<string, string>;
  let reader: string;
  before(async () => {
    const { database, url } = service;
    const key = await createScopedKey(database, 'agents:read', 'agents:write', 'agents:deploy');
    environment = { ROSTER_URL: url, ROSTER_KEY: key };
    reader = await createScopedKey(database, 'agents:read');
  });

  const agents = (...args: string[]) => runRoster(environment, 'agents', ...args);
  const succeed = async (...args: string[]) => {
    const { status, stdout, stderr } = await agents(...args);
    assert.deepEqual([status, stderr], [0, ''], stdout);
    return stdout;
  };
  const newFolder = (test: TestContext) => {
    const root = mkdtempSync(join(tmpdir(), 'roster-agents-'));
    test.after(() => rmSync(root, { recursive: true, force: true }));
    return {
      root,
      read: (path: string) => readFileSync(join(root, path), 'utf8'),
      write: (path: string, text: string | Buffer) => writeFileSync(join(root, path), text),
      state: async (folder: string) => {
        const { stdout } = await agents('plan', root, '--json');
        return JSON.parse(stdout).find((each: Json) => each.folder === folder)?.state;
      },
    };
  };
  /** Forwards requests to the service, after `intervene`. What it returns is the response instead: a status or a body. */
  const proxy = async (
    test: TestContext,
    intervene: (request: IncomingMessage) => Promise<number | object | undefined>,
  ) => {
    const server = createServer(async (request, response) => {
      const { method = 'GET', url = '', headers } = request;
      const instead = await intervene(request);
      if (typeof instead === 'number') return response.writeHead(instead).end();
      if (instead) return response.end(JSON.stringify(instead));
      const body = method === 'GET' ? null : new Uint8Array(await buffer(request));
      const { host: _, connection: __, 'content-length': ___, ...sent } = headers as Record<string, string>;
      const reply = await fetch(service.url + url, { method, headers: sent, body });
      const {
        'content-encoding': ____,
        'content-length': _____,
        ...kept
      } = Object.fromEntries(reply.headers);
      return response.writeHead(reply.status, kept).end(await reply.text());
    }).listen(0, '127.0.0.1');
    test.after(() => server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const created = async (name: string, instructions = 'Hello.'): Promise<string> => {
    const { status, body } = await service.post('/v1/agents', { name, instructions });
    assert.equal(status, 201);
    return body.data.id;
  };
  const addVersion = async (id: string, body: object) =>
    assert.equal((await service.post(`/v1/agents/${id}/versions`, body)).status, 201);
  const versionsOf = async (id: string): Promise<Json[]> =>
    (await service.get(`/v1/agents/${id}/versions`)).body.data;
  const textOf = async (id: string, version: string) =>
    (await service.get(`/v1/agents/${id}/versions/${version}`)).text;

  it('pull writes texts byte for byte, plan shows a change, and push creates a version of it', async (test) => {
    const { root, read, write } = newFolder(test);
    const id = await created('Café Ümit: Orders & Co.', TEXT);
    const raw = `{"config": ${CONFIG}, "note": "first"}`;
    assert.equal((await service.call('POST', `/v1/agents/${id}/versions`, undefined, { raw })).status, 201);
    const other = await created('Untouched');
    await succeed('pull', root);
    const folder = 'cafe-umit-orders-co';
    assert.deepEqual(readFileSync(join(root, folder, 'instructions.md')), Buffer.from(TEXT));
    assert.equal(
      read(`${folder}/config.json`),
      '{\n  "temperature": 1.0,\n  "voice": {\n    "id": "warm",\n    "10": 1,\n    "2": [\n      1e3,\n      {},\n      "a\\": [1 ,2]"\n    ]\n  }\n}\n',
    );
    const base = { version: 'v2', name: 'Café Ümit: Orders & Co.' };
    assert.deepEqual(JSON.parse(read(`${folder}/agent.json`)), { id, name: base.name, base });
    const same = await agents('plan', root);
    assert.deepEqual([same.status, same.stderr], [0, '']);
    assert.match(
      same.stdout,
      /^cafe-umit-orders-co: unchanged\. push --deploy deploys it\. \(folder v2, service v2, deployed none\)\n/,
    );

    // The formatting of a config is no change.
    write(`${folder}/config.json`, `\n${CONFIG}\n\n`);
    assert.equal((await agents('plan', root)).status, 0);
    write(`${folder}/config.json`, CONFIG.replace('1.0', '1'));
    const rewritten = await agents('plan', root);
    assert.equal(rewritten.status, 2);
    assert.match(rewritten.stdout, /^~ config: equal values, in another order or form/m);
    const config = CONFIG.replace('1.0,', '0.50,\n');
    write(`${folder}/config.json`, `${config}\n`);
    write(`${folder}/instructions.md`, TEXT.replace('Then', 'Now'));
    const changed = await agents('plan', root);
    assert.deepEqual([changed.status, changed.stderr], [2, '']);
    assert.match(changed.stdout, /^--- v2\n\+\+\+ cafe-umit-orders-co\/instructions\.md\n@@/m);
    assert.match(changed.stdout, /^-Then wait\.\n/m);
    assert.match(changed.stdout, /^\+Now wait\.\n/m);
    assert.match(changed.stdout, /^~ config\/temperature: 1 → 0\.5\n/m);
    assert.match(changed.stdout, /^untouched: unchanged/m);

    const pushed = await succeed('push', root, '--note', 'Quieter', '--json');
    assert.deepEqual(JSON.parse(pushed), [
      { folder, id, version: 'v3', result: 'updated', deployed: false },
      { folder: 'untouched', id: other, version: 'v1', result: 'unchanged', deployed: false },
    ]);
    const [newest] = await versionsOf(id);
    assert.deepEqual(
      [newest.version_label, newest.version_note, newest.based_on.version_label],
      ['v3', 'Quieter', 'v2'],
    );
    assert.ok((await textOf(id, 'v3')).includes(`"config":${config}`));
    assert.equal(JSON.parse(read(`${folder}/agent.json`)).base.version, 'v3');
    assert.equal((await agents('plan', root)).status, 0);
    assert.match(await succeed('push', root), /^cafe-umit-orders-co +v3 +unchanged +no$/m);
    assert.equal((await versionsOf(id)).length, 3);
    await succeed('pull', root);
    assert.equal(read(`${folder}/config.json`), `${config}\n`);
  });

  it('pull keeps changes that were not pushed, and writes nothing else then; --force discards them', async (test) => {
    const { root, read, write, state } = newFolder(test);
    const [id, second] = [await created('Kept'), await created('Behind')];
    await succeed('pull', root);
    write('kept/instructions.md', 'Mine.');
    await addVersion(second, { instructions: 'Theirs.' });
    const refused = await agents('pull', root);
    assert.deepEqual([refused.status, refused.stdout], [1, '']);
    assert.match(refused.stderr, /^kept: changed here and not pushed\.\nNothing was written\. .*--force/);
    assert.deepEqual([read('kept/instructions.md'), read('behind/instructions.md')], ['Mine.', 'Hello.']);
    assert.equal(await state('behind'), 'behind');
    // A push does not undo a newer version of the service.
    assert.match(await succeed('push', root), /^behind +v2 +behind: pull it +no$/m);
    assert.equal((await versionsOf(id)).length, 2);
    assert.equal((await versionsOf(second)).length, 2);
    write('kept/config.json', '{"a": 1}');
    await succeed('pull', root, '--force');
    assert.deepEqual([read('kept/instructions.md'), read('behind/instructions.md')], ['Mine.', 'Theirs.']);
    assert.deepEqual(JSON.parse(read('kept/config.json')), {});
    assert.equal((await agents('plan', root)).status, 0);
  });

  it('pull --deployed writes the deployed versions, and a name is pushed and pulled', async (test) => {
    const { root, read, write, state } = newFolder(test);
    const id = await created('Deployed', 'Live.');
    const draft = await created('Only a draft');
    await service.post(`/v1/agents/${id}/versions/v1/deploy`, {}, { key: environment.ROSTER_KEY ?? '' });
    await addVersion(id, { instructions: 'Draft.' });
    const rows = JSON.parse(await succeed('pull', root, '--deployed', '--json'));
    assert.deepEqual(
      rows.filter((row: Json) => [id, draft].includes(row.id)).map(({ result }: Json) => result),
      ['not deployed', 'written'],
    );
    assert.equal(read('deployed/instructions.md'), 'Live.');
    assert.equal(await state('deployed'), 'behind');
    await succeed('pull', root);
    assert.equal(read('deployed/instructions.md'), 'Draft.');
    await service.patch(`/v1/agents/${id}`, { name: 'By others' });
    assert.equal(await state('deployed'), 'behind');
    await succeed('pull', root);
    const file = JSON.parse(read('deployed/agent.json'));
    assert.deepEqual([file.name, file.base], ['By others', { version: 'v2', name: 'By others' }]);
    write('deployed/agent.json', JSON.stringify({ ...file, name: 'By us' }));
    assert.match((await agents('plan', root)).stdout, /^~ name: "By others", here "By us"$/m);
    await succeed('push', root);
    assert.equal((await service.get(`/v1/agents/${id}`)).body.data.name, 'By us');
    assert.equal((await versionsOf(id)).length, 2);
  });

  it('push refuses agents that both sides have changed, and changes no other; --force pushes over them', async (test) => {
    const { root, write, state } = newFolder(test);
    const [id, other] = [await created('Contested'), await created('Harmless')];
    await succeed('pull', root);
    write('contested/instructions.md', 'Ours.');
    write('harmless/instructions.md', 'Ours.');
    await addVersion(id, { instructions: 'Theirs.' });
    const { status, stdout, stderr } = await agents('push', root);
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(
      stderr,
      /^contested: conflict\. .* \(folder v1, service v2, deployed none\)\nNothing was pushed\./,
    );
    assert.equal((await versionsOf(other)).length, 1);
    assert.equal(await state('contested'), 'conflict');
    assert.match(
      (await agents('pull', root)).stderr,
      /^harmless: changed here and not pushed\.\ncontested: conflict: changed here and on the service\.\n/,
    );
    await succeed('push', root, '--force');
    assert.deepEqual(
      (await versionsOf(id)).map(({ version_label, based_on }) => [version_label, based_on?.version_label]),
      [
        ['v3', 'v2'],
        ['v2', 'v1'],
        ['v1', undefined],
      ],
    );
    assert.equal((await versionsOf(other)).length, 2);
    assert.equal((await service.delete(`/v1/agents/${other}`)).status, 200);
    assert.match(await succeed('pull', root), /^harmless +deleted on the service$/m);
    const refused = await agents('push', root, '--force');
    assert.deepEqual([refused.status, refused.stdout], [1, '']);
    assert.match(refused.stderr, /^harmless: deleted on the service\. The folder remains\. \(folder v2\)\n/);
  });

  it('push does not overwrite an edit between its read and its write', async (test) => {
    const { root, write } = newFolder(test);
    const id = await created('Raced');
    await succeed('pull', root);
    write('raced/instructions.md', 'Ours.');
    const url = await proxy(test, async ({ method }) => {
      if (method === 'POST') await addVersion(id, { instructions: 'Theirs.' });
      return undefined;
    });
    const { status, stderr } = await agents('push', root, '--url', url);
    assert.equal(
      stderr,
      'raced: changed on the service meanwhile. Nothing was overwritten: pull it, or push again.\n',
    );
    assert.equal(status, 1);
    assert.equal((await versionsOf(id)).length, 2);
  });

  it('Edits of the folder while a command runs are kept', async (test) => {
    const { root, read, write, state } = newFolder(test);
    const id = await created('Edited');
    await succeed('pull', root);
    await addVersion(id, { instructions: 'Theirs.' });
    const edit = (text: string) =>
      proxy(test, async ({ url = '' }) => {
        if (url.includes('/versions/')) write('edited/instructions.md', text);
        return undefined;
      });
    const message = `Files in ${root} were edited meanwhile. Nothing was changed. Repeat the command.\n`;
    const pulled = await agents('pull', root, '--url', await edit('Mine.'));
    assert.deepEqual([pulled.status, pulled.stderr], [1, message]);
    assert.equal(read('edited/instructions.md'), 'Mine.');
    const pushed = await agents('push', root, '--force', '--url', await edit('Mine, too.'));
    assert.deepEqual([pushed.status, pushed.stderr, (await versionsOf(id)).length], [1, message, 2]);
    const file = read('edited/agent.json');
    const rename = await proxy(test, async ({ method }) => {
      if (method === 'POST') write('edited/agent.json', file.replace('"Edited"', '"Renamed"'));
      return undefined;
    });
    await succeed('push', root, '--force', '--url', rename);
    const { name, base } = JSON.parse(read('edited/agent.json'));
    assert.deepEqual([name, base], ['Renamed', { version: 'v3', name: 'Edited' }]);
    assert.equal(await state('edited'), 'changed');
  });

  it('A push that fails halfway continues where it was', async (test) => {
    const { root, read, write } = newFolder(test);
    mkdirSync(join(root, 'halfway'));
    write('halfway/agent.json', '{"name": "Halfway"}');
    write('halfway/instructions.md', 'One.');
    write('halfway/config.json', '{"a": 1}');
    const url = await proxy(test, async (request) => (request.url?.includes('/versions') ? 503 : undefined));
    assert.equal((await agents('push', root, '--url', url)).status, 1);
    const { id, ...rest } = JSON.parse(read('halfway/agent.json'));
    assert.deepEqual(rest, { name: 'Halfway', base: { version: 'v1', name: 'Halfway' } });
    assert.match(await succeed('push', root), /^halfway +v2 +updated +no$/m);
    assert.equal((await versionsOf(id)).length, 2);
  });

  it('A push whose record of a new agent was lost does not create the agent again', async (test) => {
    const { root, read, write } = newFolder(test);
    mkdirSync(join(root, 'lost'));
    write('lost/instructions.md', 'One.');
    write('lost/config.json', '{"a": 1}');
    const pushAnew = async () => {
      write('lost/agent.json', '{"name": "Lost"}');
      const { status, stderr } = await agents('push', root);
      return { status, stderr, ...JSON.parse(read('lost/agent.json')) };
    };
    const [first, second] = [await pushAnew(), await pushAnew()];
    assert.deepEqual(first, second);
    assert.deepEqual([first.status, first.base.version, (await versionsOf(first.id)).length], [0, 'v2', 2]);
    await addVersion(first.id, { instructions: 'Theirs.' });
    const third = await pushAnew();
    assert.deepEqual([third.status, third.id, third.base.version], [1, first.id, 'v1']);
    assert.match(third.stderr, /^lost: an earlier push created this agent/);
    assert.equal((await service.delete(`/v1/agents/${first.id}`)).status, 200);
    const fourth = await pushAnew();
    assert.deepEqual([fourth.status, fourth.base.version], [0, 'v2']);
    assert.notEqual(fourth.id, first.id);
  });

  it('An agent that a list omits is not deleted', async (test) => {
    const { root, read, state, write } = newFolder(test);
    const id = await created('Omitted');
    await succeed('pull', root);
    await addVersion(id, { instructions: 'Newer.' });
    const url = await proxy(test, async ({ url = '' }) =>
      url.startsWith('/v1/agents?')
        ? { success: true, data: [], pagination: { total: 0, has_more: false } }
        : undefined,
    );
    await succeed('pull', root, '--url', url);
    assert.equal(read('omitted/instructions.md'), 'Newer.');
    const file = read('omitted/agent.json');
    write('omitted/agent.json', file.replace(id, '01890a5d-ac96-774b-bcce-b302099a8057'));
    assert.equal(await state('omitted'), 'deleted');
  });

  it('push creates new agents, and deploys with a key that may', async (test) => {
    const { root, read, write } = newFolder(test);
    mkdirSync(join(root, 'night-shift'));
    write('night-shift/agent.json', '{"name": "Night shift"}');
    write('night-shift/instructions.md', 'Good night.');
    write('night-shift/config.json', CONFIG);
    const planned = await agents('plan', root);
    assert.equal(planned.status, 2);
    assert.match(
      planned.stdout,
      /^night-shift: new\. A push creates it\. push --deploy deploys it\.\n--- \/dev\/null\n/,
    );
    const writer = await createScopedKey(service.database, 'agents:read', 'agents:write');
    const limited = await runRoster(
      { ...environment, ROSTER_KEY: writer },
      'agents',
      'push',
      root,
      '--deploy',
    );
    assert.equal(limited.status, 1);
    assert.match(limited.stderr, /^night-shift: v2 was pushed, but not deployed\. .*agents:deploy/);
    const { id, base } = JSON.parse(read('night-shift/agent.json'));
    assert.deepEqual(base, { version: 'v2', name: 'Night shift' });
    assert.ok((await textOf(id, 'v2')).includes(`"config":${CONFIG}`));
    const deployed = await succeed('push', root, '--deploy', '--note', 'To live');
    assert.match(deployed, /^night-shift +v2 +unchanged +yes$/m);
    const [newest, ...rest] = await versionsOf(id);
    assert.deepEqual([newest.deployment_status, newest.note, rest.length], ['deployed', 'To live', 1]);
    const refused = await runRoster({ ...environment, ROSTER_KEY: reader }, 'agents', 'plan', root);
    assert.deepEqual([refused.status, refused.stderr], [0, '']);
  });

  it('push --deploy does not undo a rollback', async (test) => {
    const { root, write } = newFolder(test);
    const [id, other] = [await created('Rolled back'), await created('Bystander')];
    await succeed('pull', root);
    await addVersion(id, { instructions: 'Better.' });
    await succeed('pull', root);
    await succeed('push', root, '--deploy');
    const rollback = await service.post(
      `/v1/agents/${id}/versions/v1/deploy`,
      {},
      { key: environment.ROSTER_KEY ?? '' },
    );
    assert.equal(rollback.status, 200);
    write('bystander/instructions.md', 'Changed.');
    const plan = JSON.parse((await agents('plan', root, '--json')).stdout);
    const deploys = plan
      .filter((each: Json) => [id, other].includes(each.id))
      .map((each: Json) => each.deploys);
    assert.deepEqual(deploys, [true, false]);
    const pushed = await succeed('push', root, '--deploy');
    assert.match(pushed, /^bystander +v2 +updated +yes$/m);
    assert.match(pushed, /^rolled-back +v2 +unchanged +no$/m);
    assert.equal((await service.get(`/v1/agents/${id}`)).body.data.deployed_version.version_label, 'v1');
    assert.match((await agents('plan', root)).stdout, /^rolled-back: unchanged\. \(.* deployed v1\)$/m);
  });

  it('push --deploy deploys unknown variables if they are confirmed', async (test) => {
    const { root } = newFolder(test);
    await created('Unknown', 'Hello {{nobody_knows}}.');
    await succeed('pull', root);
    const refused = await agents('push', root, '--deploy');
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /unknown: v1 was pushed, but not deployed\. (?:.|\n)*nobody_knows/);
    const deployed = await succeed('push', root, '--deploy', '--confirm-unknown-variables');
    assert.match(deployed, /^unknown +v1 +unchanged +yes$/m);
  });

  it('Two agents of one name get two folders, and a folder keeps its name', async (test) => {
    const { root } = newFolder(test);
    const ids = [await created('Twins'), await created('Twins')];
    await succeed('pull', root);
    await service.patch(`/v1/agents/${ids[0]}`, { name: 'Renamed' });
    await succeed('pull', root);
    const folders = readdirSync(root).filter((name) => name.startsWith('twins'));
    assert.deepEqual(folders, ['twins', `twins-${ids[1]?.slice(-8)}`]);
  });

  it('Symbolic links are neither read nor written', async (test) => {
    const { root, write } = newFolder(test);
    const outside = newFolder(test);
    outside.write('agent.json', '{"name": "Outside"}');
    outside.write('instructions.md', 'Secret.');
    const refused = async (command: string, path: string) => {
      const { status, stdout, stderr } = await agents(command, root);
      assert.deepEqual(
        [status, stdout, stderr],
        [64, '', `${join(root, path)} is a symbolic link. Replace it with what it leads to.\n`],
      );
      rmSync(join(root, path));
    };
    symlinkSync(outside.root, join(root, 'linked'));
    await refused('push', 'linked');
    await created('Linked');
    await succeed('pull', root);
    for (const name of ['instructions.md', 'config.json', 'agent.json']) {
      rmSync(join(root, 'linked', name));
      symlinkSync(join(outside.root, name), join(root, 'linked', name));
      await refused('pull', `linked/${name}`);
      if (name === 'agent.json') continue;
      write(`linked/${name}`, name === 'config.json' ? '{}' : 'Hello.');
    }
    assert.deepEqual(readdirSync(outside.root), ['agent.json', 'instructions.md']);
  });

  it('Invalid files and arguments are refused with 64 before anything is sent', async (test) => {
    const { root, write } = newFolder(test);
    mkdirSync(join(root, 'one'));
    const cases: [Record<string, string | Buffer>, RegExp][] = [
      [{ 'agent.json': '{' }, /Cannot read .*one\/agent\.json as JSON: .*position 1 \(line 1 column 2\)\.$/],
      [{ 'agent.json': '{"id": "x"}' }, /one\/agent\.json must have a name, .*write \{"name": "…"\}\.$/],
      [{ 'agent.json': '{"name": "x", "base": {}}' }, /must have a name/],
      [{ 'agent.json': '{"name": "x", "id": "../contacts"}' }, /must have a name/],
      [{ 'agent.json': '{"name": "x", "descripton": "y"}' }, /has an unknown member "descripton"\.$/],
      [{ 'agent.json': '{"name": "x"}' }, /Cannot read .*one\/instructions\.md\.$/],
      [{ 'instructions.md': Buffer.from([0xff]) }, /instructions\.md must be UTF-8\.$/],
      [{ 'instructions.md': 'x', 'config.json': '[]' }, /config\.json must be a JSON object\.$/],
    ];
    for (const [files, message] of cases) {
      for (const [name, text] of Object.entries(files)) write(`one/${name}`, text);
      const { status, stdout, stderr } = await agents('push', root);
      assert.match(stderr.trimEnd(), message);
      assert.deepEqual([status, stdout], [64, '']);
    }
    rmSync(join(root, 'one', 'agent.json'));
    for (const command of ['plan', 'push']) {
      const { status, stderr } = await agents(command, root);
      assert.deepEqual(
        [status, stderr],
        [64, `No folder in ${root} has an agent.json. Write {"name": "…"} to agent.json in: one\n`],
      );
    }
    for (const args of [
      ['plan'],
      ['plan', root, '--deploy'],
      ['plan', `${root}/none`],
      ['pull', `${root}/one/config.json`],
    ])
      assert.equal((await agents(...args)).status, 64, args.join(' '));
    assert.equal((await runRoster({ ...environment, ROSTER_KEY: '' }, 'agents', 'pull', root)).status, 1);
  });
});
