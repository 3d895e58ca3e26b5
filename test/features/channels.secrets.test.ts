import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { assertTablesUnchanged, makeChannel, signedInOwner } from '../kit/fixtures/agents.ts';
import { makeAgent } from '../kit/fixtures/factories.ts';
import { assertError, assertInvalid, comparableReply } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine, type TestService } from '../kit/service/test-service.ts';

const TABLES = ['channels', 'hooks', 'agents'];
const NONE = 'channel_01h455vb4pex5vsknk084sn02q';
const TOKEN = '0123456789abcdef0123456789abcdef';

/** The contents of the database as text: every row of every table, and the bytes of its files. */
const dumpDatabase = async ({ database }: TestService): Promise<string> => {
  const isSqlite = database.database.engine === 'sqlite';
  const tables = await database.query(
    isSqlite
      ? `select name from sqlite_schema where type = 'table' and name not like 'sqlite%' and sql not like 'create virtual%'`
      : `select tablename as name from pg_tables where schemaname = 'public'`,
  );
  const rows = await Promise.all(tables.map(({ name }) => database.query(`select * from ${name}`)));
  const text = JSON.stringify(rows);
  if (database.database.engine === 'postgres') return text;
  const folder = dirname(database.database.path);
  return (
    text +
    readdirSync(folder)
      .map((file) => readFileSync(join(folder, file), 'latin1'))
      .join('')
  );
};

onEveryEngine('Channel secrets', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await signedInOwner(service);
  });

  test('A channel secret is shown once and stored only hashed and encrypted', async () => {
    const { id, secret } = await makeChannel(owner, { platform_secret: TOKEN });
    const [row] = await service.database.query('select * from channels where id = ?', id);
    assert.equal(row?.secret_hash, createHash('sha256').update(secret).digest('hex'));
    const [keyId, encrypted = ''] = String(row?.secret_sealed).split(':');
    const [tokenKeyId, token = ''] = String(row?.token_sealed).split(':');
    assert.match(String(keyId), /^[0-9a-f]{8}$/);
    assert.equal(tokenKeyId, keyId);
    assert.equal(
      Buffer.from(encrypted, 'base64').length,
      12 + 16 + secret.length,
      'nonce, tag, encrypted text',
    );
    assert.equal(Buffer.from(token, 'base64').length, 12 + 16 + TOKEN.length);
    const stored = await dumpDatabase(service);
    assert.ok(stored.includes(id), 'what is searched holds the channel');
    for (const plain of [secret, secret.slice('whsec_'.length), TOKEN]) {
      const bytes = Buffer.from(plain, plain === TOKEN ? 'utf8' : 'base64');
      for (const form of [plain, bytes.toString('hex'), bytes.toString('latin1'), bytes.toString('base64')]) {
        assert.ok(!stored.includes(form));
      }
      assert.ok(!service.log.join('\n').includes(plain));
    }
    const shown = await Promise.all([
      owner.call('GET', `/channels/${id}`),
      owner.call('GET', '/channels'),
      owner.call('PATCH', `/channels/${id}`, { name: 'Renamed', platform_secret: `${TOKEN}0` }),
      owner.call('DELETE', `/channels/${id}/agent`),
    ]);
    for (const { status, text } of shown) {
      assert.equal(status, 200);
      assert.doesNotMatch(text, /"secret|"twilio|sealed|hash|whsec/);
    }
  });

  test('The secret and the adapter of a platform are set by keys that may have the secret of the channel', async () => {
    const { id } = await makeChannel(owner);
    const patch = async (scopes: string[], body: Json) => {
      const { key } = await owner.request('POST', '/keys', { name: 'Channels', scopes }, 201);
      return service.patch(`/v1/channels/${id}`, body, { key });
    };
    for (const body of [{ platform_secret: TOKEN }, { adapter: 'retell' }]) {
      const refused = await assertTablesUnchanged(service, ['channels'], () =>
        patch(['channels:write'], body),
      );
      assertError(refused, 403, 'FORBIDDEN');
      assert.deepEqual(refused.body.error.details, { required_scope: 'agents:read' });
      const all = 'contacts:read,contacts:write,agents:read,channels:write,calls:read';
      assert.match(refused.body.error.message, new RegExp(` --scope ${all}\``));
      assert.equal((await patch(all.split(','), body)).status, 200);
    }
    assert.equal((await patch(['channels:write'], { name: 'Desk', platform_secret: null })).status, 200);
  });

  test('Every channel has a different secret, encrypted differently each time', async () => {
    const made = await Promise.all(
      Array.from({ length: 10 }, () => makeChannel(owner, { platform_secret: TOKEN })),
    );
    assert.equal(new Set(made.map(({ secret }) => secret)).size, 10);
    const rows = await service.database.query(
      'select token_sealed from channels where token_sealed is not null',
    );
    assert.equal(new Set(rows.map((row) => row.token_sealed)).size, rows.length);
  });
});

onEveryEngine('Unknown channels', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await signedInOwner(service);
  });

  const calls = (id: string, agent_id: string): [string, string, unknown?][] => [
    ['GET', `/channels/${id}`],
    ['PATCH', `/channels/${id}`, { name: 'Taken', platform_secret: TOKEN }],
    ['PUT', `/channels/${id}/agent`, { agent_id }],
    ['DELETE', `/channels/${id}/agent`],
    ['DELETE', `/channels/${id}`],
  ];
  const assertNotFound = (user: CheckedUser, calls: [string, string, unknown?][]) =>
    assertTablesUnchanged(service, TABLES, async () => {
      const answers = [];
      for (const [method, path, body] of calls) {
        const reply = await user.call(method, path, body);
        assertError(reply, 404, 'NOT_FOUND');
        answers.push(comparableReply(reply));
      }
      return answers;
    });

  test('Unknown channel ids of any form get 404', async () => {
    const { id } = await makeAgent(service);
    for (const garbage of [NONE, 'x', '%00', `${NONE}0`, 'a'.repeat(300), "'%20or%201=1"]) {
      await assertNotFound(owner, calls(garbage, id));
    }
  });

  test('A channel of another workspace gets the same answer as an unknown one', async () => {
    const channel = await makeChannel(owner);
    const { owner: otherOwner } = await makeOtherWorkspace(service);
    const own = await otherOwner.request('POST', '/agents', { name: 'Own', instructions: '' }, 201);
    assert.deepEqual(
      await assertNotFound(otherOwner, calls(channel.id, own.id)),
      await assertNotFound(otherOwner, calls(NONE, own.id)),
    );
    assert.deepEqual(await otherOwner.request('GET', '/channels'), []);
  });

  test('An agent that is unknown, deleted or of another workspace cannot be connected to a channel', async () => {
    const { id } = await makeChannel(owner);
    const { owner: otherOwner } = await makeOtherWorkspace(service);
    const foreign = await otherOwner.request('POST', '/agents', { name: 'Foreign', instructions: '' }, 201);
    const deleted = await makeAgent(service);
    await service.delete(`/v1/agents/${deleted.id}`);
    const missing = ['01890a5d-ac96-774b-bcce-b302099a8057', foreign.id, deleted.id].map(
      (agent_id): [string, string, unknown] => ['PUT', `/channels/${id}/agent`, { agent_id }],
    );
    const [unknown, ...others] = await assertNotFound(owner, missing);
    for (const other of others) assert.deepEqual(other, unknown);
    for (const agent_id of ['x', '', null, 5, '\0']) {
      const call = () => owner.call('PUT', `/channels/${id}/agent`, { agent_id });
      assertInvalid(await assertTablesUnchanged(service, TABLES, call), 'agent_id');
    }
    assertInvalid(await owner.call('PUT', `/channels/${id}/agent`, {}), 'agent_id');
  });
});
