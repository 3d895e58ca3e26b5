import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { engines } from '../kit/database/engines.ts';
import {
  createSdkProject,
  installedNode,
  nodeTypes,
  readBuilt,
  readmeOfSdk,
  type SdkProject,
} from '../kit/sdk/project.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { startTestService, type TestService } from '../kit/service/test-service.ts';
import { blocksOf } from '../readme/markdown.ts';

const MAX_GZIPPED_BYTES = 10_400;

const consumer = `
import { type Call, type Data, Roster, type Schemas } from '@roster/client';

const roster = new Roster({ baseUrl: 'http://127.0.0.1', apiKey: 'a key' });
export const created: () => Call<Data<'createContact'>> = () =>
  roster.contacts.create({ phone_number: '+14155550100' });
export const names = async (): Promise<(string | null)[]> =>
  (await roster.contacts.list({ tag: 'vip' }).all()).map((contact: Schemas['Contact']) => contact.first_name);
// @ts-expect-error The phone number is required.
export const incomplete = () => roster.contacts.create({ first_name: 'Ada' });
// @ts-expect-error There is no such field.
export const misspelt = () => roster.contacts.update('an id', { firstname: 'Ada' });
// @ts-expect-error There is no such filter.
export const unknown = () => roster.contacts.list({ tags: 'vip' });
`;

const commonJsConsumer = `
import { ConnectionError, Roster, type Contact } from '@roster/client';
import * as runtime from '@roster/client/runtime';
export const first = async (roster: Roster): Promise<Contact | undefined> => (await roster.contacts.list().page()).data[0];
export const say = (channel: runtime.Channel): Promise<string> => channel.agent().then(({ rendered }) => rendered);
// @ts-expect-error There is no such filter.
export const unknown = (roster: Roster) => roster.contacts.list({ tags: 'vip' });
// @ts-expect-error The filter is a boolean.
export const text = (roster: Roster) => roster.contacts.list({ has_email: 'true' });
try {
  new Roster();
} catch (error) {
  console.log(String((error as Error).name), (error as Error).message);
}
console.log(runtime.ConnectionError === ConnectionError);
`;

/** The TypeScript of the README as one program: its imports, then its blocks in turn. */
const programOf = (readme: string): string => {
  const code = blocksOf(readme)
    .filter(({ language }) => language === 'ts')
    .map(({ text }) => text)
    .join('\n');
  const imports = code.match(/^import .*;$/gm) ?? [];
  return [...imports, code.replace(/^import .*;$/gm, '')].join('\n');
};

/** What the README says that its program prints. */
const expectedOutput = (program: string): string[] =>
  [...program.matchAll(/\/\/ → (.*)$/gm)].map(([, line = '']) => line);

describe('The package of the SDK', () => {
  let project: SdkProject;
  let service: TestService;
  before(async () => {
    project = await createSdkProject();
    service = await startTestService(await engines.sqlite());
  });
  after(async () => {
    project?.remove();
    await service?.stop();
    await service?.database.drop();
  });

  it('It contains its modules, their types, its license and nothing else', () => {
    const others = project.files.filter((name) => !name.endsWith('.d.ts'));
    assert.deepEqual(others, [
      'LICENSE',
      'README.md',
      'dist',
      'dist/cjs',
      'dist/cjs/index.js',
      'dist/cjs/package.json',
      'dist/cjs/resources',
      'dist/cjs/runtime',
      'dist/cjs/runtime.js',
      'dist/cjs/shared.js',
      'dist/index.js',
      'dist/resources',
      'dist/runtime',
      'dist/runtime.js',
      'dist/shared.js',
      'package.json',
    ]);
  });

  it('It compiles with strict types in an empty project, with the types of browsers or of Node', () => {
    project.compile('browser', consumer, { module: 'esnext', moduleResolution: 'bundler' });
    project.compile('node', consumer, { lib: ['es2022'], ...nodeTypes, skipLibCheck: true });
  });

  it('A CommonJS project compiles with TypeScript 5 and 7 and moduleResolution node16, and gets the same classes', () => {
    assert.deepEqual(project.checkCommonJs('node16', commonJsConsumer), []);
    writeFileSync(join(project.folder, 'node16/package.json'), '{ "type": "commonjs" }');
    const script = project.compile('node16', commonJsConsumer, {
      module: 'node16',
      moduleResolution: 'node16',
      lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
    });
    const compiled = readFileSync(script, 'utf8');
    assert.match(compiled, /require\("@roster\/client\/runtime"\)/);
    for (const node of [process.execPath, installedNode() ?? process.execPath]) {
      const output = execFileSync(node, [script], { encoding: 'utf8' });
      assert.equal(output, 'TypeError Set apiKey, or ROSTER_KEY in the environment.\ntrue\n');
    }
  });

  it('Every snippet of its README compiles with strict types and prints what it says, on this Node and a stock one', async (test) => {
    const program = programOf(readmeOfSdk());
    const script = project.compile(
      'readme',
      program.replaceAll('http://127.0.0.1:3000', service.url),
      nodeTypes,
    );
    const key = await createScopedKey(
      service.database,
      'contacts:read',
      'contacts:write',
      'imports:write',
      'agents:read',
      'agents:write',
      'agents:deploy',
      'campaigns:read',
      'campaigns:write',
      'channels:write',
      'calls:read',
      'events:read',
    );
    const stock = installedNode();
    if (!stock) test.diagnostic('No other Node of version 20 or later is installed.');
    for (const node of [process.execPath, ...(stock ? [stock] : [])]) {
      const env = { ROSTER_KEY: key, NO_COLOR: '1' };
      const { stdout, stderr } = await promisify(execFile)(node, [script], { env });
      assert.deepEqual(stdout.trimEnd().split('\n'), expectedOutput(program), node);
      assert.equal(stderr, '', node);
      for (const { id } of (await service.get('/v1/contacts')).body.data)
        await service.delete(`/v1/contacts/${id}`);
    }
  });

  it('It uses no API that only Node has', () => {
    for (const entry of ['index', 'runtime'] as const) {
      const code = readBuilt(entry).replace('globalThis.process?.env', '');
      assert.doesNotMatch(
        code,
        /\bnode:|\bprocess\b|\bBuffer\b|\brequire\b|^import .* from "(?!\.\/shared)/m,
      );
    }
  });

  it(`It has less than ${MAX_GZIPPED_BYTES.toLocaleString('en')} bytes when compressed`, (test) => {
    for (const entry of ['index', 'runtime'] as const) {
      const { length } = gzipSync(readBuilt(entry), { level: 9 });
      test.diagnostic(`${entry}: ${length} bytes`);
      assert.ok(length < MAX_GZIPPED_BYTES, `${entry}: ${length}`);
    }
  });
});
