import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createChannel } from '../../src/features/channels/channel.service.ts';
import { openEncryptor } from '../../src/features/workspaces/secret-key.ts';
import { ApiError } from '../../src/lib/errors.ts';
import { checkedUser } from '../kit/dashboard/checked-client.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { engines, type TestDatabase } from '../kit/database/engines.ts';
import { openTestStorage } from '../kit/database/workspaces.ts';
import { makeChannel } from '../kit/fixtures/agents.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { type CliResult, runRoster } from '../kit/process/cli.ts';
import { type Json, startTestService, type TestService } from '../kit/service/test-service.ts';
import { sendEvent, type TestChannel, twilioCallback } from '../kit/webhooks/channel-hooks.ts';

const TOKEN = '0123456789abcdef0123456789abcdef';
const newKey = () => randomBytes(32);
const text = (...keys: Buffer[]) => keys.map((key) => key.toString('base64')).join();

const encryptedIn = async ({ database }: Pick<TestService, 'database'>): Promise<string[]> => {
  const rows = await database.query(
    `select secret_sealed as sealed from channels union all
     select token_sealed from channels where token_sealed is not null union all
     select old_secret_sealed from channels where old_secret_sealed is not null union all
     select old_token_sealed from channels where old_token_sealed is not null union all
     select key_sealed from chat_models where key_sealed is not null union all select sealed from seal_checks`,
  );
  return rows.map(({ sealed }) => String(sealed));
};
/** The ids of the keys that stored values are encrypted with. */
const keyIdsIn = async (service: Pick<TestService, 'database'>): Promise<string[]> =>
  [...new Set((await encryptedIn(service)).map((each) => each.split(':')[0] as string))].sort();

let count = 0;
const event = () => ({
  type: 'call',
  provider_id: `call ${++count}`,
  direction: 'inbound',
  number: newPhone(),
});

/** Whether a channel's events are accepted: signed with its secret, and by Twilio with its token. */
const acceptsEvents = async (service: TestService, channel: TestChannel): Promise<boolean> => {
  const signed = await sendEvent(service, channel, event());
  const fields = { CallSid: `CA${++count}`, CallStatus: 'ringing', From: newPhone(), Direction: 'inbound' };
  const byTwilio = await twilioCallback(service, { id: channel.id, secret: TOKEN }, fields);
  return signed.status === 200 && byTwilio.status === 200;
};

for (const engine of ['sqlite', 'postgres'] as const) {
  const withDatabase = async (
    work: (given: {
      database: TestDatabase;
      folder: string;
      start: (secretKeys?: Buffer[]) => Promise<
        TestService & {
          create(): Promise<TestChannel>;
          rotate(id: string): Promise<Json>;
          setChatModel(): Promise<Json>;
        }
      >;
      roster: (keys: Buffer[] | undefined, ...args: string[]) => Promise<CliResult>;
    }) => Promise<void>,
  ) => {
    const database = await engines[engine]();
    const folder = mkdtempSync(join(tmpdir(), 'roster-secret-'));
    const services: TestService[] = [];
    try {
      await work({
        database,
        folder,
        start: async (secretKeys) => {
          const service = await startTestService(database, { secretKeys, dataDir: folder });
          services.push(service);
          const owner = await checkedUser(service, await signedInUser(service));
          const rotate = (id: string) => owner.request('POST', `/channels/${id}/rotate-secret`, {});
          const chatModel = { url: 'https://example.com/v1', model: 'small', api_key: TOKEN };
          const setChatModel = () => owner.request('PUT', '/chat-model', chatModel);
          return {
            ...service,
            rotate,
            setChatModel,
            create: () => makeChannel(owner, { platform_secret: TOKEN }),
          };
        },
        roster: (keys, ...args) =>
          runRoster(
            {
              DATABASE_URL: database.url,
              ROSTER_DATA_DIR: folder,
              ...(keys && { ROSTER_SECRET_KEY: text(...keys) }),
            },
            ...args,
          ),
      });
    } finally {
      for (const service of services) await service.stop();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    }
  };

  describe(`roster secret rotate on ${engine}`, () => {
    it('secret rotate encrypts every secret with a new key in the file while the service runs', () =>
      withDatabase(async ({ folder, start, roster }) => {
        const service = await start();
        const channels = [await service.create(), await service.create()];
        await service.rotate(String(channels[0]?.id));
        await service.setChatModel();
        const [first] = await keyIdsIn(service);
        const file = join(folder, 'secret.key');
        const lines = () => readFileSync(file, 'utf8').trimEnd().split('\n');
        const [before] = lines();

        const rotated = await roster(undefined, 'secret', 'rotate', '--json');
        assert.equal(rotated.status, 0, rotated.stderr);
        const { key, key_id, resealed }: Json = JSON.parse(rotated.stdout);
        assert.deepEqual([key, resealed], [file, 6]);
        assert.deepEqual(await keyIdsIn(service), [key_id]);
        assert.notEqual(key_id, first);
        assert.equal(lines().length, 2);
        assert.equal(lines()[0], before, 'the old key stays for older backups');

        channels.push(await service.create());
        assert.deepEqual(await keyIdsIn(service), [key_id], 'the running service encrypts with the new key');
        for (const channel of channels) assert.equal(await acceptsEvents(service, channel), true);

        const again = await roster(undefined, 'secret', 'rotate');
        assert.equal(again.status, 0, again.stderr);
        assert.match(
          again.stdout,
          /^The current key is \w{8} in \S+secret\.key\. Encrypted 8 secrets with it\.\n/,
        );
        assert.equal((await roster(undefined, 'verify')).status, 0);
        writeFileSync(file, `${lines().at(-1)}\n`);
        assert.equal((await roster(undefined, 'verify')).status, 0, 'the newest key opens all of it');
        const restarted = await start();
        for (const channel of channels) assert.equal(await acceptsEvents(restarted, channel), true);
        await service.database.query(
          `update channels set secret_sealed = '00000000' || substr(secret_sealed, 9) where id = ?`,
          String(channels[0]?.id),
        );
        const { status, stdout } = await roster(undefined, 'verify');
        assert.equal(status, 1);
        assert.match(stdout, /FAILED +every channel secret is encrypted with an available key\n +channel_/);
      }));

    it('secret rotate uses a key configured on every instance, and explains how to configure one', () =>
      withDatabase(async ({ database, start, roster }) => {
        const [old, fresh] = [newKey(), newKey()];
        const behind = await start([old]);
        const channel = await behind.create();
        const before = await encryptedIn(behind);
        const refused = await roster([old], 'secret', 'rotate');
        assert.equal(refused.status, 2);
        assert.match(refused.stderr, /Set ROSTER_SECRET_KEY to NEW,OLD for every instance/);
        assert.deepEqual(await encryptedIn(behind), before);

        const prepared = await start([fresh, old]);
        const between = await prepared.create();
        assert.equal((await keyIdsIn({ database })).length, 1, 'the database says which key is current');
        assert.equal(await acceptsEvents(behind, between), true);
        const storage = await openTestStorage(database);
        /** Whether an instance with other keys accepts what an instance with both keys signs. */
        const isAcceptedWith = async (key: Buffer) => {
          const signature = (await openEncryptor(storage, [fresh, old], '')).sign('text', 'test');
          return (await openEncryptor(storage, [key], '')).isSigned('text', 'test', signature);
        };
        assert.equal(await isAcceptedWith(old), true);

        const rotated = await roster([fresh, old], 'secret', 'rotate', '--json');
        assert.equal(rotated.status, 0, rotated.stderr);
        assert.deepEqual(await keyIdsIn({ database }), [JSON.parse(rotated.stdout).key_id]);
        for (const each of [channel, between]) assert.equal(await acceptsEvents(prepared, each), true);
        const unknown = await sendEvent(behind, channel, event());
        assert.equal(unknown.status, 503, unknown.text);
        assert.match(unknown.body.error.message, /does not have the encryption key/);
        assert.equal(await isAcceptedWith(fresh), true);
        await storage.close();
        await assert.rejects(start([old]), /its secrets were encrypted with another key/);
        assert.equal(await acceptsEvents(await start([fresh]), channel), true);
        assert.equal((await roster([fresh], 'secret', 'rotate')).status, 2, 'it is current already');
      }));

    it('A write encrypted with the previous key is rejected after a rotation', () =>
      withDatabase(async ({ database, start, roster }) => {
        const service = await start();
        const [check] = await database.query('select sealed from seal_checks');
        await roster(undefined, 'secret', 'rotate');
        const storage = await openTestStorage(database);
        const made = storage.run(
          createChannel,
          { workspace: 1, actor: 'test' },
          {
            id: 'channel_01h455vb4pex5vsknk084sn02q',
            kind: 'web_chat',
            name: 'Late',
            address: 'site',
            secret_hash: '',
            secret_sealed: '',
            token_sealed: null,
            check: String(check?.sealed),
          },
        );
        await assert.rejects(
          made,
          (error) => error instanceof ApiError && error.code === 'UNAVAILABLE' && /Retry/.test(error.message),
        );
        await storage.close();
        assert.deepEqual(await service.database.query('select id from channels'), []);
      }));
  });
}
