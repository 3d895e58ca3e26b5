import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { newPhone } from '../kit/fixtures/factories.ts';
import { runRoster } from '../kit/process/cli.ts';
import { fetchWithKey, withPrograms } from '../kit/process/program.ts';

test('A reader like Litestream keeps the log from being truncated, and delays no request', async () => {
  await withPrograms(async (start, folder) => {
    const data = { ROSTER_DATA_DIR: join(folder, 'data') };
    const path = join(folder, 'data', 'roster.db');
    const service = start({ DRAIN_SECONDS: '0' });
    const { url, key = '' } = await service.ready();
    const logBytes = () => statSync(`${path}-wal`).size;
    const create = async () => {
      const body = JSON.stringify({ phone_number: newPhone(), first_name: 'Ada' });
      const reply = await fetchWithKey(`${url}/v1/contacts`, key, { method: 'POST', body });
      assert.equal(reply.status, 201);
      await reply.arrayBuffer();
    };
    const truncated = async () => {
      for (let tries = 0; logBytes() > 0; tries++) {
        assert.ok(tries < 600, 'the log is truncated');
        await pause(100);
      }
    };
    await truncated();

    const reader = new DatabaseSync(path, { timeout: 1_000 });
    reader.exec(`create table _litestream_seq (id integer primary key, seq integer);
      insert into _litestream_seq values (1, 1);
      begin; select count(1) from _litestream_seq`);
    for (let count = 0; count < 20; count++) await create();
    const failed = /^roster_task_failures_total\{task="wal_checkpoint"\} [1-9]/m;
    for (let tries = 0; !failed.test(await (await fetch(`${url}/metrics`)).text()); tries++) {
      assert.ok(tries < 600, 'a checkpoint fails');
      await pause(100);
    }
    assert.ok(logBytes() > 0);
    // The reader's transaction is still open.
    await create();
    const verified = await runRoster(data, 'verify');
    assert.equal(verified.status, 0, verified.stdout);

    reader.exec('commit');
    await create();
    await truncated();
    assert.equal(await service.stop(), 0);
    const file = join(folder, 'backup');
    assert.equal((await runRoster(data, 'backup', file)).status, 0);
    const refused = await runRoster(data, 'restore', file, '--force');
    assert.match(refused.stderr, /is in use/);
    reader.close();
    assert.equal((await runRoster(data, 'restore', file, '--force')).status, 0);
  });
});
