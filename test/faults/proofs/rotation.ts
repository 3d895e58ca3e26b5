import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { channelId, createChannel } from '../../../src/features/channels/channel.service.ts';
import { openEncryptor } from '../../../src/features/workspaces/secret-key.ts';
import { digest } from '../../../src/lib/encryption.ts';
import { engines } from '../../kit/database/engines.ts';
import { openTestStorage } from '../../kit/database/workspaces.ts';
import { newPhone } from '../../kit/fixtures/factories.ts';
import { report } from '../../kit/load/measurements.ts';
import { CLI, runRoster } from '../../kit/process/cli.ts';
import { startTestService } from '../../kit/service/test-service.ts';
import { sendEvent, type TestChannel } from '../../kit/webhooks/channel-hooks.ts';

/** Kills `roster secret rotate` at many moments while a service is running. Every secret can be decrypted after each
 *  kill, and the next run completes the rotation. */
export const killWhileRotating = async (
  test: TestContext,
  { engine, rounds, channels: wanted }: { engine: keyof typeof engines; rounds: number; channels: number },
): Promise<void> => {
  const database = await engines[engine]();
  const folder = mkdtempSync(join(tmpdir(), 'roster-rotation-'));
  const file = join(folder, 'secret.key');
  const environment = { DATABASE_URL: database.url, ROSTER_DATA_DIR: folder };
  const service = await startTestService(database, { secretKeys: undefined, dataDir: folder });
  try {
    const channels: TestChannel[] = [];
    const storage = await openTestStorage(database);
    const { check, encrypt } = await (await openEncryptor(storage, undefined, folder)).current();
    for (let number = 0; number < wanted; number++) {
      const id = channelId.create();
      const secret = `whsec_${Buffer.alloc(32, number).toString('base64')}`;
      await storage.run(
        createChannel,
        { workspace: 1, actor: 'test' },
        {
          id,
          kind: 'web_chat',
          name: `Site ${number}`,
          address: 'site',
          secret_hash: digest(secret),
          secret_sealed: encrypt(secret, id),
          token_sealed: null,
          check,
        },
      );
      channels.push({ id, secret });
    }
    await storage.close();
    const lines = () => readFileSync(file, 'utf8').trimEnd().split('\n');
    const keys = async () =>
      database.query(
        'select substr(secret_sealed, 1, 8) as id, count(*) as count from channels group by 1 order by 2',
      );
    const checked = async () => (await database.query('select sealed from seal_checks'))[0]?.sealed;
    let interrupted = 0;
    for (let round = 0; round < rounds; round++) {
      const [known, before] = [lines(), await checked()];
      const child = spawn(process.execPath, [CLI, 'secret', 'rotate'], {
        env: { PATH: process.env.PATH ?? '', ...environment },
        stdio: 'ignore',
      });
      const ended = once(child, 'exit');
      // In turn: when the key is in the file, when it is current, and when some secrets are encrypted with it.
      const isReached = [
        async () => lines().length > known.length,
        async () => (await checked()) !== before,
        async () => (await keys()).length > 1,
      ][round % 3] as () => Promise<boolean>;
      while (child.exitCode === null && !(await isReached())) await pause(1);
      await pause(Math.random() * 10);
      child.kill('SIGKILL');
      const [code] = await ended;
      if (code === null) interrupted++;
      assert.deepEqual(lines().slice(0, known.length), known, 'no key is lost');
      const { status, stdout } = await runRoster(environment, 'verify');
      assert.equal(status, 0, stdout);
      for (const channel of [channels[round % wanted], channels.at(-1)] as TestChannel[]) {
        const call = { type: 'message', provider_id: `${round} ${channel.id}`, direction: 'inbound' };
        const reply = await sendEvent(service, channel, { ...call, number: newPhone() });
        assert.equal(reply.status, 200, reply.text);
      }
    }
    const last = await runRoster(environment, 'secret', 'rotate');
    assert.equal(last.status, 0, last.stderr);
    assert.equal((await keys()).length, 1);
    assert.equal((await keys())[0]?.id, String(await checked()).slice(0, 8));
    writeFileSync(file, `${lines().at(-1)}\n`);
    const alone = await runRoster(environment, 'verify');
    assert.equal(alone.status, 0, `the newest key opens everything: ${alone.stdout}`);
    report(test, `kill-rotation-${engine}`, { rounds, channels: wanted, interrupted, lost: 0 });
  } finally {
    await service.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
};
