import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Client } from 'pg';
import type { Db } from '../../src/db/db.ts';
import { openStorage } from '../../src/db/open/open.ts';
import { write } from '../../src/db/operation.ts';
import { ping } from '../../src/db/sqlite/storage.ts';
import { ThreadClient } from '../../src/db/sqlite/threads/client.ts';
import { deleteContact } from '../../src/features/contacts/contact.service.ts';
import { insertWorkspace } from '../../src/features/workspaces/workspace.store.ts';
import { newPulse, ThreadHealth } from '../../src/lib/thread-health.ts';
import { databaseFor } from '../kit/service/scoped-resources.ts';

const THREAD = new URL('../../src/wiring/sqlite-thread.ts', import.meta.url);

describe('PostgreSQL connection lost during a write', () => {
  it('A connection lost during a write fails only that write, with 503', async (test) => {
    const database = await databaseFor(test, 'postgres');
    const storage = await openStorage(database.database, { onFault: () => {} });
    test.after(() => storage.close());
    const other = new Client({ connectionString: database.url });
    other.on('error', () => {});
    await other.connect();
    test.after(() => other.end());

    /** Writes, then terminates its own connection before the commit. */
    const closeConnection = write('closeConnection', async (db: Db) => {
      await db.get(insertWorkspace, { name: 'lost', created_at: '', is_default: 0 });
      await other.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'roster' and datname = current_database() and state = 'idle in transaction'`);
      await pause(50);
    });
    await assert.rejects(storage.run(closeConnection, null, null), { code: 'UNAVAILABLE' });
    await storage.ping();
    assert.deepEqual(await database.query(`select name from workspaces where name = 'lost'`), []);
    const name = await storage.run(
      write('inline', async (db: Db) =>
        db.get(insertWorkspace, { name: 'kept', created_at: '', is_default: 0 }),
      ),
      null,
      null,
    );
    assert.ok(name);
  });

  it('A column that a newer version adds breaks no prepared statement', async (test) => {
    const database = await databaseFor(test, 'postgres');
    const storage = await openStorage(database.database, { onFault: () => {} });
    test.after(() => storage.close());
    const { findKey } = await import('../../src/features/workspaces/key.service.ts');
    const { updateContact } = await import('../../src/features/contacts/contact.service.ts');
    const principal = { workspace: 1, actor: 'test' };
    const missing = { id: 'contact_01h455vb4pex5vsknk084sn02q', fields: {} };
    const assertThreadWorks = async () => {
      assert.equal(await storage.run(findKey, null, { workspace: 1, hash: 'none' }), undefined);
      await assert.rejects(storage.run(updateContact, principal, missing), { code: 'NOT_FOUND' });
    };
    await assertThreadWorks();
    await database.query('alter table contacts add column later text');
    await database.query('alter table keys add column later text');
    await assertThreadWorks();
  });
});

describe('Crash of a SQLite thread', () => {
  it('A crashed thread is replaced; its requests fail, and new ones are answered', async (test) => {
    const database = await databaseFor(test, 'sqlite');
    const path = database.database.engine === 'sqlite' ? database.database.path : '';
    await (await openStorage(database.database, { onFault: () => {} })).close();
    const workers: Worker[] = [];
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (this: Worker, ...args: Parameters<typeof post>) {
      workers.push(this);
      return post.apply(this, args);
    };
    test.after(() => {
      Worker.prototype.postMessage = post;
    });
    const results: string[] = [];
    const client = new ThreadClient(
      THREAD,
      { path, role: 'writer', pulse: newPulse() },
      {
        onFault: () => {},
        health: new ThreadHealth({ warn: () => {}, error: () => {} }, () => false),
        onAnswers: () => results.push('reported'),
      },
    );
    const collect = (answer: Promise<unknown>) =>
      answer.then(
        () => results.push('answered'),
        () => results.push('refused'),
      );
    await client.ready;
    await collect(client.ask(ping, null, null));
    await collect(client.ask(deleteContact, { workspace: 1, actor: 'test' }, { id: 'nobody' }));
    const other = new DatabaseSync(path);
    other.exec('begin immediate');
    const lost = collect(client.ask(ping, null, null));
    await turn();
    await workers.at(-1)?.terminate();
    await lost;
    other.close();
    assert.deepEqual(results, ['reported', 'answered', 'reported', 'refused', 'reported', 'refused']);
    assert.equal(await client.ask(ping, null, null), null, 'called while there is no thread');
    await client.close({ waitForAnswers: true });
  });
});
